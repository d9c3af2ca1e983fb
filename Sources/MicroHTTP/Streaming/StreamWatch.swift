#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The streams of a daemon, and one thread that looks after them: it closes those whose client has gone, sends their
/// heartbeats, and cuts off the clients that take nothing.
///
/// Its lock is never held while a stream's is taken.
final class StreamWatch: Sendable {
  private struct State {
    var streams: [UInt64: HTTPStream] = [:]
    var lastID: UInt64 = 0
    var isDraining = false
    var isStopped = false
  }

  private let events: HangupEvents
  private let maximum: Int
  private let patience: Duration
  private let state = Guarded(State())

  /// - Parameters:
  ///   - maximum: how many streams there may be at once.
  ///   - patience: how long a client may take nothing of what waits for it.
  init(maximum: Int, patience: Duration) throws(HTTPServerError) {
    guard let events = HangupEvents() else { throw .cannotStart(reason: String(cString: strerror(errno))) }
    self.events = events
    self.maximum = maximum
    self.patience = patience
  }

  /// Looks after a stream until ``remove(_:)``.
  ///
  /// - Returns: its number, or `nil` when there are as many as may be.
  func add(_ stream: HTTPStream) -> UInt64? {
    let (id, isDraining) = state.withLock { state -> (UInt64?, Bool) in
      guard state.streams.count < maximum, !state.isStopped else { return (nil, true) }
      state.lastID += 1
      state.streams[state.lastID] = stream
      return (state.lastID, state.isDraining)
    }
    if isDraining { stream.end() }
    return id
  }

  /// Watches the socket that the stream goes out on, and the time.
  func watch(_ descriptor: Int32, id: UInt64) {
    _ = events.add(descriptor, id: id)
    events.interrupt()
  }

  /// Before the socket is closed.
  func remove(_ id: UInt64, descriptor: Int32) {
    events.remove(descriptor)
    state.change { $0.streams[id] = nil }
  }

  /// How many streams there are.
  var count: Int { state.withLock { $0.streams.count } }

  /// Ends every stream, also those that begin from now on. What waits is still sent.
  func drain() {
    let streams = state.withLock { state in
      state.isDraining = true
      return Array(state.streams.values)
    }
    for stream in streams { stream.end() }
  }

  /// Cuts off what is left, and ends the thread. Afterwards no connection is suspended, nor will be.
  func stop() {
    let streams = state.withLock { state in
      state.isDraining = true
      state.isStopped = true
      return Array(state.streams.values)
    }
    for stream in streams { stream.close(HTTPStream.Closure.gone) }
    events.interrupt()
  }

  // MARK: - The thread

  /// The body of the thread.
  func run() {
    var next: ContinuousClock.Instant?
    while true {
      let gone = events.wait(atMost: next.map { ContinuousClock.now.duration(to: $0) })
      let (streams, lost, isStopped) = state.withLock { state in
        (Array(state.streams.values), gone.compactMap { state.streams[$0] }, state.isStopped)
      }
      if isStopped { return }
      for stream in lost { stream.close(.gone) }
      let now = ContinuousClock.now
      next = streams.compactMap { $0.look(at: now, patience: patience) }.min()
    }
  }
}
