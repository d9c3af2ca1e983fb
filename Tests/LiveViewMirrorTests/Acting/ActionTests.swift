import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorSupport
import RenderedTree
import Testing

/// What an action sends, for bindings that the recordings do not have. Each expectation was read
/// from LiveView's JavaScript (1.0.18, 1.1.33, 1.2.10) and compared with its frames in Chromium.
@Suite struct ActionTests {
  private let views = LiveViews(options: UpdateOptions().withAnalyses)

  /// Mounts a view and returns what an action sends: `FRAME PAYLOAD` for each push.
  private func sent(
    _ selector: String, _ kind: NodeAction.Kind? = nil, in markup: String, _ value: String = "{}",
    _ change: (inout NodeAction) -> Void = { _ in }
  ) throws -> [String] {
    _ = try mount(markup)
    return try act(kind, selector, value, change)
  }

  private func mount(_ markup: String, _ topic: String = "lv:r", url: String = "http://app.test/items?page=1") throws
    -> String
  {
    let rendered = (["s": .array([.string(markup)])] as MirrorSupport.JSON).encoded
    let frames = """
      {"sent":true,"frame":["1","1","\(topic)","phx_join",{"url":"\(url)"}]}
      ["1","1","\(topic)","phx_reply",{"status":"ok","response":{"rendered":\(rendered)}}]
      """
    let report = try views.receive(
      frames: Array(frames.utf8), dialect: .html, container: nil, of: PageFeedParameters(id: "p", url: url)
    ) { _ in }
    #expect(report.applied == 1)
    return "\(topic)~p"
  }

