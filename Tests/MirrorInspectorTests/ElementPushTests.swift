import MicroHTTP
import MirrorInspector
import Testing

/// `POST /views/{view}/push` with an element: `{"node": 9}` or `{"selector": "#inc"}`. What an
/// action sends is tested in `ActionTests` and `FormActionTests`.
@Suite struct ElementPushTests {
  private let client: Client
  private let carrier: EventReader

  private static let markup =
    "<button id='inc' phx-click='inc' phx-value-by='2'>+</button><form id='f' phx-change='c' phx-submit='s'><input name='a' value='1'><input name='b'><button>go</button></form>"
    + "<a href='/items/2' data-phx-link='redirect' data-phx-link-state='push'>next</a><b id='both' phx-click='[[&quot;push&quot;,{&quot;event&quot;:&quot;one&quot;}],[&quot;push&quot;,{&quot;event&quot;:&quot;two&quot;}]]'>x</b><p phx-click='two'>"

  init() throws {
    client = try Client()
    _ = try client.post(
      "/frames?page=p&url=http://app.test/items",
      PageTests.join("lv:r", page: #"{"0":"0","s":["\#(Self.markup)","</p>"]}"#))
    carrier = try client.events("/pages/p/pushes")
  }

  /// Pushes without waiting for an answer, and returns what the carrier reads.
  private func sent(_ body: String) throws -> [String] {
    _ = try client.post("/views/lv:r~p/push?wait=0", body)
    return carrier.read().map { "\($0.json["event"].string ?? "") \($0.json["payload"])" }
  }

  @Test func `a node or a selector names the element`() throws {
    let expected = #"event {"event":"inc","type":"click","value":{"by":"2","value":""}}"#
    #expect(try sent(##"{"selector":"#inc"}"##) == [expected])
    #expect(try sent(#"{"node":2,"event":"click"}"#) == [expected])
    // A text belongs to its element.
    #expect(try sent(#"{"node":3}"#) == [expected])
  }

  @Test func `the entries of a form and its submitter are those of the request`() throws {
    let answer = try sent(##"{"selector":"#f","event":"submit","entries":[["a","typed"],["b",""]]}"##)
    #expect(answer == [#"event {"event":"s","meta":{},"type":"form","value":"a=typed&b="}"#])
    let change = try sent(##"{"selector":"#f input","event":"change","value":{"value":"x"}}"##)
    #expect(change.first?.contains(#""value":"a=x&b=""#) == true)
  }

  @Test func `a navigation is sent and not waited for`() throws {
    let answer = try client.post("/views/lv:r~p/push?wait=60", #"{"selector":"a"}"#)
    #expect(answer.status == 200)
    #expect(answer.json["navigates_to"].string == "http://app.test/items/2")
    #expect(answer.json["version"].int == 0)
    #expect(answer.json["changes"].array.isEmpty)
    let push = try #require(carrier.read().first).json
    #expect(push["event"].string == "live_redirect")
    #expect(push["payload"].description == #"{"kind":"push","to":"http://app.test/items/2"}"#)
  }

  /// The binding has two pushes; the LiveView answers the first one alone.
  @Test func `a change is the response even if another push of the action has no answer`() throws {
    let client = client
    carrier.onMessages { _, _ in
      let frames = """
        ["4","9","lv:r","event",{"type":"click","event":"one","value":{}}]
        ["4","9","lv:r","phx_reply",{"status":"ok","response":{"diff":{"0":"1"}}}]
        """
      _ = try? client.post("/frames?page=p", frames)
    }
    let answer = try client.post("/views/lv:r~p/push?wait=0.3", ##"{"selector":"#both"}"##)
    #expect(answer.status == 200)
    #expect(answer.json["cause"]["event"].string == "one")
    #expect(try client.get("/views/lv:r~p").json["version"].int == 1)
  }

  @Test func `an action without a carrier leaves the fields as they are`() throws {
    carrier.leave()
    #expect(try client.post("/views/lv:r~p/push", ##"{"selector":"#f","value":{"a":"typed"}}"##).status == 409)
    let next = try client.events("/pages/p/pushes")
    _ = try client.post(
      "/views/lv:r~p/push?wait=0", ##"{"selector":"#f [name=b]","event":"change","value":{"value":"2"}}"##)
    #expect(next.read().first?.json["payload"]["value"].string == "_unused_a=&a=1&b=2")
  }

  @Test func `a terminal gets the answer as a line`() throws {
    let answer = try client.send(.post, "/views/lv:r~p/push", #"{"selector":"a"}"#, headers: ["Accept": "text/plain"])
    #expect(answer.text == "lv:r~p v0  nothing changed; the carrier opens http://app.test/items/2\n")
  }

  @Test(arguments: [
    (#"{"selector":"p:hover"}"#, "/selector", "\"p:hover\" is not a CSS selector that the mirror knows."),
    (##"{"selector":"#none"}"##, "/selector", "\"#none\" matches no element of the document."),
    (##"{"selector":"#inc","node":2}"##, "/selector", "either node or selector must name the element."),
    (#"{"node":999}"#, "/node", "the document has no node 999; GET /views/lv:r~p/tree lists the nodes."),
    (
      #"{"node":2,"epoch":2}"#, "/epoch",
      "the node belongs to epoch 2, but the view was mounted again and is in epoch 1."
    ),
    (
      #"{"node":2,"event":"hover"}"#, "/event",
      "event must be what happens to the element: click, click-away, change, submit, keydown, keyup, focus, blur, window-keydown, window-keyup, window-focus, window-blur."
    ),
    (#"{"node":2,"value":[1]}"#, "/value", "value must be an object."),
    (#"{"node":2,"entries":[["a"]]}"#, "/entries", "entries must be a list of pairs: a name and a text."),
    (
      #"{"node":2,"target":1}"#, "/target",
      "target follows from the element's bindings; it belongs to an event without a node."
    ),
    (#"{"event":"a","entries":[]}"#, "/entries", "entries needs a node or a selector."),
    (#"{"node":2,"event":"keydown"}"#, "/value/key", #"keydown needs the pressed key, such as {"key": "Enter"}."#),
    (#"{"selector":"form input","event":"focus"}"#, "/node", "<input> has no phx-focus."),
  ])
  func `an action that sends nothing is refused with its reason`(body: String, pointer: String, detail: String) throws {
    let answer = try client.post("/views/lv:r~p/push?wait=0", body)
    #expect(answer.status == 422)
    #expect(answer.json["pointer"].string == pointer)
    #expect(answer.json["detail"].string == detail)
    #expect(carrier.read().isEmpty)
  }

  @Test func `a body that is too long is refused`() throws {
    let body = #"{"node":2,"value":{"x":"\#(String(repeating: "x", count: 1 << 20))"}}"#
    #expect(try client.post("/views/lv:r~p/push", body).status == 413)
  }
}
