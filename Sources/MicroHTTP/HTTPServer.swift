internal import MirrorSupport

/// An HTTP/1.1 server that passes every request to one handler. `liveview-mirror serve` runs one.
///
///     let signals = ShutdownSignal.Listener()
///     let server = HTTPServer(port: 4040, handler: router)
///     try server.start()
///     signals.wait()
///     server.stop()
///
/// libmicrohttpd runs one event loop for each core, and handlers run on these threads. A handler
/// that blocks also blocks the other connections of its event loop, so long handlers need `demand`,
/// which moves them to worker threads.
///
/// Some requests never reach the handler and get a problem response: ambiguous ones (two
/// `Content-Length`, `Transfer-Encoding` with `Content-Length`, two `Host`), targets that cannot be
/// decoded, bodies with a `Content-Encoding`, and bodies over the limit. The responses to refused
/// bodies pass the middleware.
public final class HTTPServer: Sendable {
  /// The address that the server listens on.
  public let address: String
  private let options: Daemon.Options
  /// Locked during a start and a stop, so that the two cannot overlap.
  private let daemon = Guarded<Daemon?>(nil)
  /// Separate from `daemon`: a handler may read ``connections`` while ``stop(grace:)`` holds that
  /// lock and waits for the handler.
  private let monitor = Guarded<ConnectionMonitor?>(nil)
  private let boundPort: Guarded<UInt16>

  /// - Parameters:
  ///   - address: an IPv4 or IPv6 address such as `127.0.0.1`, `::1` or `0.0.0.0`.
  ///   - port: 0 for a free port, which is then ``port``.
  ///   - maximumBodyBytes: the maximum length of a body. A longer one gets a 413.
  ///   - maximumBodyMemory: the maximum size of all bodies that are being received, in bytes; at
  ///     least `maximumBodyBytes`. A request that exceeds it gets a 503.
  ///   - maximumResponseMemory: the maximum size of all unread responses of 64 KiB and more, in
  ///     bytes. While it is exceeded, requests on worker threads get a 503.
  ///   - maximumWorkMemory: the maximum memory of the jobs that run together on worker threads, in
  ///     bytes.
  ///   - maximumConnections: the maximum number of open connections; by default 1,024, or
  ///     ``possibleConnections`` if that is less. From 7/8 of it on, idle connections are closed,
  ///     the longest idle first.
  ///   - maximumStreams: the maximum number of open streams; more than 3/4 of `maximumConnections`
  ///     has no effect. A request for one more gets a 503.
  ///   - timeLimits: how long a client may take.
  ///   - handler: makes the responses.
  ///   - middleware: encloses a handler by others that check requests and add headers. It encloses
  ///     `handler`, and also the refusal of a body, such as a 413. So the middleware's headers are
  ///     in that response, too, and a request that fails a check gets the response of the check.
  ///     Called at each start, and for each refusal.
  ///   - demand: decides which requests run on worker threads; without it, no request does. It must
  ///     depend on the head alone: it is called once for consecutive requests with the same head.
  ///   - waits: whether a request that is not heavy would wait at present, for example for a file,
  ///     so that it must not run on an event loop. Gets the key of its demand. Called on event
  ///     loops for each such request, so it must not block.
  ///   - memory: estimates the bytes of memory that a request takes while its handler runs.
  ///     Requests run together on worker threads while the sum of their estimates is at most
  ///     `maximumWorkMemory`; one with a higher estimate runs alone. Called on event loops, so it
  ///     must not block.
  ///   - onRequest: called for every request when its response is made, on an event loop.
  ///   - log: called on any thread with errors that no response describes.
  public init(
    address: String = "127.0.0.1", port: UInt16 = 0, maximumBodyBytes: Int = 16 << 20,
    maximumBodyMemory: Int = 32 << 20, maximumResponseMemory: Int = 32 << 20, maximumWorkMemory: Int = 48 << 20,
    maximumConnections: Int? = nil, maximumStreams: Int = 512, timeLimits: TimeLimits = TimeLimits(),
    handler: any HTTPHandler,
    middleware: @escaping @Sendable (any HTTPHandler) -> any HTTPHandler = { $0 },
    demand: (@Sendable (HTTPRequest) -> RequestDemand)? = nil,
    waits: (@Sendable (_ key: String) -> Bool)? = nil,
    memory: @escaping @Sendable (HTTPRequest) -> Int = { _ in 0 },
    onRequest: (@Sendable (RequestReport) -> Void)? = nil, log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.address = address
    let connections = max(2, maximumConnections ?? min(1_024, Self.possibleConnections))
    options = Daemon.Options(
      handler: handler, middleware: middleware, demand: demand, waits: waits, memory: memory,
      maximumWorkMemory: maximumWorkMemory, maximumBodyBytes: maximumBodyBytes,
      maximumBodyMemory: max(maximumBodyMemory, maximumBodyBytes), maximumResponseMemory: maximumResponseMemory,
      maximumConnections: connections, maximumStreams: min(maximumStreams, max(1, connections / 4 * 3)),
      time: timeLimits, onRequest: onRequest, log: log)
    boundPort = Guarded(port)
  }

