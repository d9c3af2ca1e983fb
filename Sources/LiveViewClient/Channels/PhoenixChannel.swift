/// One channel of a socket, with the state of a `Channel` of phoenix.js. ``ChannelSocket`` keeps
/// it. A push without an answer is in ``buffered`` until it is sent, and then in ``awaited``.
struct PhoenixChannel: Sendable {
  enum State: Sendable {
    case closed
    /// The join was refused or has timed out, the server has crashed, or the connection was lost.
    /// The channel joins again.
    case errored
    case joined
    case joining
    case leaving
  }

  /// A push of the channel that the server answers.
  struct Push: Sendable {
    /// The number by which the owner of the channel knows the push.
    var token: Int
    var event: String
    var payload: String
    var timeout: Duration
  }

  /// The frame that a reply answers.
  enum Awaited: Sendable {
    case join
    case leave
    case push(token: Int)
  }

  /// The number of the channel in its socket. Two channels may have the same topic: one that is
  /// being left, and its successor.
  let id: Int
  let topic: String
  var state = State.closed
  /// The ref of the last join; `nil` before the first join, and if a timeout, a crash or a lost
  /// connection came before the answer to the last join.
  var joinRef: String?
  /// The refs whose replies have not arrived.
  var awaited: [String: Awaited] = [:]
  /// The pushes that wait for the join.
  var buffered: [Push] = []
  /// The joins that have failed since the last successful one.
  var failedJoins = 0

  init(id: Int, topic: String) {
    self.id = id
    self.topic = topic
  }

  /// Whether the channel accepts a message. A message with another `join_ref` belongs to an earlier
  /// join and is dropped.
  func accepts(_ message: ChannelMessage) -> Bool {
    message.topic == topic && (message.joinRef == nil || message.joinRef == joinRef)
  }
}
