internal import MirrorSupport

/// An HTTP/1.1 server that passes every request to one handler.
///
///     let signals = ShutdownSignal.Listener()
///     let server = HTTPServer(port: 4040, handler: router)
///     try server.start()
///     signals.wait()
///     server.stop()
///
/// libmicrohttpd runs one event loop for each core, and handlers run on these threads. A handler that blocks also blocks the
/// other connections of its event loop, so long handlers need `demand`, which moves them to worker threads.
///
/// Some requests never reach the handler and get a problem response: ambiguous ones (two `Content-Length`, `Transfer-Encoding`
/// with `Content-Length`, two `Host`), targets that cannot be decoded, bodies with a `Content-Encoding`, and bodies over the
/// limit. The responses to refused bodies pass the middleware.
public final class HTTPServer: Sendable {
  /// The address that the server listens on.
  public let address: String
  private let options: Daemon.Options
  /// Locked during a start and a stop, so that the two cannot overlap.
  private let daemon = Guarded<Daemon?>(nil)
  /// Separate from `daemon`: a handler may read ``connections`` while ``stop(grace:)`` holds that lock and waits for the
  /// handler.
  private let monitor = Guarded<ConnectionMonitor?>(nil)
  private let boundPort: Guarded<UInt16>

  /// - Parameters:
  ///   - address: an IPv4 or IPv6 address such as `127.0.0.1`, `::1` or `0.0.0.0`.
  ///   - port: 0 for a free port, which is then ``port``.
  ///   - maximumBodyBytes: the maximum length of a body. A longer one gets a 413.
  ///   - maximumBodyMemory: the maximum size of all bodies that are being received, in bytes; at least `maximumBodyBytes`. A
  ///     request that exceeds it gets a 503.
  ///   - maximumResponseMemory: the maximum size of all unread responses of 64 KiB and more, in bytes. While it is exceeded,
  ///     requests on worker threads get a 503.
  ///   - maximumWorkMemory: the maximum memory of the jobs that run together on worker threads, in bytes.
  ///   - maximumConnections: the maximum number of open connections; by default 1,024, or ``possibleConnections`` if that is less.
  ///     From 7/8 of it on, idle connections are closed, the longest idle first.
  ///   - maximumStreams: the maximum number of open streams; more than 3/4 of `maximumConnections` has no effect. A request for
  ///     one more gets a 503.
  ///   - timeLimits: how long a client may take.
  ///   - handler: makes the responses.
  ///   - middleware: encloses a handler by others that check requests and add headers. It encloses `handler`, and also the
  ///     refusal of a body, such as a 413. So the middleware's headers are in that response, too, and a request that fails a
  ///     check gets the response of the check. Called at each start, and for each refusal.
  ///   - demand: decides which requests run on worker threads; without it, none. It must depend on the head alone: it is called
  ///     once for consecutive requests with the same head.
  ///   - waits: whether a request that is not heavy would wait at present, for example for a file, so that it must not run on an event
  ///     loop. Gets the key of its demand. Called on event loops for each such request, so it must not block.
  ///   - memory: estimates the bytes of memory that a request takes while its handler runs. Requests run together on worker
  ///     threads while the sum of their estimates is at most `maximumWorkMemory`; one with a higher estimate runs alone. Called on event
  ///     loops, so it must not block.
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

  /// The port that the server listens on. A free port stays the same when the server is stopped and started again.
  public var port: UInt16 { boundPort.current }

  /// The number of open connections.
  public var connections: Int { monitor.current?.connections ?? 0 }

  /// The number of open streams.
  public var streams: Int { monitor.current?.streams ?? 0 }

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

  /// The maximum number of connections with which a server of this process can start: the hard limit of open descriptors, less those that
  /// the process needs itself.
  public static var possibleConnections: Int { DescriptorLimit.possibleConnections }

  /// Checks that a server could listen on an address and a port, for a program that prepares for long before it starts its server.
  /// Another program may still take the port afterwards.
  ///
  /// - Throws: ``HTTPServerError``
  public static func checkAvailability(address: String, port: UInt16) throws(HTTPServerError) {
    try ListeningSocket(address: address, port: port).close()
  }

  /// Stops the server, and returns when the last response has been sent. No effect if the server is not running.
  ///
  /// Requests that have begun are completed. New ones on open connections get a 503 and `Connection: close`. A handler must not
  /// call this method, which waits for all handlers.
  ///
  /// - Parameter grace: how long the requests that have begun may take. After that they are cut off, except for running
  ///   handlers, for which the server always waits.
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
