/// A client's push that the server answers with a diff, and so the possible cause of an update (LiveView 1.0 to 1.2).
///
///     ["4", "7", "lv:phx-F1", "event", {"type": "click", "event": "inc", "value": {"value": ""}, "cid": 3}]
///     ["4", "8", "lv:phx-F1", "live_patch", {"url": "http://localhost:4000/items?page=2"}]
package struct ClientEvent: Sendable, Hashable {
  /// The name of the event, such as `inc`. For a push of the client itself the name of the frame: `live_patch`, `progress` or
  /// `allow_upload`.
  package var name: String
  /// The kind of the event, such as `click`, `form` or `keyup`; `nil` for a push of the client itself.
  package var type: String?
  /// The value of the event as compact JSON: an object, or a string with an encoded form. `nil` if it takes more than
  /// ``longestValue`` bytes.
  package var value: JSONText?
  /// The component that handles the event; `nil` for the view.
  package var target: Int?

  package init(name: String, type: String?, value: JSONText?, target: Int?) {
    self.name = name
    self.type = type
    self.value = value
    self.target = target
  }

  /// The maximum number of bytes of ``value``.
  package static let longestValue = 16 << 10
  /// The maximum number of bytes of ``name`` and ``type``. The rest of a longer one is cut off.
  package static let longestName = 256
}
