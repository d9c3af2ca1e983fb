internal import CLibrary
internal import MirrorSupport
internal import RenderedTree

/// The page of the demo. It feeds the mirror as the tap, the script `tap.js`, does in a browser,
/// and carries out the events that the mirror sends to it. ``Demo`` makes one, and must call
/// ``open()`` first.
final class DemoPage: Sendable {
  static let id = "demo"
  private static let topic = "lv:phx-demo"
  /// The id of the mirrored view.
  static let view = "\(topic)~\(id)"

  private struct State: Sendable {
    var view = DemoView()
    var lastRef = 4
  }

  private let client: MirrorClient
  /// Locked while frames are made and sent, so that they arrive in order.
  private let state = Guarded(State())

  init(_ client: MirrorClient) { self.client = client }

  // MARK: - Frames

  /// Announces the page and joins its view.
  func open() throws(MirrorClientError) {
    let page: JSON = [
      "url": "http://demo.example/todos", "title": "Todo list", "carrier": .bool(true),
      "client": .string(DemoView.version),
    ]
    _ = try client.post("/pages/\(Self.id)", Array(page.encoded.utf8))
    let view = state.current.view
    let join: JSON = ["url": "http://demo.example/todos", "params": [:], "session": "", "static": ""]
    try feed([
      frame("phx_join", join, ref: "4", isSent: true),
      reply(["rendered": view.rendered, "liveview_version": .string(DemoView.version)], to: "4"),
    ])
  }

  /// Feeds an event of the client, and the view's answer.
  func send(_ event: String, type: String = "click", _ value: JSON, component: Int? = nil) throws(MirrorClientError) {
    var payload: JSON.Members = .init()
    payload.set("type", to: .string(type))
    payload.set("event", to: .string(event))
    payload.set("value", to: value)
    if let component { payload.set("cid", to: .integer(component)) }
    try carryOut(frame: "event", .object(payload))
  }

  /// Feeds a diff that the server sends by itself.
  func receive(_ diff: (inout DemoView) -> JSON) throws(MirrorClientError) {
    try state.withLock { state throws(MirrorClientError) in
      try feed([frame("diff", diff(&state.view), ref: nil, isSent: false)])
    }
  }

  private func carryOut(frame name: String, _ payload: JSON) throws(MirrorClientError) {
    try state.withLock { state throws(MirrorClientError) in
      state.lastRef += 1
      let ref = String(state.lastRef)
      let members = payload.members
      let diff = name == "event" ? state.view.answer(members?["event"]?.text ?? "", members?["value"]) : [:]
      let answer: JSON = diff.members?.isEmpty == true ? [:] : ["diff": diff]
      try feed([frame(name, payload, ref: ref, isSent: true), reply(answer, to: ref)])
    }
  }

  private func reply(_ response: JSON, to ref: String) -> JSON {
    frame("phx_reply", ["status": "ok", "response": response], ref: ref, isSent: false)
  }

  private func frame(_ event: String, _ payload: JSON, ref: String?, isSent: Bool) -> JSON {
    [
      "at": .integer(Int(WallClock.system.now())), "sent": .bool(isSent),
      "frame": ["4", ref.map { .string($0) } ?? .null, .string(Self.topic), .string(event), payload],
    ]
  }

  private func feed(_ lines: [JSON]) throws(MirrorClientError) {
    let body = lines.map(\.encoded).joined(separator: "\n")
    report(try client.post("/frames?page=\(Self.id)", Array(body.utf8)))
  }

  private func report(_ answer: MirrorResponse) {
    if !answer.isSuccess { Output.error("the demo: \(answer.problemText)") }
  }

  // MARK: - Carrying

  /// Carries out the events that the mirror sends, until the mirror ends.
  func listen() throws(MirrorClientError) {
    var events = EventStreamReader()
    let answer = try client.stream("/pages/\(Self.id)/pushes") { bytes throws(MirrorClientError) in
      for event in events.read(bytes) where event.name == "push" {
        guard let push = JSON(parsing: event.data)?.members, let payload = push["payload"] else { continue }
        try carryOut(frame: push["event"]?.text ?? "", payload)
      }
    }
    report(answer)
  }
}
