import Foundation
import MicroHTTP
import MirrorInspector
import MirrorSupport
import Testing

/// Events that are sent to a LiveView through the carrier of its page.
@Suite struct PushTests {
  private let client: Client

  init() throws {
    client = try Client()
    _ = try client.post("/frames?page=p", PageTests.join("lv:r", page: #"{"0":"0","s":["<p>","</p>"]}"#))
  }

  /// A carrier that answers each push by feeding frames, on a thread of its own.
  private func answering(_ frames: @escaping @Sendable (JSONValue) -> [String]) throws {
    let client = client
    try client.events("/pages/p/pushes").onMessages { pushes, _ in
      for push in pushes { _ = try? client.post("/frames?page=p", frames(push.json).joined(separator: "\n")) }
    }
  }

  private func frames(_ push: JSONValue, ref: Int = 9, _ response: String = #"{"diff":{"0":"1"}}"#) -> [String] {
    [
      #"["4","\#(ref)","lv:r","event",\#(push["payload"])]"#,
      #"["4","\#(ref)","lv:r","phx_reply",{"status":"ok","response":\#(response)}]"#,
    ]
  }

  @Test func `the response to a push is the change set that answers it`() throws {
    try answering { [self] in frames($0) }
    let answer = try client.post("/views/lv:r~p/push", #"{"event":"inc","value":{"by":2},"target":3}"#)
    #expect(answer.status == 200)
    #expect(answer.json["version"].int == 1)
    #expect(answer.json["changes"][0]["after"].string == "1")
    #expect(answer.json["cause"]["event"].string == "inc")
    #expect(answer.json["cause"]["value"].description == #"{"by":2}"#)
  }

  @Test func `a carrier reads the frame that it sends`() throws {
    let carrier = try client.events("/pages/p/pushes")
    _ = try client.post("/views/lv:r~p/push?wait=0", #"{"event":"inc","value":{"by":2},"target":3}"#)
    _ = try client.post("/views/lv:r~p/push?wait=0", #"{"event":"save","value":"a=1"}"#)
    let pushes = carrier.read()
    #expect(carrier.retry == 1000)
    #expect(pushes.map(\.name) == ["push", "push"])
    #expect(
      pushes[0].data
        == #"{"id":2,"view":"lv:r~p","topic":"lv:r","event":"event","payload":{"type":"click","event":"inc","value":{"by":2},"cid":3}}"#
    )
    #expect(pushes[1].json["payload"].description == #"{"event":"save","type":"form","value":"a=1"}"#)
  }

  @Test func `an event that changes nothing is answered with the unchanged version`() throws {
    try answering { [self] in frames($0, "{}") }
    let answer = try client.post("/views/lv:r~p/push", #"{"event":"inc"}"#)
    #expect(answer.status == 200)
    #expect(answer.json["version"].int == 0)
    #expect(answer.json["changes"].array.isEmpty)
    #expect(answer.json["cause"]["event"].string == "inc")
  }

  @Test func `other updates of the view are not taken for the answer`() throws {
    try answering { [self] push in
      [
        #"["4",null,"lv:r","diff",{"0":"7"}]"#, #"["4","8","lv:r","event",{"type":"click","event":"dec","value":{}}]"#,
        #"["4","8","lv:r","phx_reply",{"status":"ok","response":{"diff":{"0":"8"}}}]"#,
      ] + frames(push)
    }
    let answer = try client.post("/views/lv:r~p/push", #"{"event":"inc"}"#)
    #expect(answer.json["version"].int == 3)
  }

  @Test func `without a carrier, a push gets a 409 that says how to get one`() throws {
    let answer = try client.post("/views/lv:r~p/push", #"{"event":"inc"}"#)
    #expect(answer.status == 409)
    #expect(
      answer.json["detail"].string
        == "No carrier is connected to page \"p\": open the page in a browser with the tap, or attach to it; a carrier reads GET /pages/p/pushes."
    )
    _ = try client.post("/frames", PageTests.join("lv:alone"))
    let alone = try client.post("/views/lv:alone/push", #"{"event":"inc"}"#)
    #expect(alone.status == 409)
    #expect(alone.json["detail"].string?.hasPrefix("View \"lv:alone\" has no page") == true)
  }

  @Test func `without an answer in time, a push gets a 504`() throws {
    let carrier = try client.events("/pages/p/pushes")
    let answer = try client.post("/views/lv:r~p/push?wait=0.01", #"{"event":"inc"}"#)
    #expect(answer.status == 504)
    #expect(
      answer.json["detail"].string?.hasPrefix("No answer to \"inc\" came within 0.01 s; the view is joined.") == true)
    // A late answer is an ordinary update.
    let push = carrier.read()[0].json
    _ = try client.post("/frames?page=p", frames(push).joined(separator: "\n"))
    #expect(try client.get("/views/lv:r~p").json["version"].int == 1)
  }

  @Test func `a carrier that disconnects during a push ends it with a 504`() throws {
    try client.events("/pages/p/pushes").onMessages { $1.leave() }
    let answer = try client.post("/views/lv:r~p/push?wait=60", #"{"event":"inc"}"#)
    #expect(answer.status == 504)
    #expect(answer.json["detail"].string?.hasPrefix("The carrier of page \"p\" has disconnected") == true)
    #expect(try client.get("/pages/p").json["carrier_connected"].bool == false)
  }

  @Test func `a stopping mirror ends the streams and the waiting pushes`() throws {
    let client = client
    try client.events("/pages/p/pushes").onMessages { _, _ in client.inspector.close() }
    #expect(try client.post("/views/lv:r~p/push?wait=60", #"{"event":"inc"}"#).status == 503)
    #expect(client.refusal(of: "/pages/p/pushes") == 503)
  }

  @Test func `the newest carrier of a page replaces the one before`() throws {
    let first = try client.events("/pages/p/pushes")
    let second = try client.events("/pages/p/pushes")
    _ = try client.post("/views/lv:r~p/push?wait=0", #"{"event":"inc"}"#)
    #expect(first.read().isEmpty)
    #expect(first.isAtEnd)
    #expect(second.read().count == 1)
    #expect(try client.get("/pages/p").json["carrier_connected"].bool == true)
    #expect(try client.get("/pages/p").json["carrier"].bool == true)
  }

  @Test func `the end of a page ends the stream of its carrier`() throws {
    let carrier = try client.events("/pages/p/pushes")
    _ = try client.send(.delete, "/pages/p", "")
    _ = carrier.read()
    #expect(carrier.isAtEnd)
  }

  @Test(arguments: [
    (
      "{}", 422, "/event",
      "event, node or selector is missing: the name of the event to send, such as inc, or the element to act on."
    ),
    (#"{"event":7}"#, 422, "/event", "event must be a text of at most 200 characters."),
    (#"{"event":"a","target":"x"}"#, 422, "/target", "target must be the number of a component, a whole number ≥ 1."),
    (
      #"{"event":"a","colour":1}"#, 422, "/colour",
      "this member is unknown: expected event, type, value, target, node, selector, epoch, entries, submitter or default."
    ),
  ])
  func `a push without a valid event is refused`(body: String, status: Int, pointer: String, detail: String) throws {
    let answer = try client.post("/views/lv:r~p/push", body)
    #expect(answer.status == status)
    #expect(answer.json["pointer"].string == pointer)
    #expect(answer.json["detail"].string == detail)
  }

  @Test(arguments: ["-1", "61", "soon", "nan"])
  func `an invalid time to wait is refused`(wait: String) throws {
    let answer = try client.post("/views/lv:r~p/push?wait=\(wait)", #"{"event":"inc"}"#)
    #expect(answer.status == 400)
    #expect(answer.json["detail"].string == "wait must be a number of seconds from 0 to 60, not \"\(wait)\".")
  }

  @Test func `an unknown page has no stream, and a HEAD request opens none`() throws {
    #expect(client.refusal(of: "/pages/none/pushes") == 404)
    let head = try client.send(.head, "/pages/p/pushes", "")
    #expect(head.type == "text/event-stream")
    #expect(try client.get("/pages/p").json["carrier_connected"].bool == false)
  }
}
