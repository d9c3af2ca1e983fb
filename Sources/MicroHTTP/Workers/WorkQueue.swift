/// Decides which job runs next: a state machine without threads and clock. ``Workers`` has one,
/// under its lock. Each job that ``next()`` returns needs one call of ``finish(_:wasSlow:)``.
///
/// - A key names what a job works on, see ``RequestDemand``. Jobs of one key run one after the
///   other, so one key uses at most one worker. Changes run in order of arrival, and before waiting
///   reads.
/// - Keys take turns: after a job, its key moves to the end of the line, however many jobs it has.
/// - The estimated memory of all running jobs is at most ``memoryAtOnce``. A job with a higher
///   estimate runs without other large jobs. Jobs up to ``smallMemory`` are not counted and never
///   wait for a large job of another key. Large jobs start in the order of their keys in the line:
///   a large job never passes another large job.
///
/// A key with a slow request is *suspected*: its next requests run on workers too, until
/// ``trustedAfter`` changes in a row were fast. Reads, and changes with a long body, do not count.
struct WorkQueue<Job> {
  struct Task {
    let job: Job
    let key: String
    /// The estimated bytes of memory that the job takes while it runs.
    let memory: Int
    let isReading: Bool
    /// Whether the body is so long that its length alone can make the job slow.
    var hasLongBody = false
    /// Whether the job waits for another program, or blocks its worker until its response may be
    /// sent.
    var waits = false

    var isLarge: Bool { memory > WorkQueue.smallMemory }
  }

  private struct Entry {
    /// The waiting jobs: changes first, each kind in order of arrival.
    var tasks: [Task] = []
    var isRunning = false
    /// How many fast changes in a row the key still needs to be trusted.
    var suspicion = 0

    var isBusy: Bool { isRunning || !tasks.isEmpty }

    /// - Complexity: O(*waiting reads*) for a change.
    mutating func add(_ task: Task) {
      if task.isReading { return tasks.append(task) }
      let place = tasks.lastIndex { !$0.isReading }.map { $0 + 1 } ?? 0
      tasks.insert(task, at: place)
    }
  }

  /// In bytes.
  let memoryAtOnce: Int
  static var smallMemory: Int { 4 << 20 }
  static var trustedAfter: Int { 8 }
  /// At this number of keys, ``suspect(_:)`` first removes the keys without jobs.
  static var maximumKeys: Int { 1_024 }

  private var entries: [String: Entry] = [:]
  /// The keys that have waiting jobs and no running one, each once.
  private var line: [String] = []
  /// The estimated memory of the running large jobs.
  private var memoryRunning = 0
  private(set) var running = 0
  private(set) var waiting = 0

  init(memoryAtOnce: Int = 48 << 20) { self.memoryAtOnce = memoryAtOnce }

  /// The number of keys that are busy or suspected.
  var restrictedKeyCount: Int { entries.count }
  /// Whether any job runs or waits.
  var isBusy: Bool { running > 0 || waiting > 0 }

  /// Whether requests of the key must run on a worker.
  func isRestricted(_ key: String) -> Bool { entries[key] != nil }

  mutating func add(_ task: Task) {
    entries[task.key, default: Entry()].add(task)
    waiting += 1
    if entries[task.key].map({ !$0.isRunning && $0.tasks.count == 1 }) == true { line.append(task.key) }
  }

  /// The next job, counted as running from now on; `nil` when no job may start.
  ///
  /// - Complexity: O(*keys*).
  mutating func next() -> Task? {
    var isFull = false
    let place = line.firstIndex { key in
      guard let task = entries[key]?.tasks.first, task.isLarge else { return true }
      isFull = isFull || (memoryRunning > 0 && memoryRunning + task.memory > memoryAtOnce)
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

  /// Ends a job: its memory is free, the next job of its key may run, and the suspicion of the key
  /// changes. To be called once for each job that ``next()`` has returned.
  mutating func finish(_ task: Task, wasSlow: Bool) {
    running -= 1
    if task.isLarge { memoryRunning -= task.memory }
    guard var entry = entries[task.key] else { return }
    entry.isRunning = false
    // The time of a read, or of a long body, does not predict that of a short change.
    if !task.isReading, !task.hasLongBody {
      entry.suspicion = wasSlow ? Self.trustedAfter : max(0, entry.suspicion - 1)
    }
    if !entry.tasks.isEmpty { line.append(task.key) }
    entries[task.key] = entry.isBusy || entry.suspicion > 0 ? entry : nil
  }

  /// Marks a key as suspected, because a request of it was slow on an event loop.
  mutating func suspect(_ key: String) {
    if entries[key] == nil, entries.count >= Self.maximumKeys { entries = entries.filter { $0.value.isBusy } }
    entries[key, default: Entry()].suspicion = Self.trustedAfter
  }

  /// Removes and returns all waiting jobs.
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
