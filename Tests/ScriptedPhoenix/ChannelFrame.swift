internal import Foundation

/// A frame of Phoenix's channel protocol 2.0.0: `[join_ref, ref, topic, event, payload]`.
package struct ChannelFrame: @unchecked Sendable, CustomStringConvertible {
  package var joinRef: String?
  package var ref: String?
  package var topic: String
  package var event: String
  /// As `JSONSerialization` reads it. Never changed.
  package var payload: Any

  package init(joinRef: String?, ref: String?, topic: String, event: String, payload: Any) {
    self.joinRef = joinRef
    self.ref = ref
    self.topic = topic
    self.event = event
    self.payload = payload
  }

  /// - Returns: `nil` if the value is not a frame.
  package init?(_ json: Any?) {
    guard let fields = json as? [Any], fields.count == 5, let topic = fields[2] as? String,
      let event = fields[3] as? String
    else { return nil }
    self.init(joinRef: fields[0] as? String, ref: fields[1] as? String, topic: topic, event: event, payload: fields[4])
  }

  package init?(text: String) {
    self.init(try? JSONSerialization.jsonObject(with: Data(text.utf8)))
  }

  package var json: [Any] { [joinRef ?? NSNull(), ref ?? NSNull(), topic, event, payload] as [Any] }

  /// The frame as it is sent.
  package var text: String { Self.text(json) }

  /// The payload as canonical text, for comparisons.
  package var canonicalPayload: String { Self.text(payload) }

  package var description: String { text }

  package static func text(_ json: Any) -> String {
    let data = try? JSONSerialization.data(
      withJSONObject: json, options: [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}
