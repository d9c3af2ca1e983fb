import LiveViewMirror
import MarkupDocument
import MicroHTTP
import Testing

/// The client's event that each change set answers.
@Suite struct CauseTests {
  private let client: Client

  init() throws { client = try Client() }

  private static let page =
    #"["4","4","lv:r","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p><input type=\"Password\" name=\"user[pin]\" phx-keyup=\"typed\" phx-blur='[[\"push\",{\"event\":\"left_pin\"}]]'>"]}}}]"#

  private func click(
    _ ref: Int = 7, event: String = "inc", type: String = "click", value: String = #"{"value":""}"#, more: String = ""
  ) -> String {
    #"["4","\#(ref)","lv:r","event",{"type":"\#(type)","event":"\#(event)","value":\#(value)\#(more)}]"#
  }

  private func answer(_ ref: Int = 7, _ text: String = "1") -> String {
    #"["4","\#(ref)","lv:r","phx_reply",{"status":"ok","response":{"diff":{"0":"\#(text)"}}}]"#
  }

  private func cause() throws -> JSONValue {
    let log = try client.get("/views/lv:r/log").json
    return log["entries"].array.last?["cause"] ?? log
  }

  // MARK: - Belonging together

  @Test func `a reply is caused by the event with its ref`() throws {
    _ = try client.post("/frames", [Self.page, click(more: #","cid":3"#), answer()].joined(separator: "\n"))
    let cause = try cause()
    #expect(cause["event"].string == "inc")
    #expect(cause["type"].string == "click")
    #expect(cause["value"].description == #"{"value":""}"#)
    #expect(cause["target"].int == 3)
    #expect(cause["ref"].string == "7")
    #expect(cause["latency_ms"].isNull)
    #expect(cause.keys == ["event", "type", "value", "target", "ref", "latency_ms"])
  }

  @Test func `a mount and a push of the server have no cause`() throws {
    _ = try client.post(
      "/frames", [Self.page, click(), #"["4",null,"lv:r","diff",{"0":"5"}]"#].joined(separator: "\n"))
    let entries = try client.get("/views/lv:r/log").json["entries"].array
    #expect(entries.map(\.["cause"].isNull) == [true, true])
    #expect(entries.allSatisfy { $0.keys.contains("cause") })
  }

  /// Such as the result of `assign_async`.
  @Test func `a diff of the server names the event that was answered shortly before, as a hint`() throws {
    let late = #"["4",null,"lv:r","diff",{"0":"6"}]"#
    let frames = [
      Self.page, click(event: "load"), #"{"at":1764000000000,"frame":\#(answer())}"#,
      #"{"at":1764000000002,"frame":\#(late)}"#,
      #"{"at":1764000006000,"frame":\#(late)}"#,
    ]
    _ = try client.post("/frames", frames.joined(separator: "\n"))
    let hint = "after the answer to <bdi>click load</bdi>"
    let pages = try (2...3).map { try client.get("/views/lv:r?version=\($0)", accept: "text/html").text }
    #expect(pages[0].contains("2 ms \(hint)"))
    #expect(!pages[1].contains(hint))
  }

  @Test func `answers in another order keep their causes`() throws {
    let frames = [Self.page, click(7, event: "a"), click(8, event: "b"), answer(8, "x"), answer(7, "y")]
    _ = try client.post("/frames", frames.joined(separator: "\n"))
    let causes = try client.get("/views/lv:r/log").json["entries"].array.map(\.["cause"]["event"].string)
    #expect(causes == [nil, "b", "a"])
  }

  @Test func `an event is answered once`() throws {
    _ = try client.post("/frames", [Self.page, click(), answer(), answer()].joined(separator: "\n"))
    #expect(try cause().isNull)
  }

  @Test func `an empty answer ends an event`() throws {
    let empty = #"["4","7","lv:r","phx_reply",{"status":"ok","response":{}}]"#
    _ = try client.post("/frames", [Self.page, click(), empty, answer()].joined(separator: "\n"))
    #expect(try cause().isNull)
  }

  @Test func `events of an earlier join cause nothing after the next one`() throws {
    let frames = [
      Self.page, click(), #"["9","9","lv:r","phx_join",{"params":{"_mounts":1}}]"#,
      Self.page.replacing(#"["4","4""#, with: #"["9","9""#), answer().replacing(#"["4","#, with: #"["9","#),
    ]
    _ = try client.post("/frames", frames.joined(separator: "\n"))
    #expect(try client.get("/views/lv:r").json["version"].int == 1)
    #expect(try cause().isNull)
  }

  @Test func `a stale event causes nothing`() throws {
    let stale = click().replacing(#"["4","#, with: #"["3","#)
    let report = try client.post("/frames", [Self.page, stale, answer()].joined(separator: "\n")).json
    #expect(report["stale_frames"].int == 1)
    #expect(try cause().isNull)
  }

  @Test(arguments: [
    ("live_patch", #"{"url":"http://a/?page=2"}"#),
    ("progress", #"{"event":null,"ref":"0","entry_ref":"1","progress":50}"#),
    ("allow_upload", #"{"ref":"phx-1","entries":[]}"#),
  ])
  func `a push of the client itself is a cause without a type`(name: String, payload: String) throws {
    let push = #"["4","7","lv:r","\#(name)",\#(payload)]"#
    _ = try client.post("/frames", [Self.page, push, answer()].joined(separator: "\n"))
    let cause = try cause()
    #expect(cause["event"].string == name)
    #expect(cause["type"].isNull)
    #expect(cause["value"] == Client.Answer(response: .json(Array(payload.utf8))).json)
  }

  @Test func `the events of a recording's steps are causes`() throws {
    let recording = """
      {"steps":[{"frame":\(Self.page),"sent":[]},{"frame":\(answer()),"sent":[\(click())]}]}
      """
    _ = try client.post("/frames", recording)
    #expect(try cause()["event"].string == "inc")
  }

  @Test func `the 65th unanswered event evicts the first`() throws {
    let events = (10..<75).map { click($0, event: "e\($0)") }
    _ = try client.post("/frames", ([Self.page] + events + [answer(10), answer(11)]).joined(separator: "\n"))
    let causes = try client.get("/views/lv:r/log").json["entries"].array.map(\.["cause"]["event"].string)
    #expect(causes == [nil, nil, "e11"])
  }

  // MARK: - Latency

  private func line(_ frame: String, at: String, sent: Bool) -> String {
    #"{"at":\#(at),"sent":\#(sent),"frame":\#(frame)}"#
  }

  @Test(arguments: [
    ("1000", "1012", "12"), ("1795500000000.25", "1795500000012.75", "12.5"), ("1012", "1000", "0"), ("null", "5", nil),
  ])
  func `the latency is the difference of the stated times`(sent: String, received: String, latency: String?) throws {
    _ = try client.post(
      "/frames",
      [Self.page, line(click(), at: sent, sent: true), line(answer(), at: received, sent: false)].joined(
        separator: "\n"))
    #expect(try cause()["latency_ms"].description == latency ?? "null")
  }

  @Test func `the latency between two inputs without times is that of their arrival`() throws {
    _ = try client.post("/frames", Self.page + "\n" + click())
    _ = try client.post("/frames", answer())
    #expect(try cause()["latency_ms"].isNull == false)
  }

  @Test func `a stated time of day is the time of the change set`() throws {
    _ = try client.post(
      "/frames", [Self.page, line(answer(), at: "1795500000012.6", sent: false)].joined(separator: "\n"))
    #expect(try client.get("/views/lv:r/log/1").json["at"].string == "2026-11-24T06:00:00.012Z")
  }

  @Test(arguments: [("-1", "/at"), ("1e300", "/at"), (#""now""#, "/at")])
  func `an invalid time is refused with its place`(at: String, pointer: String) throws {
    let report = try client.post("/frames", Self.page + "\n" + line(answer(), at: at, sent: false)).json
    #expect(report["rejected"][0]["problem"]["pointer"].string == pointer)
    #expect(try client.get("/views/lv:r").json["version"].int == 0)
  }

  /// LiveView 1.0.6 and later send the field in `meta`.
  @Test(arguments: [
    ("a=1", "user[email]", "a=1&_target=user%5Bemail%5D"), ("", "a", "_target=a"),
    ("a=1", String(repeating: "x", count: 16_384), "a=1"),
  ])
  func `the value of a form names the changed field, unless both are too long`(
    value: String, field: String, kept: String
  ) throws {
    let change = click(type: "form", value: #""\#(value)""#, more: #","meta":{"_target":"\#(field)"}"#)
    _ = try client.post("/frames", [Self.page, change, answer()].joined(separator: "\n"))
    #expect(try cause()["value"].string == kept)
  }

  // MARK: - Secrets

  @Test(arguments: [
    (
      "form", #""user%5BPassword%5D=hunter2&user%5Bname%5D=ann&_target=user""#,
      #""user%5BPassword%5D=%5BFILTERED%5D&user%5Bname%5D=ann&_target=user""#
    ),
    ("form", #""api_token=hunter2""#, #""api_token=%5BFILTERED%5D""#),
    ("form", #""user[pin]=hunter2&x=1""#, #""user[pin]=%5BFILTERED%5D&x=1""#),
    ("form", #""user%5Bpin%5D=hunter2""#, #""user%5Bpin%5D=%5BFILTERED%5D""#),
    (
      "hook", #"{"a":[{"client_secret":{"deep":["hunter2",null]},"b":1}]}"#,
      #"{"a":[{"client_secret":{"deep":["[FILTERED]",null]},"b":1}]}"#
    ),
    ("click", #"{"href":"/reset?token=hunter2#top"}"#, #"{"href":"/reset?token=%5BFILTERED%5D#top"}"#),
    ("form", #""back=%2Freset%3Ftoken%3Dhunter2&x=%2F%3Fy%3D1""#, #""back=%5BFILTERED%5D&x=%2F%3Fy%3D1""#),
    ("click", #"{"href":"http://ann:hunter2@app.test/"}"#, #"{"href":"http://[FILTERED]@app.test/"}"#),
    ("hook", #"{"body":"{\"password\": \"hunter2\"}"}"#, #"{"body":"{\"password\":\"[FILTERED]\"}"}"#),
    ("hook", #"{"body":"{\"name\": \"ann\"}"}"#, #"{"body":"{\"name\": \"ann\"}"}"#),
  ])
  func `secret values are filtered by the names of their parameters`(type: String, value: String, kept: String) throws {
    _ = try client.post("/frames", [Self.page, click(type: type, value: value), answer()].joined(separator: "\n"))
    #expect(try cause()["value"] == Client.Answer(response: .json(Array(kept.utf8))).json)
    #expect(!(try everything()).contains("hunter2"))
  }

  @Test(arguments: ["typed", "left_pin"])
  func `the value of an event that a password field is bound to is filtered whole`(event: String) throws {
    _ = try client.post(
      "/frames",
      [Self.page, click(event: event, type: "keyup", value: #"{"key":"h","value":"hunter2"}"#), answer()].joined(
        separator: "\n"))
    #expect(try cause()["value"].description == #"{"key":"[FILTERED]","value":"[FILTERED]"}"#)
    #expect(!(try everything()).contains("hunter2"))
  }

  @Test(arguments: [
    (#"[[\"push\",{\"event\":\"in\\u0063\"}]]"#, true),
    (#"[[\"push\",{\"event\":\"other\",\"value\":{\"a\":\"inc\"}}]]"#, false),
    ("[inc", true), ("other", false), (String(repeating: "x", count: 65_537), true),
  ])
  func `a binding that is long or cannot be read hides all values`(binding: String, isHidden: Bool) throws {
    let page =
      #"["4","4","lv:r","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p><input type=password phx-blur='\#(binding)'>"]}}}]"#
    _ = try client.post("/frames", [page, click(value: #"{"value":"abc"}"#), answer()].joined(separator: "\n"))
    #expect(try cause()["value"].description.contains("abc") == !isHidden)
  }

  /// The keys of a field in one view reach the binding of the window in another one.
  @Test(arguments: ["lv:a", "lv:b"])
  func `the keys of a page with a password field are not stored for the window's bindings`(view: String) throws {
    func page(_ topic: String, _ markup: String) -> String {
      #"["4","4","\#(topic)","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["\#(markup)",""]}}}]"#
    }
    func press(_ event: String, _ ref: Int) -> String {
      #"["4","\#(ref)","\#(view)","event",{"type":"keydown","event":"\#(event)","value":{"key":"h"}}]"#
        + "\n" + #"["4","\#(ref)","\#(view)","phx_reply",{"status":"ok","response":{"diff":{"0":"\#(ref)"}}}]"#
    }
    let keys = "<i phx-window-keydown='key'></i><input phx-keydown='search'>"
    func cause(_ version: Int) throws -> String {
      try client.get("/views/\(view)~p/log/\(version)").json["cause"]["value"].description
    }
    _ = try client.post(
      "/frames?page=p", [page("lv:a", keys), page("lv:b", keys), press("key", 5)].joined(separator: "\n"))
    #expect(try cause(1) == #"{"key":"h"}"#)
    let password = #"["4",null,"lv:a","diff",{"0":"<input type='password' name='pin'>"}]"#
    _ = try client.post("/frames?page=p", [password, press("key", 6), press("search", 7)].joined(separator: "\n"))
    let first = view == "lv:a" ? 3 : 2
    #expect(try cause(first) == #"{"key":"[FILTERED]"}"#)
    #expect(try cause(first + 1) == #"{"key":"h"}"#)
  }

  @Test func `many bindings of the window hide no other events`() throws {
    func binding(_ number: Int) -> String {
      #"["4",null,"lv:r","diff",{"0":"<i phx-window-keydown='key\#(number)'></i>"}]"#
    }
    let page = #"["4","4","lv:r","phx_reply",{"status":"ok","response":{"rendered":{"0":"","s":["","<input>"]}}}]"#
    _ = try client.post("/frames", ([page] + (0...1_100).map(binding)).joined(separator: "\n"))
    _ = try client.post(
      "/frames", [click(event: "buy", value: #"{"item":"book"}"#), answer(7, "x")].joined(separator: "\n"))
    #expect(try client.get("/views/lv:r/log/1102").json["cause"]["value"].description == #"{"item":"book"}"#)
  }

  @Test func `a password field that became a text field stays secret`() throws {
    let page =
      #"["4","4","lv:r","phx_reply",{"status":"ok","response":{"rendered":{"0":" type=\"password\"","s":["<input name=\"pin\"",">"]}}}]"#
    let show = #"["4",null,"lv:r","diff",{"0":" type=\"text\""}]"#
    _ = try client.post(
      "/frames", [page, show, click(type: "form", value: #""pin=hunter2""#), answer()].joined(separator: "\n"))
    #expect(try cause()["value"].description == #""pin=%5BFILTERED%5D""#)
  }

  @Test func `a field that a diff adds or turns into a password field is secret`() throws {
    let page =
      #"["4","4","lv:r","phx_reply",{"status":"ok","response":{"rendered":{"0":"","1":"","s":["<input name=\"pin\"","><form>","</form>"]}}}]"#
    let diff = #"["4",null,"lv:r","diff",{"0":" type=\"password\"","1":"<input type=\"password\" name=\"code\">"}]"#
    _ = try client.post(
      "/frames",
      [page, diff, click(type: "form", value: #""pin=hunter2&code=hunter2&x=1""#), answer()].joined(separator: "\n"))
    #expect(try cause()["value"].description == #""pin=%5BFILTERED%5D&code=%5BFILTERED%5D&x=1""#)
  }

  @Test func `the filtered names are an option`() throws {
    let client = try Client(options: UpdateOptions(filteredParameters: ["Code"]))
    _ = try client.post(
      "/frames",
      [Self.page, click(type: "form", value: #""promo_code=1&password=2""#), answer()].joined(separator: "\n"))
    let cause = try client.get("/views/lv:r/log/1").json["cause"]
    #expect(cause["value"].string == "promo_code=%5BFILTERED%5D&password=2")
  }

  @Test func `a value of more than 16 KiB is not kept`() throws {
    let value = #"{"text":"\#(String(repeating: "x", count: 16 << 10))"}"#
    _ = try client.post("/frames", [Self.page, click(value: value), answer()].joined(separator: "\n"))
    let cause = try cause()
    #expect(cause["event"].string == "inc")
    #expect(cause["value"].isNull)
  }

  /// Everything that the mirror shows of the view.
  private func everything() throws -> String {
    try ["/views", "/views/lv:r", "/views/lv:r/log", "/views/lv:r/log/1", "/pages", "/views/lv:r/tree"].map {
      try client.get($0).text
    }.joined() + client.get("/views/lv:r", accept: "text/html").text
  }

  // MARK: - What people see

  @Test func `the log shows the event and the latency`() throws {
    _ = try client.post(
      "/frames",
      [Self.page, line(click(), at: "1000", sent: true), line(answer(), at: "1012", sent: false)].joined(
        separator: "\n"))
    let text = try client.get("/views/lv:r/log/1", accept: "text/plain").text
    #expect(text.contains("  click inc → 1 node changed, 12 ms, "))
    let page = try client.get("/views/lv:r", accept: "text/html").text
    #expect(
      page.contains(
        #"<b class="version">v1</b> · <bdi class="cause">click inc</bdi> · 9 B in 12 ms · "#
      ))
  }

  @Test func `control characters of an event cannot reach the terminal`() throws {
    _ = try client.post("/frames", [Self.page, click(event: #"\u001b[2J"#), answer()].joined(separator: "\n"))
    #expect(try client.get("/views/lv:r/log/1", accept: "text/plain").text.contains(#"click \u{1b}[2J → "#))
  }
}
