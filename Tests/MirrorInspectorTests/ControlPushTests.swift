import LiveViewMirror
import MicroHTTP
import MirrorInspector
import Testing

/// `POST /views/{view}/push` on a control of a native page: the mirror's own views keep what a
/// person chooses.
@Suite struct ControlPushTests {
  private let client: Client

  init() throws { client = try Client(options: UpdateOptions(drawsPage: true)) }

  private func mount(_ markup: String, at view: String = "n") throws {
    let markup = markup.replacing("\"", with: "\\\"")
    let answer = try client.post("/views/\(view)/rendered?dialect=native", #"{"s":["\#(markup)","</Text>"],"0":"1"}"#)
    #expect(answer.status == 201)
  }

  /// The types and reasons of the evaluations of an answer.
  private func evaluations(_ json: JSONValue) -> [String] {
    json["evaluations"].array.map { "\($0["type"].string ?? "") \($0["reasons"].array.compactMap(\.string))" }
  }

  @Test func `a choice needs neither a page nor a binding, and is in the answer and in the next record`() throws {
    try mount(#"<VStack><Picker selection="a"><Text tag="a">A</Text><Text tag="b">B</Text></Picker></VStack><Text>"#)
    let answer = try client.post("/views/n/push", #"{"selector":"Picker","value":{"value":"b"}}"#)
    #expect(answer.status == 200)
    #expect(answer.json["version"].int == 0)
    #expect(evaluations(answer.json) == [#"NativePicker ["state `selection`"]"#])
    #expect(try client.get("/views/n/page?frame=1").text.contains(#"aria-selected="true" data-mirror-choice="b""#))
    let record = try client.post("/views/n/diffs", #"{"0":"2"}"#).json
    #expect(
      evaluations(record["isolation"]["views"]) == [#"NativeText ["text"]"#, #"NativePicker ["state `selection`"]"#])
    let next = try client.post("/views/n/diffs", #"{"0":"3"}"#).json
    #expect(evaluations(next["isolation"]["views"]) == [#"NativeText ["text"]"#])
  }

  @Test func `a value that the control does not have is refused`() throws {
    try mount(#"<Picker selection="a"><Text tag="a">A</Text></Picker><Text>"#)
    let answer = try client.post("/views/n/push", #"{"selector":"Picker","value":{"value":"c"}}"#)
    #expect(answer.status == 422)
    #expect(answer.json["pointer"].string == "/value")
    #expect(answer.json["detail"].string == #"the control at node 2 takes the value of a choice: "a"."#)
    #expect(try client.post("/views/n/push", #"{"selector":"Text"}"#).json["evaluations"].array.count == 1)
    // The last text is in no control, and has no binding.
    #expect(try client.post("/views/n/push", #"{"node":5}"#).status == 422)
  }

  @Test func `a control with phx-change is changed, and its new value is sent`() throws {
    _ = try client.post(
      "/frames?page=p&dialect=native",
      PageTests.join("lv:r", page: #"{"0":"1","s":["<Toggle phx-change='t' isOn='false'>a</Toggle><Text>","</Text>"]}"#)
    )
    #expect(try client.post("/views/lv:r~p/push", #"{"selector":"Toggle","value":{"checked":true}}"#).status == 409)
    let carrier = try client.events("/pages/p/pushes")
    #expect(try client.post("/views/lv:r~p/push?wait=0", #"{"selector":"Toggle"}"#).status == 504)
    #expect(carrier.read().map { "\($0.json["payload"])" } == [#"{"event":"t","type":"click","value":{"isOn":true}}"#])
    #expect(try client.get("/views/lv:r~p/page?frame=1").text.contains("checked"))
  }

  @Test func `a button inside a control is none, and a disabled element around it refuses the click`() throws {
    let markup =
      "<Picker phx-change='c'><HStack tag='a'><Button id='in' phx-click='go'>x</Button></HStack></Picker>"
      + "<Form disabled=''><Button id='off' phx-click='go'>y</Button></Form><Text>"
    _ = try client.post(
      "/frames?page=p&dialect=native", PageTests.join("lv:r", page: #"{"0":"1","s":["\#(markup)","</Text>"]}"#))
    let carrier = try client.events("/pages/p/pushes")
    #expect(
      try client.post("/views/lv:r~p/push?wait=0", ##"{"selector":"#in","value":{"value":"7"}}"##).status == 504)
    #expect(carrier.read().map { "\($0.json["payload"])" } == [#"{"event":"go","type":"click","value":{"value":"7"}}"#])
    let answer = try client.post("/views/lv:r~p/push?wait=0", ##"{"selector":"#off"}"##)
    #expect(answer.status == 422)
    #expect(answer.json["detail"].string == "<Form> is disabled, so a client sends no click.")
    #expect(carrier.read().isEmpty)
  }

  @Test func `evaluations of an input do not outlive the document`() throws {
    try mount("<Toggle>a</Toggle><Text>")
    #expect(try client.post("/views/n/push", #"{"selector":"Toggle"}"#).status == 200)
    _ = try client.post("/views/n/rendered?dialect=native", #"{"s":["<Text>","</Text>"],"0":"1"}"#)
    let record = try client.post("/views/n/diffs", #"{"0":"2"}"#).json
    #expect(evaluations(record["isolation"]["views"]) == [#"NativeText ["text"]"#])
  }
}
