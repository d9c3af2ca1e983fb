import CLibrary
internal import MirrorSupport
internal import Synchronization

/// One thread that supervises all connections. ``Daemon`` makes the monitor, and calls ``run()`` on
/// that thread.
///
/// libmicrohttpd receives requests and sends responses. The monitor does the rest: it accepts
/// connections (``Acceptor``), detects that a stream's client has disconnected, sends heartbeats,
/// sends bytes that a stream's pace has delayed, enforces ``TimeLimits``, and closes idle
/// connections when there are too many.
///
/// The lock of ``state`` is taken by ``add(_:)`` when a connection begins, and by ``remove(_:)``
/// before its socket is closed. So a descriptor cannot be reused by another connection while the
/// lock is held. A thread that holds this lock takes no stream's lock and runs no handler.
final class ConnectionMonitor: Sendable {
  struct State {
    var clients: [Int32: (client: Client, record: ClientRecord)] = [:]
    var lastClient: UInt64 = 0
    /// Connections that were handed to libmicrohttpd, before it reports their beginning.
    var arriving: Set<Int32> = []
    var streams: [UInt64: (stream: HTTPStream, descriptor: Int32)] = [:]
    /// The number of the last stream. The id of the listening socket precedes those of all streams.
    var lastStream = HangupEvents.listener
    /// `nil` before the monitor accepts, and after it has stopped accepting.
    var acceptor: Acceptor?
    /// Whether accepting pauses because the maximum of connections or descriptors is reached.
    var isFull = false
    var isDraining = false
    var isStopped = false
  }

  let events: HangupEvents
  let limits: TimeLimits
  let maximumConnections: Int
  let maximumStreams: Int
  let state = Guarded(State())
  /// The number of streams that were closed without the end of their body, and that libmicrohttpd
  /// has not logged yet.
  let cutOffs = Atomic<Int>(0)

  init(limits: TimeLimits, maximumConnections: Int, maximumStreams: Int) throws(HTTPServerError) {
    guard let events = HangupEvents() else { throw .cannotStart(reason: SystemError.last.description) }
    self.events = events
    self.limits = limits
    self.maximumConnections = maximumConnections
    self.maximumStreams = maximumStreams
  }

  /// The loop of the monitor's thread.
  func run() {
    var nextCheck = ContinuousClock.now
    var nextBytes: ContinuousClock.Instant?
    while true {
      let isBusy = state.withLock { !$0.clients.isEmpty }
      let next = [isBusy ? nextCheck : nil, nextBytes].compactMap { $0 }.min()
      let ready = events.wait(atMost: next.map { ContinuousClock.now.duration(to: $0) })
      if state.withLock({ $0.isStopped }) { return }

      if ready.contains(HangupEvents.listener) { acceptPending() }
      closeStreams(ready)
      let now = ContinuousClock.now
      if now >= nextCheck || isCrowded {
        checkClients(at: now)
        nextCheck = now.advanced(by: limits.interval)
      }
      acceptIfRoom()
      nextBytes = sendDue(at: now)
    }
  }

  /// Ends the thread and closes the remaining streams. Afterwards no stream suspends a connection.
  func stop() {
    let streams = state.withLock { state in
      state.isDraining = true
      state.isStopped = true
      return state.streams.values.map(\.stream)
    }
    for stream in streams { stream.close(.disconnected) }
    events.interrupt()
  }
}

extension ConnectionMonitor {
  /// Supervises a stream until ``remove(stream:)``.
  ///
  /// - Returns: the stream's number; `nil` when the maximum of streams is reached or the monitor
  ///   has stopped.
  func add(_ stream: HTTPStream, on descriptor: Int32) -> UInt64? {
    let (id, isDraining) = state.withLock { state -> (UInt64?, Bool) in
      guard state.streams.count < maximumStreams, !state.isStopped else { return (nil, true) }
      state.lastStream += 1
      state.streams[state.lastStream] = (stream, descriptor)
      return (state.lastStream, state.isDraining)
    }
    if id != nil, isDraining { stream.end() }
    return id
  }

  /// Begins to watch for the disconnection of the stream's client, and wakes the monitor's thread,
  /// which then sends the bytes that are due.
  func observe(_ descriptor: Int32, stream id: UInt64) {
    _ = events.add(descriptor, id: id)
    events.interrupt()
  }

  /// Ends the supervision of a stream. To be called before its socket is closed or used for another
  /// response.
  func remove(stream id: UInt64) {
    let descriptor = state.withLock { $0.streams.removeValue(forKey: id)?.descriptor }
    if let descriptor { events.remove(descriptor) }
  }

  var streamCount: Int { state.withLock { $0.streams.count } }

  /// Ends all streams, also each one that begins after this call. Bytes in their queues are still
  /// sent.
  func drain() {
    let streams = state.withLock { state in
      state.isDraining = true
      return state.streams.values.map(\.stream)
    }
    for stream in streams { stream.end() }
  }

  /// Closes the streams whose clients have disconnected.
  func closeStreams(_ ids: [UInt64]) {
    if ids.isEmpty { return }
    let streams = state.withLock { state in ids.compactMap { state.streams[$0]?.stream } }
    for stream in streams { stream.close(.disconnected) }
  }

  /// - Returns: when the next bytes of a stream are due.
  func sendDue(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    let streams = state.withLock { $0.streams.values.map(\.stream) }
    return streams.compactMap { $0.sendDue(at: now) }.min()
  }
}
