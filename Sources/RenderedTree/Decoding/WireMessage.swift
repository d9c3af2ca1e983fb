/// One decoded frame of a LiveView's channel, or an update without a frame.
package struct WireMessage: Sendable {
  /// The content of a message.
  package enum Content: Sendable {
    /// The reply to a join: the view's page.
    indirect case rendered(Diff)
    indirect case diff(Diff)
    /// The server's reply to `cids_destroyed`: the components that it has destroyed.
    case destroyed(components: [Int])
    /// The client's push that begins a join. The reply contains the page.
    case join(JoinPush)
    /// A client's push that the server answers, such as a click.
    case event(ClientEvent)
    /// The server's reply with status "error", and the reason that it names. It refuses a join if it has the join's ``ref``.
    case refused(reason: String?)
    /// Any other frame: empty replies, navigation, the channel's own events.
    case other(event: String)
  }

  /// The maximum number of bytes of a reference.
  static let longestReference = 256
  /// The maximum number of bytes of an address, a title and a reason, which are kept as long as their view. Longer ones are cut off.
  package static let longestText = 8 << 10

  package var content: Content
  /// The join that the frame belongs to; `nil` for a broadcast, and for an update without a frame.
  package var joinRef: String?
  /// The number by which the client finds the reply to its push; `nil` for a message that the server sent by itself.
  package var ref: String?
  /// When the client sent or received the frame, in milliseconds since 1970; `nil` if the feed does not say so.
  package var at: Double?
  /// The frames that the client sent just before this frame, if the input is a recording that lists them: joins and events.
  package var sentBefore: [WireMessage] = []
  /// The topic or view that the message names, if any.
  package var topic: String?
  /// The new address of the page, if the message sets one.
  package var move: PageMove?
  /// The view's element according to a join reply.
  package var container: ViewContainer?
  /// The dialect that the input names, such as `html` or `native`. Not validated.
  package var dialect: String?
  /// The version of LiveView in a join reply, such as `1.1.33`.
  package var liveViewVersion: String?
  /// The version of LiveView's client in the page, as its feed states it.
  package var clientVersion: String?
  /// What an export or a resumption says about the update; `nil` for other lines of a feed.
  package var exported: ExportedUpdate?
  /// The path of the update in the input, for the errors of later stages.
  package var place: SlotPath = SlotPath()
  /// The text of the update as it was received, with its white space and escapes, but without its frame.
  package var json: JSONText = JSONText("")
  /// The part of the time in which the frames of the input were decoded.
  package var microseconds = 0
}
