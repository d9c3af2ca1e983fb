/// How long a client may take.
///
/// Without them a client that sends a byte a second, or reads none, holds its connection for ever, and a few hundred of
/// these hold all there are. What is late gets a 408 where nothing of an answer has been sent, and the connection ends.
///
/// They are looked at a few times within the shortest of them, once a second at most: a client may have that much more.
public struct TimeLimits: Sendable, Hashable {
  /// How long a connection may be open without a request on its way.
  public var idle: Duration
  /// From the first bytes of a request to the end of its headers.
  public var head: Duration
  /// From the end of the headers to that of the body; longer for what comes at ``bodyRate``.
  public var body: Duration
  /// For so many bytes of a body a client has one second more.
  public var bodyRate: Int
  /// How long a client may take no byte of an answer, a stream too, while there are some for it.
  public var stalled: Duration
  /// How long an answer may wait, under load, until those to others that came with it are made. No limit for clients.
  public var round: Duration

  public init(
    idle: Duration = .seconds(60), head: Duration = .seconds(15), body: Duration = .seconds(30),
    bodyRate: Int = 16 << 10, stalled: Duration = .seconds(10), round: Duration = .microseconds(500)
  ) {
    self.idle = idle
    self.head = head
    self.body = body
    self.bodyRate = max(1, bodyRate)
    self.stalled = stalled
    self.round = round
  }

  /// How often the connections are looked at.
  var interval: Duration {
    min(.seconds(1), max(.milliseconds(5), min(idle, head, body, stalled) / 4))
  }
}
