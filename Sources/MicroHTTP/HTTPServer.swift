/// A server that gives every request to one handler.
///
///     let server = HTTPServer(port: 4040, handler: router)
///     try server.start()
///     ShutdownSignal.wait()
///     server.stop()
///
/// libmicrohttpd reads and writes with one thread for every core, and the handler runs on these threads. So it answers at
/// once or takes a lock; while it waits for anything else, the other connections of its thread wait too.
///
/// What does not reach the handler: requests that could be read in two ways (two `Content-Length`, `Transfer-Encoding` and
/// `Content-Length`, two `Host`), targets that do not decode, bodies with a `Content-Encoding` and bodies over the limit.
/// Each gets its problem.
public final class HTTPServer: Sendable {
  public let address: String
  public let maximumBodyBytes: Int
  public let maximumStreams: Int
  private let patience: Duration
  private let handler: any HTTPHandler
  private let log: @Sendable (String) -> Void
  private let onRequest: (@Sendable (RequestReport) -> Void)?
  /// Held while the server starts and while it stops, so that the two cannot overlap.
  private let daemon = Guarded<Daemon?>(nil)
  private let boundPort: Guarded<UInt16>

  /// - Parameters:
  ///   - address: an IPv4 or IPv6 address such as `127.0.0.1`, `::1` or `0.0.0.0`.
  ///   - port: 0 takes a free one.
  ///   - maximumBodyBytes: the longest body that the handler sees. A client that sends more gets a 413.
  ///   - maximumStreams: how many answers may be streams at a time. A client that asks for one more gets a 503.
  ///   - patience: how long a client may take nothing of a stream while something waits for it; then it is cut off.
  ///   - handler: what answers.
  ///   - onRequest: told of every request when its answer is made, on the daemon's threads.
  ///   - log: hears the errors that no client is told about, on any thread.
  public init(
    address: String = "127.0.0.1", port: UInt16 = 0, maximumBodyBytes: Int = 16 << 20, maximumStreams: Int = 512,
    patience: Duration = .seconds(10), handler: any HTTPHandler,
    onRequest: (@Sendable (RequestReport) -> Void)? = nil, log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.address = address
    self.maximumBodyBytes = maximumBodyBytes
    self.maximumStreams = maximumStreams
    self.patience = patience
    self.handler = handler
    self.log = log
    self.onRequest = onRequest
    boundPort = Guarded(port)
  }

  /// The port that the server listens on, or is going to. A free one, once found, stays: a server that is stopped and
  /// started again is where it was.
  public var port: UInt16 { boundPort.withLock { $0 } }

  public func start() throws(HTTPServerError) {
    try daemon.withLock { daemon throws(HTTPServerError) in
      guard daemon == nil else { throw .alreadyRunning }
      let socket = try ListeningSocket(address: address, port: port)
      daemon = try Daemon(
        socket: socket, handler: handler, limits: BodyLimits(accepted: maximumBodyBytes),
        maximumStreams: maximumStreams, patience: patience, log: log)
      boundPort.withLock { $0 = socket.port }
    }
  }

  /// Stops, and returns when the last answer has been sent. Does nothing when the server does not run.
  ///
  /// Requests that have begun are finished. Those that begin meanwhile, on connections that were open, get a 503 and
  /// `Connection: close`. Must not be called by the handler, which it waits for.
  ///
  /// - Parameter grace: how long requests may take that have begun; what is not finished then is cut off. A handler that
  ///   is still running is waited for in any case.
  /// - Returns: how many requests were cut off.
  @discardableResult
  public func stop(grace: Duration = .seconds(30)) -> Int {
    daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon?.stop(grace: grace) ?? 0
    }
  }

  deinit { stop(grace: .zero) }
}
