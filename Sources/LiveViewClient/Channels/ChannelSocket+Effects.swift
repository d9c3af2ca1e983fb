/// The outputs of a socket: effects, some of which are notices. ``PageSession`` takes them and
/// carries them out in their order.
extension ChannelSocket {
  /// A step that the owner carries out.
  enum Effect: Sendable {
    case connect
    case disconnect
    /// Send a join. Its payload is made when the effect is carried out.
    case sendJoin(channel: Int, ref: String)
    /// Send a frame: at once if the socket is open, otherwise when it opens.
    case send(String)
    case start(Timer, Duration)
    case cancel(Timer)
    case notice(Notice)
  }

  enum Timer: Hashable, Sendable {
    case heartbeat
    case heartbeatTimeout
    case reconnect
    case rejoin(channel: Int)
    case reply(channel: Int, ref: String)
  }

  /// An event of a channel or of the socket.
  enum Notice: Sendable {
    case joined(channel: Int, response: JSONSlice)
    case refused(channel: Int, response: JSONSlice)
    case joinTimedOut(channel: Int)
    /// `phx_error`, or the connection was lost.
    case errored(channel: Int)
    /// - Parameter isLeft: whether the client left the channel.
    case closed(channel: Int, isLeft: Bool)
    case message(channel: Int, ChannelMessage)
    case replied(channel: Int, token: Int, status: String, response: JSONSlice)
    case timedOut(channel: Int, token: Int)
    /// The answer to a push cannot arrive any more, because its join has ended.
    case abandoned(channel: Int, token: Int)
    case disconnected(DisconnectReason, retry: Duration?)
  }

  /// How a client numbers its frames (the refs). If it also numbers other things, the refs have
  /// gaps.
  enum Numbering: Sendable {
    /// phoenix.js numbers callbacks and pushes with one counter, so the refs skip the numbers of
    /// callbacks. LiveView's socket has one callback, and each channel has two. Connecting adds
    /// three callbacks: one of the socket, and two of the channel that LiveView's client makes for
    /// the page outside of LiveViews.
    case browser
    /// Only pushes have numbers, as in LiveView Native's client.
    case plain
  }
}
