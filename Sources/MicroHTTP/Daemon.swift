internal import CMicrohttpd

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// libmicrohttpd's daemon, from its start to its end.
///
/// Its threads call the functions of `Daemon+Callbacks.swift`, which have a pointer to this object; so whoever holds it
/// calls ``stop(grace:)`` before letting go.
final class Daemon {
  let handler: any HTTPHandler
  let limits: BodyLimits
  let log: @Sendable (String) -> Void
  let traffic = Guarded(Traffic())
  let streams: StreamWatch
  private let streamThread: WorkerThread
  private let socket: ListeningSocket
  private let logSink = UnsafeMutablePointer<shim_log>.allocate(capacity: 1)
  private var handle: OpaquePointer?

  /// What a connection may use of memory for its headers and its pieces of a body. More costs time for every request (the
  /// daemon clears it) and room for every idle connection.
  private static let connectionMemory = 16 << 10

  /// After so many seconds of silence a connection is closed. Besides idle ones these are those whose client left in the
  /// middle of a request, which the daemon may not have noticed (see ``Traffic/findUnread()``).
  private static let idleSeconds = 60

  /// Takes the socket over, whatever happens.
  init(
    socket: ListeningSocket, handler: any HTTPHandler, limits: BodyLimits, maximumStreams: Int, patience: Duration,
    log: @escaping @Sendable (String) -> Void
  ) throws(HTTPServerError) {
    do throws(HTTPServerError) {
      let streams = try StreamWatch(maximum: maximumStreams, patience: patience)
      guard let thread = WorkerThread({ streams.run() }) else { throw .cannotStart(reason: "there is no thread left") }
      self.streams = streams
      streamThread = thread
    } catch {
      socket.close()
      throw error
    }
    self.socket = socket
    self.handler = handler
    self.limits = limits
    self.log = log

    let me = Unmanaged.passUnretained(self).toOpaque()
    logSink.initialize(to: shim_log(write: writeLog, context: me))
    var options = [
      shim_log_option(logSink),
      Self.option(.LISTEN_SOCKET, Int(socket.descriptor)),
      Self.option(.THREAD_POOL_SIZE, Self.threads),
      Self.option(.CONNECTION_MEMORY_LIMIT, Self.connectionMemory),
      Self.option(.CONNECTION_TIMEOUT, Self.idleSeconds),
      Self.option(.URI_LOG_CALLBACK, unsafeBitCast(beginRequest, to: Int.self), me),
      Self.option(.NOTIFY_COMPLETED, unsafeBitCast(completeRequest, to: Int.self), me),
      Self.option(.NOTIFY_CONNECTION, unsafeBitCast(noteConnection, to: Int.self), me),
      Self.option(.UNESCAPE_CALLBACK, unsafeBitCast(leaveEscapes, to: Int.self)),
      Self.option(.END, 0),
    ]
    let flags =
      MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ERROR_LOG.rawValue
      | (socket.isIPv6 ? MHD_USE_IPv6.rawValue : 0)
    handle = shim_start_daemon(UInt32(flags), answerRequest, me, &options)
    guard handle != nil else {
      let reason = String(cString: strerror(errno))
      socket.close()
      endStreams()
      throw .cannotStart(reason: reason)
    }
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
    guard let handle else { return 0 }
    let deadline = ContinuousClock.now.advanced(by: grace)

    traffic.change { $0.isDraining = true }
    _ = MHD_quiesce_daemon(handle)
    // Connections that wait in the backlog would be reset with the socket. They get the answer that all get from now on.
    socket.takePending { connection, address, length in
      traffic.change { $0.open(connection) }
      if MHD_add_connection(handle, connection, address, length) != .YES {
        traffic.change { $0.close(connection) }
      }
    }
    streams.drain()
    settle(until: deadline)

    let cut = traffic.withLock { $0.inFlight }
    // Before the daemon is stopped, which must not find a suspended connection.
    endStreams()
    MHD_stop_daemon(handle)
    socket.close()
    self.handle = nil
    return cut
  }

  private func endStreams() {
    streams.stop()
    streamThread.join()
  }

  /// Waits until nothing is in flight, and nothing that a client has sent lies unread.
  ///
  /// Between the reading of bytes and the beginning of their request the daemon knows of a request and this side does not;
  /// so it has to be quiet twice, a moment apart.
  private func settle(until deadline: ContinuousClock.Instant) {
    var last = -1
    while ContinuousClock.now < deadline {
      let (begun, hasUnread) = traffic.withLock { ($0.begun, $0.findUnread()) }
      let look = min(deadline, .now + .milliseconds(100))
      guard traffic.wait(until: look, for: { $0.inFlight == 0 }) else { continue }
      if begun == last, !hasUnread { return }
      last = begun
      usleep(2_000)
    }
  }
}