  /// The port that the server listens on. If the system has chosen it (port 0), it stays the same
  /// when the server is stopped and started again.
  public var port: UInt16 { boundPort.current }

  /// The number of open connections.
  public var connections: Int { monitor.current?.connections ?? 0 }

  /// The number of open streams.
  public var streamCount: Int { monitor.current?.streamCount ?? 0 }

  /// Starts the server. When it returns, the server is listening.
  ///
  /// - Throws: ``HTTPServerError``
  public func start() throws(HTTPServerError) {
    try daemon.withLock { daemon throws(HTTPServerError) in
      guard daemon == nil else { throw .alreadyRunning }
      let socket = try ListeningSocket(address: address, port: port)
      daemon = try Daemon(socket: socket, options)
      let monitor = daemon?.monitor
      self.monitor.withLock { $0 = monitor }
      boundPort.withLock { $0 = socket.port }
    }
  }

  /// The maximum number of connections with which a server of this process can start: the hard
  /// limit of open descriptors, less those that the process needs itself.
  public static var possibleConnections: Int { DescriptorLimit.possibleConnections }

  /// Checks that a server could listen on an address and a port, for a program whose preparations
  /// take long before it starts its server. Another program may still take the port afterwards.
  ///
  /// - Throws: ``HTTPServerError``
  public static func checkAvailability(address: String, port: UInt16) throws(HTTPServerError) {
    try ListeningSocket(address: address, port: port).close()
  }

  /// Stops the server, and returns when the last response has been sent. No effect if the server is
  /// not running.
  ///
  /// Requests that have begun are completed. New ones on open connections get a 503 and
  /// `Connection: close`. A handler must not call this method, which waits for all handlers.
  ///
  /// - Parameter grace: how long the requests that have begun may take. After that they are cut
  ///   off, except for running handlers, for which the server always waits.
  /// - Returns: the number of requests that were cut off.
  @discardableResult
  public func stop(grace: Duration = .seconds(30)) -> Int {
    daemon.withLock { daemon in
      defer {
        daemon = nil
        monitor.withLock { $0 = nil }
      }
      return daemon?.stop(grace: grace) ?? 0
    }
  }

  deinit { stop(grace: .zero) }
}

/// How long a client may take.
///
/// Without limits, clients that send one byte per second, or read nothing, would keep connections
/// forever. A late request gets a 408, and its connection is closed. In the middle of a response
/// the connection is closed without a 408.
///
/// The limits are checked four times within the shortest of them, but at least once a second. A
/// client may exceed a limit by the time between two checks.
public struct TimeLimits: Sendable, Hashable {
  /// How long a connection may be idle between requests.
  public var idle: Duration
  /// From the first bytes of a request to the end of its headers.
  public var head: Duration
  /// From the end of the headers to the end of the body, plus the time that the received bytes take
  /// at ``bodyRate``.
  public var body: Duration
  /// The minimum rate at which a long body must arrive, in bytes per second.
  public var bodyRate: Int
  /// How long a client may read nothing while bytes of a response or stream wait for it.
  public var stalled: Duration

