/// Which job runs next: a state machine that knows no thread and no clock.
///
/// - Jobs of one key run one after the other: so one key has one worker at the most. Changes run in the order in which they
///   came, and before readers that wait.
/// - Keys take turns: after a job the key is last in the line, however many jobs it has.
/// - The estimated memory of the jobs that run together is at most ``memoryAtOnce``; a job that is estimated higher runs while
///   no other does. Jobs up to ``smallMemory`` count for nothing and never wait for a large one. The others start in the order
///   of their keys in the line: a large job waits until there is room, and no later one passes it.
///
/// A key whose requests took long is *suspected*: its next requests run on workers too, until
/// ``trustedAfter`` of them in a row were fast.
struct WorkQueue<Job> {
  struct Task {
    let job: Job
    let key: String
    /// About how many bytes of memory the job takes while it runs.
    let memory: Int
    let isReading: Bool
    /// Whether it takes long because of its body.
    var hasLongBody = false

    var isLarge: Bool { memory > WorkQueue.smallMemory }
  }

  private struct Entry {
    /// The jobs that wait, oldest first.
    var tasks: [Task] = []
    var isRunning = false
    /// How many fast requests are missing until the key is trusted again.
    var suspicion = 0

    var isBusy: Bool { isRunning || !tasks.isEmpty }

    /// - Complexity: O(*readers that wait*) for a change.
    mutating func add(_ task: Task) {
      if task.isReading { return tasks.append(task) }
      let place = tasks.lastIndex { !$0.isReading }.map { $0 + 1 } ?? 0
      tasks.insert(task, at: place)
    }
  }

  static var memoryAtOnce: Int { 48 << 20 }
  static var smallMemory: Int { 4 << 20 }
  static var trustedAfter: Int { 8 }
  /// Keys that are suspected and idle are forgotten beyond this many.
  static var maximumKeys: Int { 1_024 }

  private var entries: [String: Entry] = [:]
  /// Keys with a job that may run, each once.
  private var line: [String] = []
  /// The memory of the jobs that run, and are not small.
  private var memoryRunning = 0
  private(set) var running = 0
  private(set) var waiting = 0

  /// How many keys are busy or suspected.
  var watchedKeys: Int { entries.count }
  /// Whether some job runs or waits.
  var isBusy: Bool { running > 0 || waiting > 0 }

  /// Whether a request of the key has to run on a worker.
  func isWatched(_ key: String) -> Bool { entries[key] != nil }

  mutating func add(_ task: Task) {
    entries[task.key, default: Entry()].add(task)
    waiting += 1
    if entries[task.key].map({ !$0.isRunning && $0.tasks.count == 1 }) == true { line.append(task.key) }
  }

  /// The next job, which runs from here on; `nil` where none may.
  ///
  /// - Complexity: O(*keys*).
  mutating func next() -> Task? {
    var isFull = false
    let place = line.firstIndex { key in
      guard let task = entries[key]?.tasks.first, task.isLarge else { return true }
      isFull = isFull || (memoryRunning > 0 && memoryRunning + task.memory > Self.memoryAtOnce)
      return !isFull
    }
    guard let place else { return nil }
    let key = line.remove(at: place)
    guard let task = entries[key]?.tasks.removeFirst() else { return nil }
    entries[key]?.isRunning = true
    if task.isLarge { memoryRunning += task.memory }
    running += 1
    waiting -= 1
    return task
  }

  /// A job has ended.
  mutating func finish(_ task: Task, wasSlow: Bool) {
    running -= 1
    if task.isLarge { memoryRunning -= task.memory }
    guard var entry = entries[task.key] else { return }
    entry.isRunning = false
    // A reader or a long body says nothing of the changes with short bodies.
    if !task.isReading, !task.hasLongBody {
      entry.suspicion = wasSlow ? Self.trustedAfter : max(0, entry.suspicion - 1)
    }
    if !entry.tasks.isEmpty { line.append(task.key) }
    entries[task.key] = entry.isBusy || entry.suspicion > 0 ? entry : nil
  }

  /// A request of the key took long on a daemon's thread.
  mutating func suspect(_ key: String) {
    if entries[key] == nil, entries.count >= Self.maximumKeys { entries = entries.filter { $0.value.isBusy } }
    entries[key, default: Entry()].suspicion = Self.trustedAfter
  }

  /// Takes all jobs that wait.
  mutating func removeWaiting() -> [Job] {
    var jobs: [Job] = []
    for (key, entry) in entries {
      jobs += entry.tasks.map(\.job)
      entries[key]?.tasks = []
    }
    line = []
    waiting = 0
    return jobs
  }
}