  private func act(
    _ kind: NodeAction.Kind?, _ selector: String, _ value: String = "{}",
    _ change: (inout NodeAction) -> Void = { _ in }
  ) throws -> [String] {
    let document = try #require(views["lv:r~p"]?.document)
    let parsed = try #require(Selector(selector))
    var action = NodeAction(on: try #require(document.node(matching: parsed)), kind)
    action.value = try #require(MirrorSupport.JSON(parsing: value)?.members)
    change(&action)
    return try views.plan(action, of: "lv:r~p").pushes.map { push in
      "\(push.view == "lv:r~p" ? "" : push.view + " ")\(push.frame) \(MirrorSupport.JSON.object(push.payload).encoded)"
    }
  }

  private func refusal(
    _ selector: String, _ kind: NodeAction.Kind? = nil, in markup: String, _ value: String = "{}"
  ) throws -> String {
    do {
      _ = try sent(selector, kind, in: markup, value)
      return "nothing was refused"
    } catch let error as ActionError {
      return "\(error.pointer) \(error.reason)"
    }
  }

  private static func click(_ event: String, _ value: String, _ more: String = "") -> [String] {
    [#"event {"type":"click","event":"\#(event)","value":\#(value)\#(more)}"#]
  }

  // MARK: - Clicks

  @Test(arguments: [
    (#"<a phx-click="e" phx-value-a="1" phx-value-b-c="">x</a>"#, #"{"a":"1","b-c":""}"#),
    (#"<button phx-click="e">x</button>"#, #"{"value":""}"#),
    (#"<button phx-click="e" value="v" phx-value-value="w">x</button>"#, #"{"value":"v"}"#),
    (#"<li phx-click="e">x</li>"#, #"{"value":0}"#), (#"<li value="3" phx-click="e">x</li>"#, #"{"value":3}"#),
    (#"<progress value="0.5" phx-click="e"></progress>"#, #"{"value":0.5}"#),
    (#"<input type="checkbox" phx-click="e">"#, #"{"value":"on"}"#),
    (#"<input type="checkbox" value="v" checked phx-click="e">"#, "{}"),
    (#"<input type="radio" value="v" checked phx-click="e">"#, #"{"value":"v"}"#),
    (#"<select phx-click="e"><option>a  b</option><option selected value="c">d</option></select>"#, #"{"value":"c"}"#),
    (#"<svg phx-click="e"></svg>"#, "{}"), (#"<form phx-click="e"></form>"#, "{}"),
  ])
  func `a click sends the values of the element`(markup: String, value: String) throws {
    #expect(try sent("[phx-click]", .click, in: markup) == Self.click("e", value))
  }

  @Test func `a click on content is one on the nearest enabled element with a binding`() throws {
    let markup = #"<div phx-click="outer"><p phx-click="inner"><b>x</b></p><i>y</i></div>"#
    #expect(try sent("b", in: markup) == Self.click("inner", "{}"))
    #expect(try act(nil, "i") == Self.click("outer", "{}"))
    let nested = #"<div phx-click="outer"><div data-phx-session="s" id="kid"><b>x</b></div></div>"#
    #expect(
      try refusal("b", in: nested)
        == "/node <b> sends nothing on click, nor does an element around it: it has no binding")
  }

  @Test func `a disabled element and its content send no click`() throws {
    #expect(
      try refusal("b", in: #"<button id="go" disabled phx-click="e"><b>x</b></button>"#)
        == "/node <button#go> is disabled, so a browser sends no click")
    let fieldset =
      #"<fieldset disabled><legend><button id="in" phx-click="a">x</button></legend><button id="out" phx-click="b">y</button></fieldset>"#
    #expect(try sent("#in", in: fieldset) == Self.click("a", #"{"value":""}"#))
    #expect(throws: ActionError.self) { try act(nil, "#out") }
  }

  @Test func `the value of the request replaces what the element has`() throws {
    #expect(
      try sent("button", in: #"<button phx-click="e" phx-value-a="1">x</button>"#, #"{"a":2,"b":[3]}"#)
        == Self.click("e", #"{"a":2,"value":"","b":[3]}"#))
  }

  // MARK: - Targets

  @Test func `a target is a component, a selector, or none`() throws {
    _ = try mount(##"<a id="one" phx-click="e" phx-target="#kid">x</a><p id="kid" class="k"></p><p class="k"></p>"##)
    #expect(try act(nil, "#one") == Self.click("e", "{}"))
    #expect(try sent("a", in: #"<a phx-click="e" phx-target=".k">x</a><p class="k"></p><p class="k"></p>"#).count == 2)
    #expect(
      try refusal("a", in: #"<a phx-click="e" phx-target="7">x</a>"#)
        == "/node <a> targets the component 7, which is not in the document")
    #expect(
      try refusal("a", in: #"<a phx-click="e" phx-target=".none">x</a>"#)
        == #"/node <a> targets ".none", which matches no element of the page"#)
    #expect(
      try refusal("a", in: #"<a phx-click="e" phx-target="a:hover">x</a>"#).contains(
        "uses CSS that the mirror does not know"))
  }

  private static let component = """
    ["1","1","lv:r","phx_reply",{"status":"ok","response":{"rendered":{"s":["<main>","<p class='t' phx-click='e' phx-target='.c'>x</p></main>"],"0":1,\
    "c":{"1":{"s":["<div class='c'><a phx-click='e' phx-target='1'>x</a><b phx-click='e'>y</b><i phx-click='[[&quot;push&quot;,{&quot;event&quot;:&quot;j&quot;,&quot;target&quot;:1,&quot;value&quot;:{&quot;v&quot;:true}}]]'>z</i></div>"],"r":1}}}}}]
    """

  @Test func `an event of a component has its id`() throws {
    _ = try views.receive(
      frames: Array(Self.component.utf8), dialect: .html, container: nil, of: PageFeedParameters(id: "p")
    ) {
      _ in
    }
    #expect(try act(nil, "a") == Self.click("e", "{}", #","cid":1"#))
    #expect(try act(nil, "b") == Self.click("e", "{}"))
    #expect(try act(nil, "i") == Self.click("j", #"{"v":true}"#, #","cid":1"#))
    // A selector reaches the component that its element belongs to.
    #expect(try act(nil, ".t") == Self.click("e", "{}", #","cid":1"#))
  }

  @Test func `a selector can name an element of another view of the page`() throws {
    _ = try mount(#"<p id="kid-target"></p>"#, "lv:kid")
    #expect(
      try sent("a", in: ##"<a phx-click="e" phx-target="#kid-target">x</a>"##) == [
        "lv:kid~p " + Self.click("e", "{}")[0]
      ])
  }

  // MARK: - Commands

  private func commands(_ json: String) -> String { json.replacing("\"", with: "&quot;") }

  /// The pushes of one binding share an object in LiveView's client, so `b` also has the value of
  /// `a`.
  @Test func `the commands of a binding run in order`() throws {
    let binding = commands(
      ##"[["toggle",{"to":"#m"}],["push",{"event":"a","value":{"x":1}}],["push",{"event":"b","page_loading":true}],["patch",{"href":"/items/2","replace":false}],["navigate",{"href":"/other","replace":true}]]"##
    )
    #expect(
      try sent("a", in: #"<a phx-click="\#(binding)" phx-value-y="2">x</a>"#) == [
        #"event {"type":"click","event":"a","value":{"y":"2","x":1}}"#,
        #"event {"type":"click","event":"b","value":{"y":"2","x":1}}"#,
        #"live_patch {"url":"http://app.test/items/2"}"#,
        #"live_redirect {"to":"http://app.test/other","kind":"replace"}"#,
      ])
  }

  @Test func `exec and dispatch run the bindings of other elements`() throws {
    let exec = commands(##"[["exec",{"attr":"data-cancel","to":"#m"}]]"##)
    let cancel = commands(#"[["push",{"event":"cancel"}],["hide",{}]]"#)
    #expect(
      try sent("a", in: #"<a phx-click="\#(exec)">x</a><div id="m" data-cancel="\#(cancel)" phx-value-id="3"></div>"#)
        == Self.click("cancel", #"{"id":"3"}"#))
    let dispatch = commands(##"[["dispatch",{"event":"click","to":"#b"}]]"##)
    #expect(
      try sent("a", in: #"<a phx-click="\#(dispatch)">x</a><button id="b" phx-click="e">y</button>"#)
        == Self.click("e", #"{"value":""}"#))
    let inner = commands(#"[["exec",{"attr":"data-e","to":{"inner":"i"}}]]"#)
    #expect(
      try sent("a", in: #"<i data-e="\#(cancel)">no</i><a phx-click="\#(inner)"><i data-e="\#(cancel)">x</i></a>"#)
        .count == 1)
  }

  @Test func `commands that only a browser runs are named`() throws {
    let binding = commands(#"[["toggle",{}],["add_class",{"names":["a"]}],["dispatch",{"event":"app:copy"}]]"#)
    #expect(
      try refusal("a", in: #"<a phx-click="\#(binding)">x</a>"#)
        == "/node the action on <a> sends nothing: only a browser runs its commands (toggle, add_class, dispatch app:copy)"
    )
    let loop = commands(#"[["exec",{"attr":"phx-click"}]]"#)
    #expect(
      try refusal("a", in: #"<a phx-click="\#(loop)">x</a>"#)
        == "/node the labels or JS commands of <a> run each other without an end")
  }

  /// Each of these once overflowed the stack of the server.
  @Test func `elements that activate each other end`() throws {
    _ = try refusal("#l", in: "<label id=l>x<output></output></label>")
    _ = try refusal("#l", in: "<label id=l for=d>x<div id=d></div></label>")
    _ = try refusal("#f", in: "<label><fieldset id=f>x</fieldset></label>")
    _ = try refusal("#x", in: "<label for=y><output id=x></output></label><label for=x><output id=y></output></label>")
    let click = commands(#"[["dispatch",{"event":"click"}]]"#)
    #expect(try refusal("a", in: #"<a phx-click="\#(click)">x</a>"#).contains("without an end"))
    let submit = commands(#"[["dispatch",{"event":"submit"}]]"#)
    #expect(try refusal("form", .submit, in: #"<form phx-submit="\#(submit)"></form>"#).contains("without an end"))
    let change = commands(#"[["dispatch",{"event":"change"}]]"#)
    #expect(
      try refusal("input", .change, in: #"<form phx-change="\#(change)"><input name="a"></form>"#).contains(
        "without an end"))
  }

  /// 1,500 such commands on a page of 20,000 elements took 16 s.
  @Test func `commands that search the page too often end`() throws {
    let selector = Array(repeating: "p", count: 60).joined(separator: " ~ ")
    let binding = commands(
      "[" + Array(repeating: #"["focus",{"to":"\#(selector)"}]"#, count: 100).joined(separator: ",") + "]")
    #expect(
      try refusal(
        "a", in: #"<a phx-click="\#(binding)">x</a>"# + Array(repeating: "<p></p>", count: 2_000).joined())
        == "/node the labels or JS commands of <a> need too much work: they run each other without an end, or search the page too often"
    )
  }

  @Test func `an action sends a bounded number of events`() throws {
    let items = String(repeating: "<b></b>", count: 101)
    #expect(
      try refusal("a", in: "<a phx-click=e phx-target=b>x</a>" + items)
        == "/node the action would send more than 100 events")
  }

  @Test func `an action sends a bounded number of bytes`() throws {
    let push = commands(#"[["push",{"event":"e"}],["push",{"event":"e"}],["push",{"event":"e"}]]"#)
    let value = String(repeating: "x", count: 1_500_000)
    #expect(
      try refusal("a", in: "<a phx-click=\"\(push)\" phx-value-x='\(value)'>x</a>")
        == "/node the action would send more than 4 MiB")
  }

  @Test(arguments: [
    "<label><label><label><b phx-click=x>x</b>", "<form phx-change=c><input id=f name=a></form>",
  ])
  func `labels and forms count as work`(markup: String) throws {
    let dispatch = #"["dispatch",{"event":"MARK","to":"TO"}]"#
    let event = markup.hasPrefix("<label") ? ("click", "label") : ("input", "#f")
    let command = dispatch.replacing("MARK", with: event.0).replacing("TO", with: event.1)
    let click = commands("[" + Array(repeating: command, count: 900).joined(separator: ",") + "]")
    let page = "<a id=t phx-click=\"\(click)\"></a>" + markup + String(repeating: "<i></i>", count: 10_000)
    #expect(try refusal("#t", in: page).contains("need too much work"))
  }

  @Test func `a number that is not finite is sent as 0`() throws {
    #expect(
      try sent("progress", .click, in: "<progress value=nan phx-click=e></progress>")
        == Self.click("e", #"{"value":0}"#))
  }

  // MARK: - Links

  @Test(arguments: [
    ("patch", "?page=2", #"live_patch {"url":"http://app.test/items?page=2"}"#),
    ("patch", "/login?next=http://x.test/", #"live_patch {"url":"http://app.test/login?next=http://x.test/"}"#),
    ("patch", "sub", #"live_patch {"url":"http://app.test/sub"}"#),
    ("patch", "#here", #"live_patch {"url":"http://app.test/items?page=1#here"}"#),
    ("patch", "/items/9#x", #"live_patch {"url":"http://app.test/items/9#x"}"#),
    ("redirect", "https://other.test/", #"live_redirect {"to":"https://other.test/","kind":"push"}"#),
  ])
  func `a live link patches or navigates`(kind: String, address: String, expected: String) throws {
    let markup =
      #"<a phx-click="never" data-phx-link="\#(kind)" data-phx-link-state="push" href="\#(address)"><b>x</b></a>"#
    #expect(try sent("b", in: markup) == [expected])
  }

  @Test(arguments: ["javascript:alert(1)", "javascript://%0aalert(1)", "data:text/html,x", "mailto:a@b.test"])
  func `an address that is not of the web is not followed`(address: String) throws {
    let markup = #"<a data-phx-link="redirect" data-phx-link-state="push" href="\#(address)">x</a>"#
    #expect(try refusal("a", in: markup).hasPrefix("/node only http and https addresses can be followed"))
  }

  // MARK: - Keys, focus, window

  @Test func `a key is that of the element, or of the window's bindings`() throws {
    let markup =
      #"<input id="own" value="a" phx-keydown="own" phx-key="Enter"><p id="w1" phx-window-keydown="w" phx-key="escape" phx-value-a="1"></p><p phx-window-keydown="any"></p>"#
    #expect(
      try sent("#own", .keydown, in: markup, #"{"key":"enter"}"#) == [
        #"event {"type":"keydown","event":"own","value":{"key":"enter","value":"a"}}"#
      ])
    #expect(
      try act(.keydown, "#w1", #"{"key":"Escape"}"#) == [
        #"event {"type":"keydown","event":"w","value":{"key":"Escape","a":"1"}}"#,
        #"event {"type":"keydown","event":"any","value":{"key":"Escape"}}"#,
      ])
    #expect(
      try refusal("#own", .keydown, in: markup, #"{"key":"x"}"#)
        == #"/value/key <input#own> accepts the key "Enter" alone (phx-key)"#)
    #expect(
      try refusal("#own", .keydown, in: markup)
        == #"/value/key keydown needs the pressed key, such as {"key": "Enter"}"#)
    #expect(try refusal("#own", .keyup, in: markup, #"{"key":"x"}"#).contains("sends nothing on keyup"))
  }

  @Test func `focus and blur are those of the element`() throws {
    let markup = #"<input phx-focus="f" phx-blur="b" value="v"><p phx-window-blur="w"></p>"#
    #expect(try sent("input", .focus, in: markup) == [#"event {"type":"focus","event":"f","value":{"value":"v"}}"#])
    #expect(
      try act(.blur, "input", #"{"value":"typed"}"#) == [
        #"event {"type":"blur","event":"b","value":{"value":"typed"}}"#
      ])
    #expect(try act(.windowBlur, "p") == [#"event {"type":"blur","event":"w","value":{}}"#])
    #expect(try refusal("p", .focus, in: markup) == "/node <p> has no phx-focus")
  }

  @Test func `a click elsewhere is an action of its own`() throws {
    let markup = #"<div id="m" phx-click-away="close"></div><button phx-click="e">x</button>"#
    #expect(try sent("button", .click, in: markup) == Self.click("e", #"{"value":""}"#))
    #expect(try act(.clickAway, "#m") == Self.click("close", "{}"))
  }
}
