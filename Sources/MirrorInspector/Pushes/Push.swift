internal import LiveViewMirror
internal import MirrorSupport
internal import RenderedTree

/// An event that a carrier sends to a LiveView. ``PushRoutes`` makes it, and ``Carriers`` sends it
/// and finds its answer.
struct Push: Sendable {
  let view: String
  let topic: String
  /// The name of the frame, such as `event` or `live_patch`.
  let frame: String
  /// The payload of the frame as JSON.
  private(set) var payload: String
  /// The event of that payload, by which its answer is found.
  private(set) var event: ClientEvent
  /// The address to which the carrier navigates; `nil` if it sends a frame. A navigation has no
  /// answer: the view is left.
  let destination: String?

  init(_ push: ViewPush, in page: String?) {
    view = push.view
    topic = LiveViews.topic(of: push.view, in: page)
    frame = push.frame
    payload = JSON.object(push.payload).encoded
    event = push.event
    destination = push.destination
  }

  /// The data of the `push` event that the carrier reads.
  func json(id: Int) -> JSON { Self.data(id: id, rest: rest) }

  /// - Parameter rest: see ``rest``.
  static func data(id: Int, rest: String) -> JSON { .json("{\"id\":\(id),\(rest)}") }

  /// The members of the data except for the id, as JSON without braces. A mirror that forwards the
  /// push chooses its own id.
  var rest: String {
    let json: JSON = [
      "view": .string(view), "topic": .string(topic), "event": .string(frame), "payload": .json(payload),
    ]
    let bytes = json.bytes
    let end = bytes.lastIndex(of: UInt8(ascii: "}")) ?? bytes.endIndex
    return String(decoding: bytes[..<end].dropFirst(), as: UTF8.self)
  }

  /// The push without its payload: what is needed to find and describe its answer.
  var sent: Push {
    var push = self
    push.payload = ""
    push.event = ClientEvent(name: event.name, type: event.type, value: nil, target: event.target)
    return push
  }

  /// Whether an update with this cause answers the push. The values are not compared, because the
  /// value of a cause is filtered.
  func isAnswered(by cause: UpdateCause) -> Bool {
    cause.event == event.name && cause.type == event.type && cause.target == event.target
  }
}
