/// What one frame of a LiveView's channel says, typed.
package struct WireMessage: Sendable {
  package enum Content: Sendable {
    /// The answer to a join: the view's page.
    indirect case rendered(Diff)
    indirect case diff(Diff)
    /// The server's answer to `cids_destroyed`: these components are gone.
    case destroyed(components: [Int])
    /// The client's push that begins a join; its reply brings the page.
    case join(JoinPush)
    /// Everything else: empty replies, navigation, the channel's own events.
    case other(event: String)
  }

  package var content: Content
  /// The join that the frame belongs to; `nil` for a broadcast, and for an update without a frame.
  package var joinRef: String?
  /// The joins that the client pushed just before the frame, where a recording lists them with it.
  package var joinsBefore: [WireMessage] = []
  /// The topic or view that the message names, if it names one.
  package var topic: String?
  /// `html` or `native`, where a line of input says so.
  package var dialect: String?
  /// The version of LiveView that a join reply names, such as `1.1.33`.
  package var liveViewVersion: String?
  /// Where in the input the update stands, so that a later stage can point into it.
  package var place: SlotPath = SlotPath()
  /// The update itself as JSON, without its frame: as sent where it came alone, compact where it came in a frame.
  package var json: JSONText = JSONText("")
}
