import Testing

@testable import MicroHTTP

@Suite("Work queue")
struct WorkQueueTests {
  private typealias Task = WorkQueue<Int>.Task

  /// A queue that expectations can change.
  private final class Queue {
    private var queue = WorkQueue<Int>()

    var running: Int { queue.running }
    var waiting: Int { queue.waiting }
    var watchedKeys: Int { queue.watchedKeys }
    var isBusy: Bool { queue.isBusy }

    func add(_ task: Task) { queue.add(task) }
    func next() -> Task? { queue.next() }
    func finish(_ task: Task, wasSlow: Bool) { queue.finish(task, wasSlow: wasSlow) }
    func isWatched(_ key: String) -> Bool { queue.isWatched(key) }
    func suspect(_ key: String) { queue.suspect(key) }
    func removeWaiting() -> [Int] { queue.removeWaiting() }
  }

  private func task(
    _ job: Int, _ key: String, memory: Int = 0, isReading: Bool = false, hasLongBody: Bool = false
  ) -> Task {
    Task(job: job, key: key, memory: memory, isReading: isReading, hasLongBody: hasLongBody)
  }

  @Test("jobs of one key run one after the other, and keys take turns")
  func turns() throws {
    let queue = Queue()
    for job in 1...3 { queue.add(task(job, "a")) }
    queue.add(task(4, "b"))
    let first = try #require(queue.next())
    #expect(first.job == 1 && queue.next()?.job == 4 && queue.next() == nil)
    queue.add(task(5, "c"))
    queue.finish(first, wasSlow: false)
    #expect(queue.next()?.job == 5, "c came before a's second turn")
    #expect(queue.next()?.job == 2 && queue.next() == nil)
    #expect(queue.running == 3 && queue.waiting == 1)
  }

  @Test("changes pass the readers that wait, and keep their order")
  func changesFirst() throws {
    let queue = Queue()
    for job in [1, 2] { queue.add(task(job, "a", isReading: true)) }
    for job in [3, 4] { queue.add(task(job, "a")) }
    var order: [Int] = []
    while let next = queue.next() {
      order.append(next.job)
      queue.finish(next, wasSlow: false)
    }
    #expect(order == [3, 4, 1, 2])
  }

  @Test(
    "jobs that take much memory run together up to the budget, and one that takes more runs while no other large one does"
  )
  func memory() throws {
    let queue = Queue()
    let budget = WorkQueue<Int>.memoryAtOnce
    for (job, memory) in [budget / 2, budget / 2, 4 * budget].enumerated() {
      queue.add(task(job, "large \(job)", memory: memory))
    }
    let first = try #require(queue.next())
    let second = try #require(queue.next())
    #expect((first.job, second.job) == (0, 1) && queue.next() == nil)
    queue.finish(first, wasSlow: true)
    #expect(queue.next() == nil)
    queue.finish(second, wasSlow: true)
    let third = try #require(queue.next())
    #expect(third.job == 2)
    queue.add(task(3, "large 3", memory: budget / 2))
    #expect(queue.next() == nil)
    queue.finish(third, wasSlow: true)
    #expect(queue.next()?.job == 3)
  }

  @Test("small jobs pass a large one that waits, and large ones behind it do not")
  func order() throws {
    let queue = Queue()
    let budget = WorkQueue<Int>.memoryAtOnce
    for (job, memory) in [budget * 3 / 4, budget, budget / 8, WorkQueue<Int>.smallMemory].enumerated() {
      queue.add(task(job, "\(job)", memory: memory))
    }
    let first = try #require(queue.next())
    #expect(first.job == 0 && queue.next()?.job == 3 && queue.next() == nil)
    queue.finish(first, wasSlow: true)
    let second = try #require(queue.next())
    #expect(second.job == 1 && queue.next() == nil)
    queue.finish(second, wasSlow: true)
    #expect(queue.next()?.job == 2)
  }

  @Test("a key is watched while it is busy, and after a slow change until as many were fast as it takes")
  func suspicion() throws {
    let queue = Queue()
    #expect(!queue.isWatched("a"))
    queue.suspect("a")
    for _ in 0..<WorkQueue<Int>.trustedAfter {
      #expect(queue.isWatched("a"))
      queue.add(task(1, "a"))
      queue.finish(try #require(queue.next()), wasSlow: false)
    }
    #expect(!queue.isWatched("a") && queue.watchedKeys == 0)
    // A slow reader, or a long body, says nothing of the next short change.
    for task in [task(1, "a", isReading: true), task(2, "a", hasLongBody: true)] {
      queue.add(task)
      queue.finish(try #require(queue.next()), wasSlow: true)
      #expect(!queue.isWatched("a"))
    }
    queue.add(task(1, "a"))
    queue.finish(try #require(queue.next()), wasSlow: true)
    #expect(queue.isWatched("a"))
  }

  @Test("suspected keys are bounded")
  func bounded() {
    let queue = Queue()
    for key in 0..<5_000 { queue.suspect("\(key)") }
    #expect(queue.watchedKeys <= WorkQueue<Int>.maximumKeys)
  }

  @Test("what waits can be taken back, and what runs can still end")
  func takenBack() throws {
    let queue = Queue()
    for job in 1...3 { queue.add(task(job, "a")) }
    let first = try #require(queue.next())
    #expect(queue.removeWaiting().sorted() == [2, 3] && queue.waiting == 0 && queue.next() == nil)
    queue.finish(first, wasSlow: false)
    #expect(!queue.isBusy && queue.watchedKeys == 0)
  }
}
