import Testing

@testable import MicroHTTP

@Suite("Work queue")
struct WorkQueueTests {
  private typealias Task = WorkQueue<Int>.Task

  /// A reference to a queue: `#expect` cannot call mutating methods of a value.
  private final class Queue {
    private var queue = WorkQueue<Int>()

    var running: Int { queue.running }
    var waiting: Int { queue.waiting }
    var restrictedKeyCount: Int { queue.restrictedKeyCount }
    var isBusy: Bool { queue.isBusy }

    func add(_ task: Task) { queue.add(task) }
    func next() -> Task? { queue.next() }
    func finish(_ task: Task, wasSlow: Bool) { queue.finish(task, wasSlow: wasSlow) }
    func isRestricted(_ key: String) -> Bool { queue.isRestricted(key) }
    func suspect(_ key: String) { queue.suspect(key) }
    func removeWaiting() -> [Int] { queue.removeWaiting() }
  }

  private func task(
    _ job: Int, _ key: String, memory: Int = 0, isReading: Bool = false, hasLongBody: Bool = false
  ) -> Task {
    Task(job: job, key: key, memory: memory, isReading: isReading, hasLongBody: hasLongBody)
  }

  @Test
  func `jobs of one key run one after the other, and keys take turns`() throws {
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

  @Test
  func `changes run before the waiting reads of their key, in order of arrival`() throws {
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

  @Test
  func `large jobs run together up to the memory budget, and a job above the budget runs alone`() throws {
    let queue = Queue()
    let budget = WorkQueue<Int>().memoryAtOnce
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

  @Test
  func `a small job overtakes a waiting large job, and another large job does not`() throws {
    let queue = Queue()
    let budget = WorkQueue<Int>().memoryAtOnce
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

  @Test
  func `a key is restricted while it is busy, and after a slow change until enough fast changes followed`() throws {
    let queue = Queue()
    #expect(!queue.isRestricted("a"))
    queue.suspect("a")
    for _ in 0..<WorkQueue<Int>.trustedAfter {
      #expect(queue.isRestricted("a"))
      queue.add(task(1, "a"))
      queue.finish(try #require(queue.next()), wasSlow: false)
    }
    #expect(!queue.isRestricted("a") && queue.restrictedKeyCount == 0)
    // The time of a slow read, or of a long body, does not predict that of the next short change.
    for task in [task(1, "a", isReading: true), task(2, "a", hasLongBody: true)] {
      queue.add(task)
      queue.finish(try #require(queue.next()), wasSlow: true)
      #expect(!queue.isRestricted("a"))
    }
    queue.add(task(1, "a"))
    queue.finish(try #require(queue.next()), wasSlow: true)
    #expect(queue.isRestricted("a"))
  }

  @Test
  func `the number of suspected keys is bounded`() {
    let queue = Queue()
    for key in 0..<5_000 { queue.suspect("\(key)") }
    #expect(queue.restrictedKeyCount <= WorkQueue<Int>.maximumKeys)
  }

  @Test
  func `removing the waiting jobs leaves the running job, which can still finish`() throws {
    let queue = Queue()
    for job in 1...3 { queue.add(task(job, "a")) }
    let first = try #require(queue.next())
    #expect(queue.removeWaiting().sorted() == [2, 3] && queue.waiting == 0 && queue.next() == nil)
    queue.finish(first, wasSlow: false)
    #expect(!queue.isBusy && queue.restrictedKeyCount == 0)
  }
}
