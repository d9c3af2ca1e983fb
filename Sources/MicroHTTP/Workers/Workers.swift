import CLibrary
internal import MirrorSupport
internal import Synchronization

/// Threads for handlers that may take long, so that event loops are never blocked by them.
///
/// The connection of such a request is suspended until its response is ready. Workers have a lower
/// priority than event loops.
///
/// ``Daemon`` asks for the ``Assignment`` of each request. A ``Job`` submits itself.
///
/// A handler on an event loop must not wait for a worker's lock on the same resource. So both
/// first write and then read, sequentially consistently. An event loop sets its
/// ``EventLoop/HandlerMark`` and then reads whether the key of its request is restricted. A worker
/// restricts its key, then reads all marks, and waits for the handlers that are running. Either the
/// event loop sees the restriction and delegates its request, or the worker sees the mark. The
/// worker waits at most ``slow`` for each mark, so only a longer handler can meet the lock.
final class Workers: Sendable {
  typealias Queue = WorkQueue<Job>

  /// Requests with longer bodies run on workers.
  static let longestShortBody = 16 << 10
  /// Any request with a body of this size is slow, so it does not make its key *suspected*; see
  /// ``WorkQueue``.
  static let largeBody = 1 << 20
  /// A handler that takes more processor time makes the key of its request suspected.
  static let slow = Duration.milliseconds(2)

  private struct State {
    var queue: Queue
    var isStopped = false
    /// The number of threads.
    var running = 0
    /// The number of these threads whose job is a ``WorkQueue/Task`` that `waits`.
    var waiting = 0
  }

  private let state: Guarded<State>
  /// ``WorkQueue/restrictedKeyCount``, readable without the lock.
  private let restricted = Atomic<Int>(0)
  private let count: Int
  /// The maximum number of threads that take the place of waiting ones.
  private static let mostReplacements = 64
  private let demand: @Sendable (HTTPRequest) -> RequestDemand
  private let waits: (@Sendable (String) -> Bool)?
  private let memory: @Sendable (HTTPRequest) -> Int

  /// - Parameters:
  ///   - count: the number of threads. ``WorkQueue`` bounds the memory of the jobs that run
  ///     together, so fewer may be busy.
  ///   - demand: decides which requests run on workers, by their head. Called once for consecutive
  ///     requests with the same head.
  ///   - waits: whether a request under a key would wait at present. Called on event loops, so it
  ///     must not block.
  ///   - memory: estimates the bytes of memory that a request takes while its handler runs. Called
  ///     on event loops, so it must not block.
  ///   - memoryAtOnce: the maximum memory of the jobs that run together, in bytes.
  init(
    count: Int, demand: @escaping @Sendable (HTTPRequest) -> RequestDemand, waits: (@Sendable (String) -> Bool)?,
    memory: @escaping @Sendable (HTTPRequest) -> Int, memoryAtOnce: Int
  ) {
    state = Guarded(State(queue: Queue(memoryAtOnce: memoryAtOnce)))
    self.count = count
    self.demand = demand
    self.waits = waits
    self.memory = memory
  }

  // MARK: - Called by event loops

  /// Where a request runs.
  enum Assignment {
    /// On the event loop, without a measurement, because the handler is always short.
    case light
    /// On the event loop, which measures its processor time.
    case here
    case worker
  }

  /// To be called within ``EventLoop/run(_:)``, which sets the mark before this reads `restricted`.
  func assignment(of request: HTTPRequest) -> Assignment {
    let isQuiet = restricted.load(ordering: .sequentiallyConsistent) == 0
    let isLong = request.body.count > Self.longestShortBody
    switch request.demand(by: demand) {
    case .light: return .light
    case .of(let key, let isHeavy):
      guard
        isHeavy || isLong || (!isQuiet && state.withLock { $0.queue.isRestricted(String(key)) })
          || waits?(String(key)) == true
      else { return .here }
      return .worker
    case .waiting: return .worker
    case .several:
      guard isLong || (!isQuiet && state.withLock { $0.queue.isBusy }) else { return .here }
      return .worker
    }
  }

  /// To be called when a handler was slow on an event loop.
  func noteSlow(_ request: HTTPRequest) {
    guard case .of(let key, _) = request.demand(by: demand) else { return }
    change { $0.queue.suspect(String(key)) }
  }

