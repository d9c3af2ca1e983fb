import CLibrary
internal import CMicrohttpd
internal import MirrorSupport

/// Starts and stops libmicrohttpd's daemons: one event loop for each core. The ``Acceptor`` accepts
/// the connections for them. ``HTTPServer`` makes one `Daemon` at each start.
///
/// libmicrohttpd calls the functions of `Daemon+Callbacks.swift` with a pointer to an
/// ``EventLoop``. Daemon and event loops reference each other, so the owner must call
/// ``stop(grace:)``, or both leak.
final class Daemon {
  /// The options with which an ``HTTPServer`` is made.
  struct Options: Sendable {
    var handler: any HTTPHandler
    /// Encloses the handler, and the refusals of the server itself.
    var middleware: @Sendable (any HTTPHandler) -> any HTTPHandler
    /// Decides which requests run on workers; `nil` runs all handlers on the event loops.
    var demand: (@Sendable (HTTPRequest) -> RequestDemand)?
    /// Whether a request with this key (see ``RequestDemand``) would have to wait now, so that a
    /// worker should run it.
    var waits: (@Sendable (String) -> Bool)?
    /// Estimates the bytes of memory that a request takes while its handler runs.
    var memory: @Sendable (HTTPRequest) -> Int
    var maximumWorkMemory: Int
    var maximumBodyBytes: Int
    var maximumBodyMemory: Int
    var maximumResponseMemory: Int
    var maximumConnections: Int
    var maximumStreams: Int
    var time: TimeLimits
    var onRequest: (@Sendable (RequestReport) -> Void)?
    var log: @Sendable (String) -> Void
  }

  let options: Options
  /// The handler of the options, enclosed in their middleware.
  let handler: any HTTPHandler
  let limits: BodyLimits
  let responseBudget: ResponseBudget
  let requests: RequestCounter
  let monitor: ConnectionMonitor
  /// Runs the handlers that may take long.
  let workers: Workers?
  let deferredJobs = DeferredJobs()
  private let monitorThread: WorkerThread
  private let socket: ListeningSocket
  private let logSink = UnsafeMutablePointer<shim_log>.allocate(capacity: 1)
  private var loops: [EventLoop] = []

  /// libmicrohttpd's memory for a connection's headers and for a part of its body. Its size is
  /// small, because libmicrohttpd clears this memory for every request, and every idle connection
  /// keeps it. After the longest possible request head, a quarter of that length is left for the
  /// head of the response.
  private static let connectionMemory = RequestHead.longest / 4 * 5

  /// - Parameter socket: closed by the daemon, also when the start fails.
  init(socket: ListeningSocket, _ options: Options) throws(HTTPServerError) {
    do throws(HTTPServerError) {
      try DescriptorLimit.require(options.maximumConnections)
      let monitor = try ConnectionMonitor(
        limits: options.time, maximumConnections: options.maximumConnections,
        maximumStreams: options.maximumStreams)
      guard let thread = WorkerThread({ monitor.run() }) else {
        throw .cannotStart(reason: "the system cannot create another thread")
      }
      self.monitor = monitor
      monitorThread = thread
    } catch {
      socket.close()
      throw error
    }
    self.socket = socket
    self.options = options
    handler = options.middleware(options.handler)
    let threads = ThreadCount()
    requests = RequestCounter(shards: threads.loops)
    workers = options.demand.map {
      Workers(
        count: threads.workers, demand: $0, waits: options.waits, memory: options.memory,
        memoryAtOnce: options.maximumWorkMemory)
    }
    limits = BodyLimits(accepted: options.maximumBodyBytes, budget: BodyBudget(limit: options.maximumBodyMemory))
    responseBudget = ResponseBudget(limit: options.maximumResponseMemory)

    logSink.initialize(to: shim_log(write: writeLog, context: Unmanaged.passUnretained(self).toOpaque()))
    for shard in requests.shards {
      let loop = EventLoop(daemon: self, requests: shard)
      loop.handle = start(loop)
      guard loop.handle != nil else {
        let reason = SystemError.last.description
        endMonitor()
        stopLoops()
        socket.close()
        throw .cannotStart(reason: reason)
      }
      loops.append(loop)
    }
    if let workers, !workers.start(beside: loops) {
      workers.stop()
      endMonitor()
      stopLoops()
      socket.close()
      throw .cannotStart(reason: "the system cannot create another thread")
    }
    monitor.startAccepting(Acceptor(socket: socket, loops: loops))
    if threads.isReduced {
      options.log(
        "the system allows few threads (ulimit -u, ulimit -v): event loops \(threads.loops), workers \(threads.workers)"
      )
    }
  }

