import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorSupport
import RenderedTree
import Testing

/// What forms send. Each expectation was read from LiveView's JavaScript and compared with its
/// frames in Chromium.
@Suite struct FormActionTests {
  private let views = LiveViews(options: UpdateOptions().withAnalyses)

  private func mount(_ markup: String) throws {
    _ = try views.mount(
      "v", Array((["s": .array([.string(markup)])] as MirrorSupport.JSON).encoded.utf8), dialect: .html)
  }

  private func act(
    _ kind: NodeAction.Kind?, _ selector: String, _ value: String = "{}", isSent: Bool = true,
    _ change: (inout NodeAction) -> Void = { _ in }
  ) throws -> MirrorSupport.JSON.Members {
    let document = try #require(views["v"]?.document)
    let parsed = try #require(Selector(selector))
    var action = NodeAction(on: try #require(document.node(matching: parsed)), kind)
    action.value = try #require(MirrorSupport.JSON(parsing: value)?.members)
    change(&action)
    let plan = try views.plan(action, of: "v")
    if isSent { views.didSend(plan) }
    #expect(plan.pushes.count == 1)
    return try #require(plan.pushes.first).payload
  }

  private func refusal(
    _ kind: NodeAction.Kind?, _ selector: String, _ value: String = "{}",
    _ change: (inout NodeAction) -> Void = { _ in }
  ) throws -> String {
    do {
      _ = try act(kind, selector, value, change)
      return "nothing was refused"
    } catch let error as ActionError {
      return "\(error.pointer) \(error.reason)"
    }
  }

  private static let form = """
    <form id="f" phx-change="validate" phx-submit="save" phx-value-id="7">
    <input name="user[name]" value="Ada"><input type="password" name="user[pass]">
    <input type="hidden" name="user[ok]" value="false"><input id="ok" type="checkbox" name="user[ok]" value="true">
    <input id="a" type="radio" name="kind" value="a" checked><input id="b" type="radio" name="kind" value="b">
    <select name="tags[]" multiple><option selected>x</option><option>y</option><option selected disabled>z</option></select>
    <textarea name="bio">\n\none</textarea><input name="off" value="1" disabled><input value="no name">
    <input type="file" name="file"><button id="go" name="commit" value="go">go</button><button type="button" name="plain">x</button></form>
    <input id="outside" name="outside" form="f" value="here">
    """

  @Test func `a change sends the whole form, the target, and which fields were not used`() throws {
    try mount(Self.form)
    let payload = try act(.change, "[name='user[name]']", #"{"value":"Äda & co"}"#)
    #expect(payload["type"] == "form" && payload["event"] == "validate" && payload["uploads"] == [:])
    #expect(payload["meta"] == (["_target": "user[name]", "id": "7"] as MirrorSupport.JSON))
    #expect(
      payload["value"]?.text
        == "user%5Bname%5D=%C3%84da+%26+co&user%5B_unused_pass%5D=&user%5Bpass%5D=&user%5B_unused_ok%5D="
        + "&user%5Bok%5D=false&_unused_kind=&kind=a&_unused_tags%5B%5D=&tags%5B%5D=x&_unused_bio=&bio=%0Aone&_unused_outside="
        + "&outside=here")
  }

  @Test func `a field that was changed stays used, and keeps its value until the server changes it`() throws {
    try mount(Self.form)
    _ = try act(.change, "[name='user[name]']", #"{"value":"b"}"#)
    let second = try act(.change, "#b", #"{"checked":true}"#)["value"]?.text ?? ""
    #expect(second.hasPrefix("user%5Bname%5D=b&user%5B_unused_pass%5D="))
    #expect(second.contains("&kind=b&") && !second.contains("_unused_kind"))
  }

  @Test func `an entered value lasts until the server changes the field, and a secret one is not kept`() throws {
    let body =
      ([
        "s": .array([
          .string("<form phx-change=c><input id=a name=a value='"),
          .string("'><input id=p name=p type=password><input id=t name=api_token>"), .string("</form>"),
        ]), "0": "1", "1": "",
      ] as MirrorSupport.JSON)
    _ = try views.mount("v", Array(body.encoded.utf8), dialect: .html)
    _ = try act(.change, "#a", #"{"value":"typed"}"#)
    _ = try act(.change, "#p", #"{"value":"secret"}"#)
    #expect(try act(.change, "#t", #"{"value":"secret"}"#)["value"]?.text == "a=typed&p=&api_token=secret")
    _ = try views.update("v", Array(#"{"1":"text"}"#.utf8))
    #expect(try act(.change, "#p")["value"]?.text == "a=typed&p=&api_token=")
    _ = try views.update("v", Array(#"{"0":"2"}"#.utf8))
    #expect(try act(.change, "#p")["value"]?.text == "a=2&p=&api_token=")
  }

  @Test func `an action that is not sent uses no field and enters nothing`() throws {
    try mount(Self.form)
    _ = try act(.submit, "#f", #"{"user[name]":"Eve"}"#, isSent: false)
    let value = try #require(try act(.change, "#ok")["value"]?.text)
    #expect(value.contains("user%5B_unused_name%5D=&user%5Bname%5D=Ada"))
  }

  @Test(arguments: ["#ok", "[name=plain]", "#other", "p"])
  func `only a button of the form submits it`(selector: String) throws {
    try mount(Self.form + #"<p><form phx-submit="x"><button id="other">x</button></form>"#)
    let document = try #require(views["v"]?.document)
    let parsed = try #require(Selector(selector))
    let button = try #require(document.node(matching: parsed))
    #expect(
      try refusal(.submit, "#f") { $0.submitter = button }
        == "/submitter node \(button.number) is not a button that submits <form#f>")
  }

  @Test func `a reset form has the values of the document, and no used fields`() throws {
    try mount(
      #"<form phx-change="c" phx-value-x="1"><input id="a" name="a" value="1"><button type="reset">x</button></form>"#)
    _ = try act(.change, "#a", #"{"value":"2"}"#)
    let payload = try act(nil, "button")
    #expect(payload["value"]?.text == "_unused_a=&a=1")
    #expect(payload["meta"] == (["_target": "undefined", "x": "1"] as MirrorSupport.JSON))
    #expect(try act(.change, "button")["value"]?.text == "_unused_a=&a=1")
  }

  @Test func `a submission by a field uses the first button`() throws {
    try mount(
      #"<form id="f" phx-submit="s"><input id="a" name="a"><button name="b" value="1">1</button><button name="b" value="2">2</button></form>"#
    )
    #expect(try act(.submit, "#a")["value"]?.text == "a=&b=1")
    #expect(try act(.keydown, "#a", #"{"key":"Enter"}"#)["value"]?.text == "a=&b=1")
    #expect(try act(.submit, "#f")["value"]?.text == "a=")
    try mount(#"<form phx-submit="s"><input id="a" name="a"><button disabled id="go">1</button></form>"#)
    #expect(try refusal(.submit, "#a") == "/node <button#go>, which submits <form>, is disabled")
  }

  @Test func `a submission uses all fields, and has the entry of its button`() throws {
    try mount(Self.form)
    let payload = try act(.submit, "#f", #"{"user[name]":"Eve","user[ok]":true,"tags[]":["y"],"kind":"b"}"#)
    #expect(
      payload["event"] == "save" && payload["uploads"] == nil && payload["meta"] == (["id": "7"] as MirrorSupport.JSON))
    #expect(
      payload["value"]?.text
        == "user%5Bname%5D=Eve&user%5Bpass%5D=&user%5Bok%5D=false&user%5Bok%5D=true&kind=b&tags%5B%5D=y&bio=%0Aone&outside=here"
    )
    #expect(try act(nil, "#go")["value"]?.text?.hasSuffix("&bio=%0Aone&commit=go&outside=here") == true)
  }

  @Test func `a click on a check box, its label, or a button acts on the form`() throws {
    try mount(
      #"<form id="f" phx-change="c" phx-submit="s"><label for="x"><b>text</b></label><input id="x" type="checkbox" name="x"><label id="l"><input type="radio" name="r" value="1"></label><button>go</button></form>"#
    )
    #expect(try act(nil, "b")["value"]?.text == "x=on")
    #expect(try act(nil, "#l")["value"]?.text == "x=on&r=1")
    #expect(try act(nil, "button")["event"] == "s")
    // A browser reports what follows from a click by itself.
    #expect(throws: ActionError.self) { try act(.click, "button") { $0.hasDefault = false } }
  }

  @Test func `a field with a binding of its own sends itself alone`() throws {
    try mount(
      ##"<form phx-change="c"><input name="a" value="1"><input id="own" name="b" value="2" phx-change="mine"></form>"##)
    let payload = try act(.change, "#own")
    #expect(payload["event"] == "mine" && payload["value"] == "b=2" && payload["meta"] == ["_target": "b"])
  }

  @Test func `commands of a form push with its values`() throws {
    let binding = #"[["push",{"event":"c","value":{"extra":1}}],["show",{}]]"#.replacing("\"", with: "&quot;")
    try mount(#"<form phx-change="\#(binding)" phx-submit="\#(binding)"><input name="a" value="1"></form>"#)
    #expect(try act(.change, "input")["meta"] == (["_target": "a", "extra": 1] as MirrorSupport.JSON))
    #expect(try act(.submit, "form")["meta"] == (["extra": 1] as MirrorSupport.JSON))
  }

  @Test func `the entries that a browser has read are sent as they are`() throws {
    try mount(#"<form phx-change="c"><input name="a" value="1"><input name="b" value="2"></form>"#)
    let payload = try act(.change, "[name=b]") { $0.entries = [FormEntry("b", "x y"), FormEntry("a", "")] }
    #expect(payload["value"]?.text == "b=x+y&_unused_a=&a=")
  }

  @Test func `phx-no-unused-field suppresses the marks`() throws {
    try mount(
      #"<form phx-change="c"><input name="a" phx-no-unused-field><input name="b"><input id="c" name="c"></form>"#)
    #expect(try act(.change, "#c", #"{"value":"1"}"#)["value"]?.text == "a=&_unused_b=&b=&c=1")
    try mount(#"<form phx-change="c" phx-no-unused-field><input name="b"><input id="c" name="c"></form>"#)
    #expect(try act(.change, "#c", #"{"value":"1"}"#)["value"]?.text == "b=&c=1")
  }

  @Test(arguments: [
    ("user[name]", "user[_unused_name]"), ("name", "_unused_name"), ("tags[]", "_unused_tags[]"),
    ("user[tags][]", "user[_unused_tags][]"), ("a[b][c]", "a[b][_unused_c]"), ("[]", "[]"), ("a[]b", "a[]_unused_b"),
  ])
  func `the mark of an unused field is in the last part of its name`(name: String, expected: String) throws {
    try mount(#"<form phx-change="c"><input name="\#(name)"><input id="c" name="c"></form>"#)
    let value = try act(.change, "#c")["value"]?.text ?? ""
    let first = value.split(separator: "=")[0].replacing("%5B", with: "[").replacing("%5D", with: "]")
    #expect(first == expected)
  }

  @Test func `wrong values are refused with their place`() throws {
    try mount(Self.form)
    #expect(
      try refusal(.submit, "#f", #"{"user[nam]":"x"}"#)
        == #"/value/user[nam] <form#f> has no field called "user[nam]": it has user[name], user[pass], user[ok], kind, tags[], bio, off, file, commit, plain, outside"#
    )
    #expect(
      try refusal(.change, "#ok", #"{"checked":"yes","value":{}}"#).hasPrefix(
        "/value/value the value of a field must be a text"))
    #expect(try refusal(.change, "#f").hasPrefix("/value a change of <form#f> must name the field that changes"))
    try mount(#"<input id="x" phx-change="c"><form id="f"><input id="y"></form>"#)
    #expect(try refusal(.change, "#x") == "/node <input#x> is in no form, so LiveView sends no change")
    #expect(try refusal(.change, "#y") == "/node neither <input#y> nor <form#f> has a phx-change")
    #expect(try refusal(.submit, "#f") == "/node <form#f> has no phx-submit")
  }
}
