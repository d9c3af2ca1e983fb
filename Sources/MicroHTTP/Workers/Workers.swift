internal import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The threads that run handlers which may take long, so that the daemon's threads always answer the others.
///
/// A connection whose request is here is suspended: its daemon does not look at it until the answer is there. Workers have
/// a lower priority than the daemon's threads, which have short work.
///
/// A request that runs on a daemon's thread must not wait for one that runs here. Both sides look after each other: a
/// thread of the daemon marks itself (``Lane/run(_:)``) and then asks whether its resource is watched; a worker's resource is watched
/// from before it runs, and the worker then waits until each thread has left the handler that it was in. With sequentially consistent
/// operations, one of them sees the other.
final class Workers: Sendable {
  typealias Queue = WorkQueue<Job>

  /// The number of threads. ``WorkQueue`` bounds the memory of the jobs that run together, so fewer may be busy.
  static let count = 6
  /// What is longer takes long by itself.
  static let longestShortBody = 16 << 10
  /// Bodies from this size on take long by themselves, whatever their view.
  static let largeBody = 1 << 20
  /// A handler that computes longer would delay the other connections of the daemon's thread.
  static let slow = Duration.milliseconds(2)

  private struct State {
    var queue = Queue()
    var isStopped = false
  }

  private let state = Guarded(State())
  /// ``WorkQueue/watchedKeys``, to be read without the lock.
  private let watched = Atomic<Int>(0)
  private let demand: @Sendable (HTTPRequest) -> RequestDemand
  private let memory: @Sendable (HTTPRequest) -> Int
  private let threads = Guarded<[WorkerThread]>([])

  /// - Parameters:
  ///   - demand: what a request may wait for, by its head: asked once for the requests of a connection that have the same head.
  ///   - memory: about how many bytes of memory a request takes while its handler runs; asked on the daemon's threads of the
  ///     requests that run on workers, so it must not wait.
  init(
    demand: @escaping @Sendable (HTTPRequest) -> RequestDemand, memory: @escaping @Sendable (HTTPRequest) -> Int
  ) {
    self.demand = demand
    self.memory = memory
  }

  // MARK: - The daemon's threads

  /// Where a request runs.
  enum Place {
    /// On the daemon's thread. Nothing depends on how long it takes.
    case light
    /// On the daemon's thread, which notes whether it takes long.
    case here
    case worker(key: String)
  }

  /// Asked by a thread of the daemon after it has marked itself as busy.
  func place(of request: HTTPRequest) -> Place {
    let isQuiet = watched.load(ordering: .sequentiallyConsistent) == 0
    let isLong = request.body.count > Self.longestShortBody
    switch request.demand(by: demand) {
    case .light: return .light
    case .of(let key, let isHeavy):
      guard isHeavy || isLong || (!isQuiet && state.withLock { $0.queue.isWatched(String(key)) }) else { return .here }
      return .worker(key: String(key))
    case .several(let queue):
      guard isLong || (!isQuiet && state.withLock { $0.queue.isBusy }) else { return .here }
      return .worker(key: String(queue))
    }
  }

  /// A handler took long on a daemon's thread.
  func noteSlow(_ request: HTTPRequest) {
    guard case .of(let key, _) = request.demand(by: demand) else { return }
    change { $0.queue.suspect(String(key)) }
  }

  /// - Returns: false when the workers have been stopped; then nothing will come of the job.
  func submit(_ job: Job, for request: HTTPRequest, key: String) -> Bool {
    let task = Queue.Task(
      job: job, key: key, memory: memory(request), isReading: job.isReading,
      hasLongBody: request.body.count >= Self.largeBody)
    return change { state in
      if state.isStopped { return false }
      state.queue.add(task)
      return true
    }
  }

  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    state.change { state in
      let result = body(&state)
      watched.store(state.queue.watchedKeys, ordering: .sequentiallyConsistent)
      return result
    }
  }

  // MARK: - The workers

  /// - Returns: false when the system has no thread left.
  func start(beside lanes: [Lane]) -> Bool {
    let marks = lanes.map(\.mark)
    return threads.withLock { threads in
      for _ in 0..<Self.count {
        guard let thread = WorkerThread({ [self] in run(beside: marks) }) else { return false }
        threads.append(thread)
      }
      return true
    }
  }

  private func run(beside lanes: [Lane.Mark]) {
    #if os(Linux)
      // Of this thread alone, on Linux.
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 3)
    #endif
    while let task = next() {
      for lane in lanes { lane.waitForHandler(atMost: Self.slow) }
      let beginning = Monotonic.processorTime
      task.job.run()
      let wasSlow = beginning.duration(to: .processorTime) > Self.slow
      change { $0.queue.finish(task, wasSlow: wasSlow) }
    }
  }

  /// - Returns: `nil` when the workers are stopped.
  private func next() -> Queue.Task? {
    while true {
      var task: Queue.Task?
      let isDone = state.wait(until: .now + .seconds(3600)) { state in
        if state.isStopped { return true }
        task = state.queue.next()
        return task != nil
      }
      if isDone { return task }
    }
  }

  /// Answers what waits with a 503, and waits for what runs. Afterwards no connection is suspended here, nor will be.
  func stop() {
    let waiting = change { state in
      state.isStopped = true
      return state.queue.removeWaiting()
    }
    for job in waiting { job.finish(HTTPError.stopping.response) }
    let threads = self.threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in threads { thread.join() }
  }
}
