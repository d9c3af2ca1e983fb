internal import MirrorSupport

/// A frame of Phoenix's channel protocol 2.0.0: `[join_ref, ref, topic, event, payload]`.
/// ``PageSession`` parses each received frame. ``ChannelSocket`` writes the frames that are sent,
/// except for joins, which ``PageSession`` writes.
struct ChannelMessage: Sendable {
  /// The number of the join that the frame belongs to; `nil` for a broadcast.
  var joinRef: String?
  /// The number that connects a push and its reply; `nil` for a message that the server sent by
  /// itself.
  var ref: String?
  var topic: String
  var event: String
  var payload: JSONSlice

  /// - Returns: `nil` if the text is not a frame.
  init?(_ bytes: [UInt8]) {
    guard let fields = JSONSlice(bytes).elements, fields.count == 5, let topic = fields[2].string,
      let event = fields[3].string
    else { return nil }
    (joinRef, ref) = (fields[0].string, fields[1].string)
    (self.topic, self.event, payload) = (topic, event, fields[4])
  }

  /// The text of a frame that the client sends.
  static func text(joinRef: String?, ref: String?, topic: String, event: String, payload: String) -> String {
    func quoted(_ text: String?) -> String { text.map(JSONSyntax.quoted) ?? "null" }
    return "[\(quoted(joinRef)),\(quoted(ref)),\(quoted(topic)),\(quoted(event)),\(payload)]"
  }
}
