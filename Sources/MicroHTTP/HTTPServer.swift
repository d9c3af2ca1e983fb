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
  public let maximumBodyMemory: Int
  public let maximumAnswerMemory: Int
  public let maximumConnections: Int
  public let maximumStreams: Int
  public let timeLimits: TimeLimits
  private let handler: any HTTPHandler
  private let demand: (@Sendable (HTTPRequest) -> RequestDemand)?
  private let memory: @Sendable (HTTPRequest) -> Int
  private let log: @Sendable (String) -> Void
  private let onRequest: (@Sendable (RequestReport) -> Void)?
  /// Held while the server starts and while it stops, so that the two cannot overlap.
  private let daemon = Guarded<Daemon?>(nil)
  /// The daemon's, apart from it: a handler that is waited for may still ask.
  private let watch = Guarded<Watch?>(nil)
  private let boundPort: Guarded<UInt16>

  /// - Parameters:
  ///   - address: an IPv4 or IPv6 address such as `127.0.0.1`, `::1` or `0.0.0.0`.
  ///   - port: 0 takes a free one.
  ///   - maximumBodyBytes: the longest body that the handler sees. A client that sends more gets a 413.
  ///   - maximumBodyMemory: how many bytes all bodies on their way may take. What goes beyond gets a 503.
  ///   - maximumAnswerMemory: how many bytes the answers of 64 KiB and more that clients have not read yet may take, before requests
  ///     that run on threads of their own get a 503.
  ///   - maximumConnections: how many clients may be connected. When there are nearly so many, those that have no request
  ///     on its way are left, the idlest first.
  ///   - maximumStreams: how many answers may be streams at a time, fewer than `maximumConnections`. A client that asks
  ///     for one more gets a 503.
  ///   - timeLimits: how long a client may take.
  ///   - handler: what answers.
  ///   - demand: what a request may wait for, so that long ones run on threads of their own; without it all run on the daemon's
  ///     threads. It depends on nothing but the head: of requests of a connection with the same head one is asked about.
  ///   - memory: about how many bytes of memory a request takes while its handler runs. Those that run at a time on threads of
  ///     their own take at most 48 MiB together, or one takes more; the others wait. Asked on the daemon's threads, so it must
  ///     not wait for anything. Without it none is known to take any.
  ///   - onRequest: told of every request when its answer is made, on the daemon's threads.
  ///   - log: hears the errors that no client is told about, on any thread.
  public init(
    address: String = "127.0.0.1", port: UInt16 = 0, maximumBodyBytes: Int = 16 << 20,
    maximumBodyMemory: Int = 32 << 20, maximumAnswerMemory: Int = 32 << 20, maximumConnections: Int = 1_024,
    maximumStreams: Int = 512,
    timeLimits: TimeLimits = TimeLimits(), handler: any HTTPHandler,
    demand: (@Sendable (HTTPRequest) -> RequestDemand)? = nil,
    memory: @escaping @Sendable (HTTPRequest) -> Int = { _ in 0 },
    onRequest: (@Sendable (RequestReport) -> Void)? = nil, log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.address = address
    self.maximumBodyBytes = maximumBodyBytes
    self.maximumBodyMemory = max(maximumBodyMemory, maximumBodyBytes)
    self.maximumAnswerMemory = maximumAnswerMemory
    self.maximumConnections = max(2, maximumConnections)
    self.maximumStreams = min(maximumStreams, max(1, self.maximumConnections / 4 * 3))
    self.timeLimits = timeLimits
    self.handler = handler
    self.demand = demand
    self.memory = memory
    self.log = log
    self.onRequest = onRequest
    boundPort = Guarded(port)
  }

  /// The port that the server listens on, or is going to. A free one, once found, stays: a server that is stopped and
  /// started again is where it was.
  public var port: UInt16 { boundPort.withLock { $0 } }

  /// How many clients are connected.
  public var connections: Int { watch.withLock { $0 }?.connections ?? 0 }

  /// How many answers are streams at the moment.
  public var streams: Int { watch.withLock { $0 }?.streams ?? 0 }

  public func start() throws(HTTPServerError) {
    try daemon.withLock { daemon throws(HTTPServerError) in
      guard daemon == nil else { throw .alreadyRunning }
      let socket = try ListeningSocket(address: address, port: port)
      daemon = try Daemon(
        socket: socket,
        Daemon.Options(
          handler: handler, demand: demand, memory: memory,
          bodies: BodyLimits(accepted: maximumBodyBytes, budget: BodyBudget(limit: maximumBodyMemory)),
          answers: AnswerBudget(limit: maximumAnswerMemory),
          maximumConnections: maximumConnections, maximumStreams: maximumStreams, time: timeLimits,
          onRequest: onRequest, log: log))
      let watch = daemon?.watch
      self.watch.withLock { $0 = watch }
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
      defer {
        daemon = nil
        watch.withLock { $0 = nil }
      }
      return daemon?.stop(grace: grace) ?? 0
    }
  }

  deinit { stop(grace: .zero) }
}
