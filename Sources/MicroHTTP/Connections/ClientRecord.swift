internal import CMicrohttpd

/// The monitor's record of a connection, kept from one check to the next: a state machine without
/// clock and socket.
///
/// libmicrohttpd has no callback for the first bytes of a request, so a client that sends its head
/// byte by byte looks idle. The system counts the bytes that a socket has received: when the count
/// grows and no request begins, a head has begun.
///
/// ``ConnectionMonitor/checkClients(at:)`` calls `judge` at each check, under the monitor's lock,
/// and acts on the ``Verdict``.
struct ClientRecord {
  enum Verdict: Equatable {
    case healthy
    /// The client has closed its side, but libmicrohttpd still waits for bytes of a request.
    case finished
    /// The request took too long to arrive: respond with 408.
    case late
    /// Idle for too long, or the client reads nothing: close without a response.
    case expired
  }

  /// The connection's number in the order of acceptance.
  let number: UInt64
  /// The time of the last progress.
  private(set) var since: ContinuousClock.Instant
  private var seen = Client.Progress()
  /// The socket's counters at the last check. Zero when the connection was accepted.
  private var socket: SocketProgress? = SocketProgress()
  /// When the first bytes of an incomplete head were detected.
  private var headSince: ContinuousClock.Instant?

  init(number: UInt64, at now: ContinuousClock.Instant) {
    self.number = number
    since = now
  }

  /// Whether no request has begun.
  var isIdle: Bool { seen.phase == .idle && headSince == nil }

  /// Compares the connection with the last check, and records its present state for the next one.
  ///
  /// - Parameters:
  ///   - progress: published by the event loop.
  ///   - received: how many bytes of the body have been read.
  ///   - current: reads the socket's counters, a system call. Not called if `progress` is unchanged
  ///     and its phase is `answering` or `cutOff`.
  ///   - hasUnsent: whether bytes of the response wait for room in the socket's buffer.
  mutating func judge(
    _ progress: Client.Progress, received: Int, socket current: () -> SocketProgress?, hasUnsent: Bool,
    at now: ContinuousClock.Instant, limits: TimeLimits
  ) -> Verdict {
    if progress != seen {
      seen = progress
      headSince = nil
      since = now
      socket = current()
      return .healthy
    }
    let age = since.duration(to: now)
    switch progress.phase {
    case .idle:
      let current = current()
      if current?.isClosed == true { return .finished }
      if let current, let socket, current.received != socket.received { headSince = headSince ?? now }
      socket = current
      if let headSince { return headSince.duration(to: now) > limits.head ? .late : .healthy }
      return age > limits.idle ? .expired : .healthy
    case .head:
      if current()?.isClosed == true { return .finished }
      return age > limits.head ? .late : .healthy
    case .body:
      if current()?.isClosed == true { return .finished }
      let allowed = limits.body + .seconds(Double(received) / Double(limits.bodyRate))
      return age > allowed ? .late : .healthy
    case .answering, .cutOff:
      return .healthy
    case .sending, .streaming:
      guard let current = current() else {
        // Without counters, the progress of a response is unknown, so a response that is not a
        // stream never expires. A stream at least reports whether it has unsent bytes.
        if !hasUnsent { since = now }
        return progress.phase == .streaming && since.duration(to: now) > limits.stalled ? .expired : .healthy
      }
      if current.acknowledged != socket?.acknowledged || !(current.isPending || hasUnsent) { since = now }
      socket = current
      return since.duration(to: now) > limits.stalled ? .expired : .healthy
    }
  }
}

/// The system's counters of a socket. ``ClientRecord`` compares them from check to check.
struct SocketProgress: Hashable {
  /// Bytes that have arrived, including those that this process has not read.
  var received: UInt64
  /// Bytes that the client's system has acknowledged.
  var acknowledged: UInt64
  /// Whether some sent bytes are not acknowledged.
  var isPending: Bool
  /// Whether the client has closed the connection or its writing side.
  var isClosed: Bool

  init(received: UInt64 = 0, acknowledged: UInt64 = 0, isPending: Bool = false, isClosed: Bool = false) {
    self.isClosed = isClosed
    self.received = received
    self.acknowledged = acknowledged
    self.isPending = isPending
  }

  /// `nil` if the system has no such counters or cannot read them.
  init?(of descriptor: Int32) {
    var progress = shim_socket_progress()
    guard shim_socket_progress(descriptor, &progress) != 0 else { return nil }
    self.init(
      received: progress.received, acknowledged: progress.acknowledged, isPending: progress.is_pending != 0,
      isClosed: progress.is_closed != 0)
  }
}
