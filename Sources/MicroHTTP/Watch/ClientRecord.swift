/// What the watch remembers of a connection from look to look: a state machine that knows no clock and no socket.
///
/// The daemon does not say when it reads a byte of a request that is not complete, so a head that trickles looks like an
/// idle connection. The system counts what a socket has received: where that grows and no request begins, one has begun.
struct ClientRecord {
  enum Verdict: Equatable {
    case fine
    /// It has nothing more to send, and the daemon waits for more.
    case finished
    /// It was too slow with its request, and is told.
    case late
    /// The connection is of no more use.
    case useless
  }

  /// When it was accepted, counted.
  let number: UInt64
  /// Since when it is as it is, or since it last made progress.
  private(set) var since: ContinuousClock.Instant
  private var seen = Client.Progress()
  /// When it was accepted, nothing had been received.
  private var socket: SocketProgress? = SocketProgress()
  /// When the first bytes of a head that is not complete were noticed.
  private var headSince: ContinuousClock.Instant?

  init(number: UInt64, at now: ContinuousClock.Instant) {
    self.number = number
    since = now
  }

  /// Whether no request is on its way.
  var isIdle: Bool { seen.phase == .idle && headSince == nil }

  /// - Parameters:
  ///   - progress: what the daemon says.
  ///   - current: what the system says; asked for only if the daemon says nothing new.
  ///   - received: how many bytes of the body the daemon has read.
  ///   - hasUnsent: whether the daemon, or the stream, has bytes that it could not hand to the system.
  mutating func judge(
    _ progress: Client.Progress, received: Int, socket current: () -> SocketProgress?, hasUnsent: Bool,
    at now: ContinuousClock.Instant, limits: TimeLimits
  ) -> Verdict {
    if progress != seen {
      seen = progress
      headSince = nil
      since = now
      socket = current()
      return .fine
    }
    let age = since.duration(to: now)
    switch progress.phase {
    case .idle:
      let current = current()
      if current?.isClosed == true { return .finished }
      if let current, let socket, current.received != socket.received { headSince = headSince ?? now }
      socket = current
      if let headSince { return headSince.duration(to: now) > limits.head ? .late : .fine }
      return age > limits.idle ? .useless : .fine
    case .head:
      if current()?.isClosed == true { return .finished }
      return age > limits.head ? .late : .fine
    case .body:
      if current()?.isClosed == true { return .finished }
      let allowed = limits.body + .seconds(Double(received) / Double(limits.bodyRate))
      return age > allowed ? .late : .fine
    case .answering, .cutOff:
      return .fine
    case .sending, .streaming:
      guard let current = current() else {
        // How far an answer is, nobody says; of a stream, at least whether it is on its way.
        if !hasUnsent { since = now }
        return progress.phase == .streaming && age > limits.stalled ? .useless : .fine
      }
      if current.acknowledged != socket?.acknowledged || !(current.isPending || hasUnsent) { since = now }
      socket = current
      return since.duration(to: now) > limits.stalled ? .useless : .fine
    }
  }
}