  /// - Returns: false when the workers have been stopped and will not run the job.
  func submit(_ job: Job) -> Bool {
    let request = job.request
    let demand = request.demand(by: demand)
    var task = Queue.Task(
      job: job, key: demand.key, memory: memory(request), isReading: job.isReading,
      hasLongBody: request.body.count >= Self.largeBody)
    if case .waiting = demand { task.waits = true } else { task.waits = job.waits }
    return change { state in
      if state.isStopped { return false }
      state.queue.add(task)
      return true
    }
  }

  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    state.change { state in
      let result = body(&state)
      restricted.store(state.queue.restrictedKeyCount, ordering: .sequentiallyConsistent)
      return result
    }
  }

  // MARK: - The threads

  /// - Returns: false when the system cannot create a thread.
  func start(beside loops: [EventLoop]) -> Bool {
    let marks = loops.map(\.mark)
    return (0..<count).allSatisfy { _ in startThread(beside: marks, if: { _ in true }) }
  }

  /// - Returns: false when the system cannot create a thread.
  private func startThread(beside marks: [EventLoop.HandlerMark], if condition: (State) -> Bool) -> Bool {
    let isNeeded = state.withLock { state in
      guard condition(state) else { return false }
      state.running += 1
      return true
    }
    guard isNeeded else { return true }
    guard let thread = WorkerThread({ [self] in run(beside: marks) }) else {
      state.change { $0.running -= 1 }
      return false
    }
    thread.detach()
    return true
  }

  private func run(beside marks: [EventLoop.HandlerMark]) {
    #if os(Linux)
      // On Linux, the priority of the calling thread alone.
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 3)
    #endif
    while let task = next() {
      for mark in marks { mark.waitForHandler(atMost: Self.slow) }
      if task.waits { letOthersRun(beside: marks) }
      let beginning = MonotonicTime.processorTime
      task.job.run()
      let wasSlow = beginning.duration(to: .processorTime) > Self.slow
      change { state in
        if task.waits { state.waiting -= 1 }
        state.queue.finish(task, wasSlow: wasSlow)
      }
    }
    // Wakes ``stop()``, which waits for the last thread.
    state.change { _ in }
  }

  /// Counts this thread as waiting and starts another one in its place, unless enough threads run.
  /// If the system cannot create a thread, other jobs wait as well.
  private func letOthersRun(beside marks: [EventLoop.HandlerMark]) {
    state.withLock { $0.waiting += 1 }
    _ = startThread(beside: marks) { state in
      !state.isStopped && state.running - state.waiting < count && state.running < count + Self.mostReplacements
    }
  }

  /// - Returns: `nil` when the thread is to end: the workers are stopped, or a thread that was
  ///   replaced no longer waits, so that there is one too many.
  private func next() -> Queue.Task? {
    while true {
      var task: Queue.Task?
      let isDone = state.wait(until: .now + .seconds(3600)) { state in
        if state.isStopped || state.running - state.waiting > count {
          state.running -= 1
          return true
        }
        task = state.queue.next()
        return task != nil
      }
      if isDone { return task }
    }
  }

  /// Responds to waiting requests with 503, and waits for running handlers. Afterwards no
  /// connection is suspended for a worker.
  func stop() {
    let waiting = change { state in
      state.isStopped = true
      return state.queue.removeWaiting()
    }
    for job in waiting { job.finish(HTTPError.stopping.response) }
    while !state.wait(until: .now + .seconds(60), for: { $0.running == 0 }) {}
  }
}

/// The resources that a request works on, which decide whether its handler runs on an event loop or
/// on a worker thread.
///
/// There is one event loop for each core. A long handler would block all connections of its event
/// loop, so it runs on ``Workers``. Requests that would have to wait for such a handler also run on
/// workers.
public enum RequestDemand: Sendable, Hashable {
  /// The handler is short and waits for no other request. It runs on the event loop.
  case light
  /// The request works on one resource. Requests of the same resource never run on two workers at
  /// the same time.
  ///
  /// - Parameter isHeavy: whether the handler takes long. A request with a long body always runs on
  ///   a worker.
  case of(_ resource: Substring, isHeavy: Bool)
  /// The request reads several resources, and waits for those that are busy. While workers have
  /// jobs, it runs on a worker, never at the same time as another request of the same `queue`.
  case several(queue: Substring)
  /// The handler waits for another program, such as a database. It runs on a worker, and another
  /// thread takes the place of that worker meanwhile. Requests of the same `queue` never run at the
  /// same time.
  case waiting(queue: Substring)

  /// The key of the workers' queue.
  var key: String {
    switch self {
    case .light: ""
    case .of(let key, _), .several(let key), .waiting(let key): String(key)
    }
  }
}