  /// - Parameters:
  ///   - idle: how long a connection may be idle between requests.
  ///   - head: from the first bytes of a request to the end of its headers.
  ///   - body: from the end of the headers to the end of the body, without the time that `bodyRate`
  ///     adds.
  ///   - bodyRate: the minimum rate of a long body, in bytes per second; at least 1.
  ///   - stalled: how long a client may read nothing while bytes wait for it.
  public init(
    idle: Duration = .seconds(60), head: Duration = .seconds(15), body: Duration = .seconds(30),
    bodyRate: Int = 16 << 10, stalled: Duration = .seconds(10)
  ) {
    self.idle = idle
    self.head = head
    self.body = body
    self.bodyRate = max(1, bodyRate)
    self.stalled = stalled
  }

  /// The time between two checks of the connections.
  var interval: Duration {
    min(.seconds(1), max(.milliseconds(5), min(idle, head, body, stalled) / 4))
  }
}

/// The result of one request, for logs and metrics.
public struct RequestReport: Sendable, Hashable {
  /// The method; `nil` if the request could not be parsed that far.
  public let method: HTTPMethod?
  /// The path as it was sent, percent-encoded. Without the query, which may contain secrets. `nil`
  /// if the request could not be parsed that far.
  public let path: String?
  /// The pattern of the route that made the response, such as `/views/{view}`; `nil` if no route
  /// did.
  public let route: String?
  /// The status of the response.
  public let status: HTTPStatus
  /// The time from the request's first line until its response was made. For a stream, until it
  /// began.
  public let duration: Duration
  /// The number of received bytes of the request's body.
  public let received: Int
  /// The length of the response's body; 0 for a stream.
  public let sent: Int

  /// A report with the given values.
  public init(
    method: HTTPMethod?, path: String?, route: String? = nil, status: HTTPStatus, duration: Duration, received: Int = 0,
    sent: Int = 0
  ) {
    self.method = method
    self.path = path
    self.route = route
    self.status = status
    self.duration = duration
    self.received = received
    self.sent = sent
  }
}

/// Why a server cannot start.
public enum HTTPServerError: Error, Sendable, Hashable {
  /// The text is not an IPv4 or IPv6 address. Names such as `localhost` are not resolved: the
  /// server listens only on the address that was given to it.
  case invalidAddress(String)
  /// Another program uses the port. `user` is its name and process, such as
  /// `beam.smp (process 4711)`; `nil` if the system does not report them.
  case addressInUse(address: String, port: UInt16, user: String?)
  /// The system rejects the address or port for another reason.
  case cannotListen(address: String, port: UInt16, reason: String)
  /// libmicrohttpd could not start. Its log has details.
  case cannotStart(reason: String)
  /// The process may not open enough file descriptors for the maximum number of connections.
  case tooFewDescriptors(connections: Int, limit: Int)
  /// The server has been started and not stopped.
  case alreadyRunning
}

extension HTTPServerError: CustomStringConvertible {
  /// A message for the user, without a full stop.
  public var description: String {
    switch self {
    case .invalidAddress(let address):
      "\u{201C}\(address)\u{201D} is not an IP address; expected an address such as 127.0.0.1, 0.0.0.0 or ::1"
    case .addressInUse(let address, let port, let user):
      "port \(port) on \(address) is already used by \(user ?? "another program")"
    case .cannotListen(let address, let port, let reason):
      "cannot listen on port \(port) of \(address): \(reason)"
    case .cannotStart(let reason):
      "the HTTP daemon cannot start: \(reason)"
    case .tooFewDescriptors(let connections, let limit):
      "\(connections) connections need more than the \(limit) descriptors that this process may open; allow fewer"
    case .alreadyRunning:
      "the server is already running"
    }
  }
}