  private func start(_ loop: EventLoop) -> OpaquePointer? {
    let me = Unmanaged.passUnretained(loop).toOpaque()
    var settings = [
      shim_log_option(logSink),
      Self.option(.CONNECTION_MEMORY_LIMIT, Self.connectionMemory),
      Self.option(.CONNECTION_LIMIT, options.maximumConnections + 1),
      // No timeout option: the connection monitor enforces all time limits.
      Self.option(.URI_LOG_CALLBACK, unsafeBitCast(beginRequest, to: Int.self), me),
      Self.option(.NOTIFY_COMPLETED, unsafeBitCast(completeRequest, to: Int.self), me),
      Self.option(.NOTIFY_CONNECTION, unsafeBitCast(noteConnection, to: Int.self), me),
      Self.option(.UNESCAPE_CALLBACK, unsafeBitCast(leaveEscapes, to: Int.self)),
      Self.option(.END, 0),
    ]
    let flags =
      MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ERROR_LOG.rawValue
      | MHD_USE_NO_LISTEN_SOCKET.rawValue
    return shim_start_daemon(UInt32(flags), answerRequest, me, &settings)
  }

  deinit { logSink.deallocate() }

  private static func option(
    _ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil
  ) -> MHD_OptionItem {
    MHD_OptionItem(option: option, value: value, ptr_value: pointer)
  }

  // MARK: - Stopping

  /// Answers the requests that have begun, at most for `grace`, then stops.
  ///
  /// - Returns: how many requests were cut off because they took longer.
  func stop(grace: Duration) -> Int {
    if loops.isEmpty { return 0 }
    let deadline = ContinuousClock.now.advanced(by: grace)

    requests.drain()
    // Closing the socket would reset the connections in its backlog. Instead, these connections are
    // accepted and answered with 503.
    monitor.stopAccepting()
    monitor.drain()
    settle(until: deadline)

    let cut = requests.inFlight
    // First the workers and the deferred responses: libmicrohttpd aborts if a connection is still
    // suspended when it stops.
    workers?.stop()
    deferredJobs.close()
    endMonitor()
    stopLoops()
    socket.close()
    return cut
  }

  private func stopLoops() {
    for case let handle? in loops.map(\.handle) { MHD_stop_daemon(handle) }
    loops = []
  }

  private func endMonitor() {
    monitor.stop()
    monitorThread.join()
  }

  /// Waits until no request is in flight and no socket has unread bytes.
  ///
  /// After libmicrohttpd has read a request's bytes and before it calls `beginRequest`, no counter
  /// shows the request. So both conditions must hold twice, 2 ms apart, without a new request in
  /// between.
  private func settle(until deadline: ContinuousClock.Instant) {
    var last = -1
    while ContinuousClock.now < deadline {
      let begun = requests.begun
      let hasUnread = monitor.hasUnreadBytes()
      guard requests.waitUntilIdle(deadline: min(deadline, .now + .milliseconds(100))) else { continue }
      if begun == last, !hasUnread { return }
      last = begun
      usleep(2_000)
    }
  }
}

/// How many threads a daemon has of each kind. If the system allows too few threads, each kind has
/// at most a quarter of them, and at least one.
private struct ThreadCount {
  /// One event loop for each core, and two on a single core, so that a slow handler does not delay
  /// every connection.
  var loops = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  var workers = 6
  private(set) var isReduced = false
  /// The number of threads to leave for handlers that wait, and for the rest of the program.
  private static let others = 8

  init() {
    let possible = WorkerThread.possible(atMost: loops + workers + Self.others)
    guard possible < loops + workers + Self.others else { return }
    isReduced = true
    loops = min(loops, max(1, possible / 4))
    workers = min(workers, max(1, possible / 4))
  }
}
