/// How long a client may take.
///
/// Without limits, clients that send one byte per second, or read nothing, would keep connections forever. A late request gets
/// a 408, and its connection is closed. In the middle of a response the connection is closed without a 408.
///
/// The limits are checked four times within the shortest of them, but at least once a second. A client may exceed a limit by
/// the time between two checks.
public struct TimeLimits: Sendable, Hashable {
  /// How long a connection may be idle between requests.
  public var idle: Duration
  /// From the first bytes of a request to the end of its headers.
  public var head: Duration
  /// From the end of the headers to the end of the body, plus the time that the received bytes take at ``bodyRate``.
  public var body: Duration
  /// The minimum rate at which a long body must arrive, in bytes per second.
  public var bodyRate: Int
  /// How long a client may read nothing while bytes of a response or stream wait for it.
  public var stalled: Duration

  /// - Parameters:
  ///   - idle: how long a connection may be idle between requests.
  ///   - head: from the first bytes of a request to the end of its headers.
  ///   - body: from the end of the headers to the end of the body, without the time that `bodyRate` adds.
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
