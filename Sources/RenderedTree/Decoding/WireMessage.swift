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
    /// Any other frame: empty replies, navigation, the channel's own events.
    case other(event: String)
  }

  package var content: Content
  /// The join that the frame belongs to; `nil` for a broadcast, and for an update without a frame.
  package var joinRef: String?
  /// The joins that the client pushed just before the frame, if the input is a recording that lists them.
  package var joinsBefore: [WireMessage] = []
  /// The topic or view that the message names, if any.
  package var topic: String?
  /// The dialect that the input names, such as `html` or `native`. Not validated.
  package var dialect: String?
  /// The version of LiveView in a join reply, such as `1.1.33`.
  package var liveViewVersion: String?
  /// The path of the update in the input, for the errors of later stages.
  package var place: SlotPath = SlotPath()
  /// The update as JSON, without its frame: as sent if it is the whole input, otherwise written again as compact JSON.
  package var json: JSONText = JSONText("")
}
