#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One thread that looks after the connections of a daemon.
///
/// libmicrohttpd sends and receives; what it does not do is done here: to notice that a client of a stream has gone, to
/// send heartbeats, and to end the connections of clients that are too slow, or of no use when there are too many. It also
/// accepts, see ``Acceptor``.
///
/// The lock is taken when a connection comes and before its socket is closed, so under it a descriptor is what it was. No
/// stream's lock is taken under it, and no handler's code runs.
final class Watch: Sendable {
  struct State {
    var clients: [Int32: (client: Client, record: ClientRecord)] = [:]
    var lastClient: UInt64 = 0
    /// Connections that the daemon has been given and has not begun with.
    var arriving: Set<Int32> = []
    var streams: [UInt64: (stream: HTTPStream, descriptor: Int32)] = [:]
    var lastStream = HangupEvents.listener
    /// Whom to accept connections for; `nil` before and after.
    var acceptor: Acceptor?
    /// Whether connections wait because there are as many as may be.
    var isFull = false
    var isDraining = false
    var isStopped = false
  }

  let events: HangupEvents
  let limits: TimeLimits
  let maximumConnections: Int
  let maximumStreams: Int
  let state = Guarded(State())

  init(limits: TimeLimits, maximumConnections: Int, maximumStreams: Int) throws(HTTPServerError) {
    guard let events = HangupEvents() else { throw .cannotStart(reason: String(cString: strerror(errno))) }
    self.events = events
    self.limits = limits
    self.maximumConnections = maximumConnections
    self.maximumStreams = maximumStreams
  }

  /// The body of the thread.
  func run() {
    var nextLook = ContinuousClock.now
    var nextHeartbeat: ContinuousClock.Instant?
    while true {
      let isBusy = state.withLock { !$0.clients.isEmpty }
      let next = [isBusy ? nextLook : nil, nextHeartbeat].compactMap { $0 }.min()
      let gone = events.wait(atMost: next.map { ContinuousClock.now.duration(to: $0) })
      if state.withLock({ $0.isStopped }) { return }

      if gone.contains(HangupEvents.listener) { acceptPending() }
      closeStreams(gone)
      let now = ContinuousClock.now
      if now >= nextLook || isCrowded {
        look(at: now)
        nextLook = now.advanced(by: limits.interval)
      }
      acceptIfRoom()
      nextHeartbeat = sendHeartbeats(at: now)
    }
  }

  /// Ends the thread. Cuts off what streams are left: afterwards no connection is suspended, nor will be.
  func stop() {
    let streams = state.withLock { state in
      state.isDraining = true
      state.isStopped = true
      return state.streams.values.map(\.stream)
    }
    for stream in streams { stream.close(.gone) }
    events.interrupt()
  }
}
