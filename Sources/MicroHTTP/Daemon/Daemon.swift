internal import CMicrohttpd

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// libmicrohttpd's daemons, from their start to their end: one for each core, which take no connections by themselves.
///
/// Its threads call the functions of `Daemon+Callbacks.swift` with a pointer to a ``Lane``, and lanes and daemon hold each
/// other; so whoever holds it calls ``stop(grace:)`` before letting go, or it stays.
final class Daemon {
  /// What it is to do, and how much of it.
  struct Options {
    var handler: any HTTPHandler
    /// What a request may wait for; `nil` where the daemons' threads answer all of them.
    var demand: (@Sendable (HTTPRequest) -> RequestDemand)?
    /// About how many bytes of memory a request takes while it is handled.
    var memory: @Sendable (HTTPRequest) -> Int
    var bodies: BodyLimits
    var answers: AnswerBudget
    var maximumConnections: Int
    var maximumStreams: Int
    var time: TimeLimits
    var onRequest: (@Sendable (RequestReport) -> Void)?
    var log: @Sendable (String) -> Void
  }

  let handler: any HTTPHandler
  let limits: BodyLimits
  let answers: AnswerBudget
  let onRequest: (@Sendable (RequestReport) -> Void)?
  let log: @Sendable (String) -> Void
  let traffic = Traffic(lanes: Daemon.threads)
  let watch: Watch
  /// Where requests run that may take long.
  let workers: Workers?
  private let watchThread: WorkerThread
  private let socket: ListeningSocket
  private let logSink = UnsafeMutablePointer<shim_log>.allocate(capacity: 1)
  private var lanes: [Lane] = []

  /// What a connection may use of memory for its headers and its pieces of a body. More costs time for every request (the
  /// daemon clears it) and room for every idle connection.
  private static let connectionMemory = 16 << 10

  /// Takes the socket over, whatever happens.
  init(socket: ListeningSocket, _ settings: Options) throws(HTTPServerError) {
    do throws(HTTPServerError) {
      try DescriptorLimit.require(settings.maximumConnections)
      let watch = try Watch(
        limits: settings.time, maximumConnections: settings.maximumConnections,
        maximumStreams: settings.maximumStreams)
      guard let thread = WorkerThread({ watch.run() }) else { throw .cannotStart(reason: "there is no thread left") }
      self.watch = watch
      watchThread = thread
    } catch {
      socket.close()
      throw error
    }
    self.socket = socket
    handler = settings.handler
    workers = settings.demand.map { Workers(demand: $0, memory: settings.memory) }
    limits = settings.bodies
    answers = settings.answers
    onRequest = settings.onRequest
    log = settings.log

    logSink.initialize(to: shim_log(write: writeLog, context: Unmanaged.passUnretained(self).toOpaque()))
    for requests in traffic.lanes {
      let lane = Lane(daemon: self, requests: requests, limits: settings.time)
      lane.handle = start(lane, settings)
      guard lane.handle != nil else {
        let reason = String(cString: strerror(errno))
        endWatch()
        stopLanes()
        socket.close()
        throw .cannotStart(reason: reason)
      }
      lanes.append(lane)
    }
    if let workers, !workers.start(beside: lanes) {
      workers.stop()
      endWatch()
      stopLanes()
      socket.close()
      throw .cannotStart(reason: "there is no thread left")
    }
    watch.startAccepting(Acceptor(socket: socket, lanes: lanes))
  }

  private func start(_ lane: Lane, _ settings: Options) -> OpaquePointer? {
    let me = Unmanaged.passUnretained(lane).toOpaque()
    var options = [
      shim_log_option(logSink),
      Self.option(.CONNECTION_MEMORY_LIMIT, Self.connectionMemory),
      Self.option(.CONNECTION_LIMIT, settings.maximumConnections + 1),
      // No timeout of its own: the watch has them all.
      Self.option(.URI_LOG_CALLBACK, unsafeBitCast(beginRequest, to: Int.self), me),
      Self.option(.NOTIFY_COMPLETED, unsafeBitCast(completeRequest, to: Int.self), me),
      Self.option(.NOTIFY_CONNECTION, unsafeBitCast(noteConnection, to: Int.self), me),
      Self.option(.UNESCAPE_CALLBACK, unsafeBitCast(leaveEscapes, to: Int.self)),
      Self.option(.END, 0),
    ]
    let flags =
      MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ERROR_LOG.rawValue
      | MHD_USE_NO_LISTEN_SOCKET.rawValue
    return shim_start_daemon(UInt32(flags), answerRequest, me, &options)
  }

  deinit { logSink.deallocate() }

  private static func option(
    _ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil
  ) -> MHD_OptionItem {
    MHD_OptionItem(option: option, value: value, ptr_value: pointer)
  }

  /// One for every core, and a second one on a single core, so that a slow handler does not hold everybody up.
  private static var threads: Int { max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  // MARK: - Stopping

  /// Stops without losing a request that has begun, unless it takes longer than `grace`.
  ///
  /// - Returns: how many requests were cut off.
  func stop(grace: Duration) -> Int {
    if lanes.isEmpty { return 0 }
    let deadline = ContinuousClock.now.advanced(by: grace)

    traffic.drain()
    // Connections that wait in the backlog would be reset with the socket. They get the answer that all get from now on.
    watch.stopAccepting()
    watch.drain()
    settle(until: deadline)

    let cut = traffic.inFlight
    // Before the daemon is stopped, which must not find a suspended connection.
    workers?.stop()
    endWatch()
    stopLanes()
    socket.close()
    return cut
  }

  private func stopLanes() {
    for case let handle? in lanes.map(\.handle) { MHD_stop_daemon(handle) }
    lanes = []
  }

  private func endWatch() {
    watch.stop()
    watchThread.join()
  }

  /// Waits until nothing is in flight, and nothing that a client has sent lies unread.
  ///
  /// Between the reading of bytes and the beginning of their request the daemon knows of a request and this side does not;
  /// so it has to be quiet twice, a moment apart.
  private func settle(until deadline: ContinuousClock.Instant) {
    var last = -1
    while ContinuousClock.now < deadline {
      let begun = traffic.begun
      let hasUnread = watch.findUnread()
      guard traffic.waitForLull(until: min(deadline, .now + .milliseconds(100))) else { continue }
      if begun == last, !hasUnread { return }
      last = begun
      usleep(2_000)
    }
  }
}
