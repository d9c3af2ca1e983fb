import LiveViewMirror
import MarkupDocument
import MicroHTTP
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// What an update did, as one sentence in the words of the page.
@Suite struct HeadlineTests {
  // MARK: - Recorded apps

  private func headline(_ recording: String, _ version: Int) throws -> String? {
    let recording = try #require(Recording.committed.first { $0.name == "1.2.10/\(recording)" })
    return try RecordedMirror.main(of: recording).json("log/\(version)?explain=true")["headline"].string
  }

  @Test(
    arguments: [
      ("03_todo", 0, "The page was mounted with 69 nodes"),
      ("03_todo", 4, "Clicking add added 1 list item (now 4) and changed “3 todos” to “4 todos”"),
      // The element of each item has the same event: its value tells which one was clicked.
      (
        "03_todo", 6,
        "Clicking ○ (toggle) in “Buy milk” added “done #1: 1”, changed the class of 1 list item and “○” to “✓”"
      ),
      // The diff has removed the element that was clicked.
      (
        "03_todo", 10,
        "Clicking x (delete) in “Buy milk” removed 1 of 5 list items and changed “5 todos” to “4 todos”"
      ),
      ("03_todo", 12, "Clicking clear removed all 3 list items, added 1 paragraph and changed “3 todos” to “0 todos”"),
      // An added item counts neither before the diff, nor a removed one after it.
      (
        "03_todo", 14,
        "Clicking refill added 3 list items (now 3), removed 1 list item and changed “1 todos” to “3 todos”"
      ),
      ("03_todo", 19, "Clicking reverse moved 2 of 3 list items"),
      // The id of the container names the items.
      ("07_streams", 7, "Clicking delete removed 1 of 12 items"),
      ("07_streams", 23, "Clicking update_only changed nothing"),
      ("08_form", 4, "Editing multi changed whether 3 options are selected"),
      ("13_big_table", 3, "Clicking rev moved 998 of 999 rows"),
      (
        "16_dashboard", 1,
        "The server changed 10 texts, the value of 7 progress bars, 2 elements and made 4 other changes"
      ),
    ]) func `an update is a sentence`(recording: String, version: Int, sentence: String) throws
  {
    #expect(try headline(recording, version) == sentence)
  }

  @Test(arguments: Recording.committed)
  func `no sentence has a node's number, a slot or an unfinished part`(recording: Recording) throws {
    for mirror in try RecordedMirror.all(of: recording) {
      for entry in mirror.entries {
        guard let version = entry["version"].int,
          let sentence = try mirror.json("log/\(version)?explain=true")["headline"].string
        else { continue }
        #expect(
          sentence.contains(/^(The|Clicking|Editing|Submitting|Pressing|Focusing|Leaving|Navigating) ?\S/),
          "\(sentence)")
        #expect(!sentence.contains(#/ {2}|, and|“”| $|\bslot\b/#) && sentence.count < 400, "\(sentence)")
      }
    }
  }

  // MARK: - Which element

  /// The sentence of the diff that answers an event on a page.
  private func sentence(_ page: String, _ event: String, diff: String = #"{"0":"1"}"#) throws -> String? {
    try sentence(rendered: #"{"0":"0","s":["<p>","</p>\#(page)"]}"#, event, diff: diff)
  }

  private func sentence(rendered: String, _ event: String, diff: String) throws -> String? {
    let client = try Client()
    let frames = [
      #"["4","4","lv:r","phx_reply",{"status":"ok","response":{"rendered":\#(rendered)}}]"#,
      #"["4","7","lv:r","event",\#(event)]"#,
      #"["4","7","lv:r","phx_reply",{"status":"ok","response":{"diff":\#(diff)}}]"#,
    ]
    _ = try client.post("/frames", frames.joined(separator: "\n"))
    return try client.get("/views/lv:r/log/1?explain=true").json["headline"].string
  }

  @Test(
    arguments: [
      // A label instead of a text.
      (#"<button phx-click='inc' aria-label='Add one'></button>"#, "Clicking Add one"),
      (#"<a phx-click='inc'><img alt='Plus'></a>"#, "Clicking Plus"),
      // A list of commands pushes the event.
      (#"<i phx-click='[[&quot;push&quot;,{&quot;event&quot;:&quot;inc&quot;}]]'>More</i>"#, "Clicking More"),
      // Another list does not.
      (#"<i phx-click='[[&quot;push&quot;,{&quot;event&quot;:&quot;increase&quot;}]]'>More</i>"#, "Clicking inc"),
      // Two elements with the same words, and two with different ones.
      (#"<i phx-click='inc'>More</i><i phx-click='inc'>More</i>"#, "Clicking More"),
      (#"<i phx-click='inc'>More</i><i phx-click='inc'>Less</i>"#, "Clicking inc"),
      // Another event, another component, another value.
      (#"<i phx-click='dec'>More</i>"#, "Clicking inc"),
      (#"<i phx-click='inc' phx-target='3'>More</i>"#, "Clicking inc"),
      (#"<i phx-click='inc' phx-value-by='2'>More</i>"#, "Clicking inc"),
      // A binding of another kind, alone and before the one of a click.
      (#"<i phx-blur='inc'>More</i>"#, "Clicking inc"),
      (#"<i phx-focus='inc' phx-click='inc'>More</i>"#, "Clicking More"),
      // A click elsewhere.
      (#"<div phx-click-away='inc'>Are you sure?</div>"#, "Clicking outside of Are you sure?"),
      // A button's value, and not what a user enters.
      (#"<input type='submit' value='Plus' phx-click='inc'>"#, "Clicking Plus"),
      (#"<input name='email' value='ada@x.org' phx-click='inc'>"#, "Clicking email"),
      // Text of a page stays text.
      (#"<i phx-click='inc'>&lt;b&gt; 1\n  2</i>"#, "Clicking <b> 1 2"),
    ]) func `a click is named by the words of its element`(page: String, subject: String) throws
  {
    let event = #"{"type":"click","event":"inc","value":{"value":""}}"#
    #expect(
      try sentence(page.replacing("\"", with: "\\\""), event) == "\(subject) changed “0” to “1”")
  }

  @Test(
    arguments: [
      // The update replaces the button that was clicked.
      (
        #""<button id='start' phx-click='inc'>Start</button>""#, #""<button id='stop' phx-click='inc'>Stop</button>""#,
        "Clicking Start "
      ),
      // It adds another one.
      (
        #""<b></b><button phx-click='inc'>Open</button>""#,
        #""<b></b><button phx-click='inc'>Open</button><button phx-click='inc'>Close</button>""#, "Clicking Open "
      ),
      // It changes the text, a label and a value of the button.
      (#""<i phx-click='inc'>Off</i>""#, #""<i phx-click='inc'>On</i>""#, "Clicking Off "),
      (
        #""<i id='a' phx-click='inc' aria-label='Mute'></i>""#,
        #""<i id='a' phx-click='inc' aria-label='Unmute'></i>""#,
        "Clicking Mute "
      ),
      (
        #""<i id='a' phx-click='inc' phx-value-by='1'>Add</i>""#,
        #""<i id='a' phx-click='inc' phx-value-by='2'>Add</i>""#,
        "Clicking Add "
      ),
    ]) func `the element is the one before the update`(before: String, after: String, subject: String) throws
  {
    let event = #"{"type":"click","event":"inc","value":{"by":"1"}}"#
    let sentence = try #require(
      try self.sentence(rendered: #"{"0":\#(before),"s":["<main>","</main>"]}"#, event, diff: #"{"0":\#(after)}"#))
    #expect(sentence.hasPrefix(subject), "\(sentence)")
  }

  /// The sentence of a diff that changes “0” to “1”, without that.
  private func subject(_ page: String, _ event: String) throws -> String? {
    try sentence(page, event).map { $0.replacing(" changed “0” to “1”", with: "") }
  }

  @Test(
    arguments: [
      ("<label for='f'>Bio</label><textarea id='f' name='bio' phx-change='check'>I am</textarea>", "Bio"),
      ("<label>Color <select name='color' phx-change='check'><option>Red</option></select></label>", "Color"),
      ("<label>Bio <textarea name='bio' phx-change='check'>I am</textarea></label>", "Bio"),
      ("<input aria-label='Find' placeholder='Name' name='q' value='x' phx-change='check'>", "Find"),
      ("<input placeholder='Name' name='q' value='x' phx-change='check'>", "Name"),
      ("<select name='color' phx-change='check'><option>Red</option><option>Blue</option></select>", "color"),
    ]) func `a field is named by its label, not by its content`(page: String, name: String) throws
  {
    #expect(try subject(page, #"{"type":"form","event":"check","value":"a=1"}"#) == "Editing \(name)")
  }

  @Test(
    arguments: [
      // The button that submits it.
      ("<form phx-change='check'><input type='submit' value='Save'></form>", "a=1", "Editing the Save form"),
      ("<form phx-change='check'><button aria-label='Send'></button></form>", "a=1", "Editing the Send form"),
      ("<form phx-change='check'><button type='button'>Clear</button></form>", "a=1", "Editing the form (check)"),
      // The values of the form are not in its event.
      ("<form phx-change='check' phx-value-id='7'><button>Save</button></form>", "a=1", "Editing the Save form"),
      // The changed field.
      (
        "<form phx-change='check'><label>Email <input name='user[email]'></label></form>",
        "user%5Bemail%5D=a&_target=user%5Bemail%5D", "Editing Email"
      ),
      ("<form phx-change='check'><button>Save</button></form>", "a=1&_target=a", "Editing the Save form"),
      (
        "<form phx-change='check'><button>Save</button><input type='radio' name='a'><input type='radio' name='a'></form>",
        "a=1&_target=a", "Editing the Save form"
      ),
    ]) func `a form is named by its button, or by the changed field`(page: String, value: String, subject: String)
    throws
  {
    #expect(try self.subject(page, #"{"type":"form","event":"check","value":"\#(value)"}"#) == subject)
  }

  @Test func `one letter with many marks is cut`() throws {
    let marks = String(repeating: "\u{301}", count: 500)
    let sentence = try #require(
      try subject("<i phx-click='inc'>e\(marks)</i>", #"{"type":"click","event":"inc","value":{}}"#))
    // The text, and what is around it in `Clicking e… (inc)`.
    #expect(sentence.unicodeScalars.count == 60 + 16, "\(sentence)")
  }

  @Test func `an act outside of an element does not frame it`() throws {
    let client = try Client()
    let page = "<p>Text</p><div phx-window-focus='came' phx-window-blur='went'>Chat</div>"
    #expect(try subject(page, #"{"type":"focus","event":"came","value":{}}"#) == "Focusing the window")
    #expect(try subject(page, #"{"type":"blur","event":"went","value":{}}"#) == "Leaving the window")
    for (binding, isLinked) in [("click", true), ("click-away", false)] {
      let frames = [
        #"["4","4","lv:\#(binding)","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p><i phx-\#(binding)='inc'>More</i>"]}}}]"#,
        #"["4","7","lv:\#(binding)","event",{"type":"click","event":"inc","value":{}}]"#,
        #"["4","7","lv:\#(binding)","phx_reply",{"status":"ok","response":{"diff":{"0":"1"}}}]"#,
      ]
      _ = try client.post("/frames", frames.joined(separator: "\n"))
      let page = ParsedPage(Array(try client.get("/views/lv:\(binding)?version=1", accept: "text/html").text.utf8))
      let subject = try #require(page.first("h3", "subject"))
      #expect((page.first("a", "node", in: subject) != nil) == isLinked)
    }
  }

  @Test func `other events have their own verbs`() throws {
    let form = #"<form phx-change='check' phx-submit='save'><button>Send</button></form>"#
    #expect(try subject(form, #"{"type":"form","event":"check","value":"a=1"}"#) == "Editing the Send form")
    #expect(try subject(form, #"{"type":"form","event":"save","value":"a=1"}"#) == "Submitting Send")
    #expect(try subject("", #"{"type":"form","event":"save","value":"a=1"}"#) == "The form event save")
    #expect(
      try subject(
        "<label for='n'>Name</label><input id='n' phx-change='check'>",
        #"{"type":"form","event":"check","value":"a=1"}"#)
        == "Editing Name")
    #expect(try subject("", #"{"type":"keydown","event":"key","value":{"key":"Enter"}}"#) == "Pressing Enter")
    #expect(try subject("", #"{"type":"keyup","event":"key","value":{"key":" "}}"#) == "Pressing Space")
    #expect(try subject("", #"{"type":"keydown","event":"key","value":{"key":""}}"#) == "A key for key")
    let long = String(repeating: "k", count: 61)
    #expect(
      try subject("", #"{"type":"keydown","event":"key","value":{"key":"\#(long)"}}"#)
        == "Pressing \(long.dropLast())…")
    #expect(try subject("", #"{"type":"hook","event":"moved","value":{}}"#) == "The hook’s event moved")
    #expect(
      try subject("<input phx-blur='left' name='user'>", #"{"type":"blur","event":"left","value":{}}"#)
        == "Leaving user")
  }

  // MARK: - What it did

  @Test(
    arguments: [
      (#"{"e":[["hello",{"n":1}]]}"#, "The server sent the event hello"),
      (#"{"e":[["hello",{}],["hello",{}],["bye",{}]]}"#, "The server sent 3 events"),
      (#"{"e":[["hello",{}]],"0":"1"}"#, "The server changed “0” to “1”"),
      (#"{"1":"\n"}"#, "The server changed only white space and comments"),
      (#"{"0":"0"}"#, "The server changed nothing"),
    ]) func `a diff that changes nothing to see says why`(diff: String, sentence: String) throws
  {
    let client = try Client()
    _ = try client.post("/views/main/rendered", #"{"0":"0","1":" ","s":["<p>","</p><div><b>A</b>","<b>B</b></div>"]}"#)
    _ = try client.post("/views/main/diffs", diff)
    #expect(try client.get("/views/main/log/1?explain=true").json["headline"].string == sentence)
  }

  @Test(
    arguments: [
      ("todos", "2 todos"), ("open-todos", "2 todos"), ("boxes", "2 boxes"), ("matches", "2 matches"),
      ("addresses", "2 addresses"), ("entries", "2 entries"), ("movies", "2 movies"), ("cookies", "2 cookies"),
      ("caches", "2 caches"), ("series", "2 list items"), ("news", "2 list items"), ("canvas", "2 list items"),
      ("analysis", "2 list items"), ("status", "2 list items"), ("buttons", "2 list items"),
    ]) func `the id of a list names its items`(id: String, items: String) throws
  {
    func headline(adding items: String) throws -> String? {
      let client = try Client()
      _ = try client.post("/views/main/rendered", #"{"0":"","s":["<ul id='\#(id)'>","</ul>"]}"#)
      _ = try client.post("/views/main/diffs", #"{"0":"\#(items)"}"#)
      return try client.get("/views/main/log/1?explain=true").json["headline"].string
    }
    #expect(try headline(adding: "<li>a</li><li>b</li>") == "The server added \(items)")
    let singulars = [
      "boxes": "box", "matches": "match", "addresses": "address", "entries": "entry", "movies": "movie",
      "caches": "cache",
    ]
    if let singular = singulars[id] { #expect(try headline(adding: "<li>a</li>") == "The server added 1 \(singular)") }
  }

  @Test func `a move of the only element with its tag has no share`() throws {
    let client = try Client()
    let (first, second) = ("<section id='a'></section>", "<div id='b'></div>")
    _ = try client.post("/views/main/rendered", #"{"0":"\#(first)\#(second)","s":["<main>","</main>"]}"#)
    _ = try client.post("/views/main/diffs", #"{"0":"\#(second)\#(first)"}"#)
    #expect(try client.get("/views/main/log/1?explain=true").json["headline"].string == "The server moved 1 element")
  }

  // MARK: - On the page

  @Test func `the page begins with the sentence, and what it names is emphasised`() throws {
    let recording = try #require(Recording.committed.first { $0.name == "1.2.10/03_todo" })
    let page = try RecordedMirror.main(of: recording).page("version=4&tab=diff")
    let subject = try #require(page.first("h3", "subject"))
    #expect(page.words(of: subject) == "Clicking add added 1 list item (now 4) and changed 3 todos to 4 todos")
    #expect(page.first("b", nil, in: subject).map { page.words(of: $0) } == "add")
  }

  // MARK: - Pictures

  private func picture(_ view: ViewState, _ side: ChangePicture.Side, _ version: Int) throws -> String? {
    let record = try #require(view.log.record(of: version))
    let document = try #require(view.document(at: side == .before ? version - 1 : version))
    return ChangePicture(of: record, side, in: document).map { $0.document.markup(of: $0.document.root) }
  }

  private static let list =
    #"{"s":["<h1>A</h1><main class=\"m\"><aside>B</aside><ul>","</ul></main>"],"0":{"s":["<li id=\"","\">","</li>"],"k":{"0":{"0":"a","1":"1"},"1":{"0":"b","1":"2"},"kc":2}}}"#

  @Test func `a picture has the element around the changes with its ancestors, and marks the changes`() throws {
    let view = try SampleView.mounted(
      Self.list, diffs: [#"{"0":{"k":{"0":1,"1":0,"kc":2}}}"#, #"{"0":{"k":{"0":{"1":"3"},"kc":1}}}"#])
    #expect(
      try picture(view, .before, 1)
        == #"<main class="m"><ul><li id="a">1</li><li id="b" data-mirror-change="moved">2</li></ul></main>"#)
    #expect(
      try picture(view, .after, 1)
        == #"<main class="m"><ul><li id="b" data-mirror-change="moved">2</li><li id="a">1</li></ul></main>"#)
    #expect(
      try picture(view, .before, 2)
        == #"<main class="m"><ul><li id="b" data-mirror-change="changed">2</li><li id="a" data-mirror-change="removed">1</li></ul></main>"#
    )
    #expect(
      try picture(view, .after, 2) == #"<main class="m"><ul><li id="b" data-mirror-change="changed">3</li></ul></main>"#
    )
  }

  @Test func `a picture of a long list has the changed entry and its neighbours`() throws {
    let entries = (0..<500).map { #""\#($0)":{"0":"i\#($0)","1":"\#($0)"}"# }.joined(separator: ",")
    let view = try SampleView.mounted(
      #"{"s":["<ul>","</ul>"],"0":{"s":["<li id=\"","\">","</li>"],"k":{\#(entries),"kc":500}}}"#,
      diffs: [#"{"0":{"k":{"250":{"1":"x"},"400":{"1":"y"},"kc":500}}}"#])
    let markup = try #require(try picture(view, .after, 1))
    #expect(
      markup
        == #"<ul><li id="i249" data-mirror-gap="before">249</li><li id="i250" data-mirror-change="changed">x</li><li id="i251" data-mirror-gap="after">251</li><li id="i399" data-mirror-gap="before">399</li><li id="i400" data-mirror-change="changed">y</li><li id="i401" data-mirror-gap="after">401</li></ul>"#
    )
  }

  @Test func `the picture is a page without scripts, and a diff without changes has none`() throws {
    let client = try Client()
    _ = try client.post("/views/main/rendered", Self.list)
    _ = try client.post("/views/main/diffs", #"{"0":{"k":{"0":{"1":"9"},"kc":2}}}"#)
    _ = try client.post("/views/main/diffs", #"{"0":{"k":{"0":{"1":"9"},"kc":2}}}"#)
    let answer = try client.get("/views/main/page?frame=1&part=before&version=1")
    #expect(answer.status == 200 && answer.text.contains("data-mirror-change=\"changed\""))
    #expect(answer.response.headers["Content-Security-Policy"]?.hasPrefix("sandbox") == true)
    #expect(try client.get("/views/main/page?frame=1&part=after&version=2").status == 404)
    #expect(try client.get("/views/main/page?frame=1&part=later&version=1").status == 400)
    #expect(try client.get("/views/main/page?part=later").status == 400)
    let page = try client.get("/views/main?version=2", accept: "text/html").text
    #expect(!page.contains("class=\"pictures\""))
  }
}
