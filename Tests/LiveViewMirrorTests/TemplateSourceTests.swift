import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

@testable import LiveViewMirror
@testable import MirrorAnalysis

/// The lines of slots in the templates of an app with debug annotations.
@Suite struct TemplateSourceTests {
  private func debugView() throws -> (ViewState, [ChangeRecord]) {
    let recording = try #require(Recording.all.first { $0.name.hasSuffix("15_todo_debug") })
    let (view, decoder) = (LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses), WireDecoder())
    var records: [ChangeRecord] = []
    for step in recording.steps {
      let message = try #require(try decoder.decode(step.frame, as: .frames).first).get()
      if let record = try view.receive(message, dialect: .html) { records.append(record) }
    }
    return (try #require(view.view), records)
  }

  private func text(_ source: TemplateSource) -> String {
    "\(source.location.map { "\($0.file):\($0.line)" } ?? "none") \(source.function ?? "none")"
  }

  private func source(of slot: String, in view: ViewState) throws -> TemplateSource {
    try #require(view.templateSources(of: [slot])[slot])
  }

  /// The page has `<h2>` in line 162, `<ul>` in 163, the call of `item` in 164, and `item` from
  /// line 144 on.
  @Test(arguments: [
    ("0", "lib/live/basic.ex:162 Rec.TodoDebugLive.render"),
    ("1", "lib/live/basic.ex:163 Rec.TodoDebugLive.render"),
    ("1.k.4", "lib/live/basic.ex:164 Rec.TodoDebugLive.render"),
    ("1.k.kc", "lib/live/basic.ex:164 Rec.TodoDebugLive.render"),
    ("1.k.2.0", "lib/live/basic.ex:164 Rec.TodoDebugLive.render"),
    ("1.k.2.0.0", "lib/live/basic.ex:145 Rec.TodoDebugLive.item"),
    ("1.k.2.0.1", "lib/live/basic.ex:145 Rec.TodoDebugLive.item"),
    ("1.k.2.0.2", "lib/live/basic.ex:146 Rec.TodoDebugLive.item"),
    ("1.k.2.0.4", "lib/live/basic.ex:147 Rec.TodoDebugLive.item"),
    ("1.k.2.0.6", "lib/live/basic.ex:149 Rec.TodoDebugLive.item"),
    ("3.k.0.0", "lib/live/basic.ex:167 Rec.TodoDebugLive.render"),
    ("", "lib/live/basic.ex:160 Rec.TodoDebugLive.render"),
  ])
  func `a slot has the line of its element or call`(slot: String, expected: String) throws {
    let (view, _) = try debugView()
    #expect(try text(source(of: slot, in: view)) == expected)
    #expect(view.hasAnnotations)
  }

  @Test(arguments: [
    ("0", "inside `<h2>` at basic.ex:162"), ("2", "inside `<section>` at basic.ex:161"),
    ("1.k.2.0.0", "at basic.ex:145"), ("1.k.kc", "at basic.ex:164"), ("9", nil),
  ])
  func `the line of an element around a slot is said to be one`(slot: String, place: String?) throws {
    #expect(try source(of: slot, in: debugView().0).place == place)
  }

  @Test func `every slot of every record has a line`() throws {
    let (view, records) = try debugView()
    let names = Set(records.flatMap { $0.slots.joined() + $0.waste.slots })
    #expect(names.count > 5)
    let sources = view.templateSources(of: names)
    for name in names { #expect(sources[name]?.location != nil, "\(name)") }
    for slot in view.wasteReport().slots { #expect(slot.source.location != nil && slot.source.function != nil) }
  }

  @Test func `the slots of one line are summed`() throws {
    let (view, records) = try debugView()
    let report = view.wasteReport()
    let lines = CostTotals(of: view, by: .source)
    #expect(lines.rows.reduce(0) { $0 + $1.bytes } == report.bytes)
    #expect(lines.rows.reduce(0) { $0 + $1.wastedBytes } == report.wastedBytes)
    #expect(lines.rows.map(\.bytes) == lines.rows.map(\.bytes).sorted(by: >))
    let item = try #require(lines.rows.first { $0.key == "lib/live/basic.ex:145" })
    let parts = report.slots.filter { ["1.k.*.0.1", "1.k.*.0.5"].contains($0.slot) }
    #expect(item.bytes == parts.reduce(0) { $0 + $1.bytes } && item.bytes > 0)
    #expect(item.source.function == "Rec.TodoDebugLive.item")
    // A diff that sends both slots counts once.
    #expect(item.diffs >= (parts.map(\.diffs).max() ?? 0) && item.diffs < parts.reduce(0) { $0 + $1.diffs })
    #expect(lines.diffs == records.count { $0.version > 0 })
  }

  /// Reads the slots of one template.
  private func positions(_ strings: String...) -> [String] {
    AnnotatedTemplate(Statics(strings)).positions.map {
      "\($0.file ?? "-"):\($0.line.map { String($0) } ?? "-") \($0.function ?? "-")"
    }
  }

  @Test func `the line may follow the slot in a start tag`() {
    #expect(
      positions("<p data-phx-loc=\"1\"><a", " data-phx-loc=\"2\" x=\">", "\">", "</a>") == ["-:2 -", "-:2 -", "-:2 -"])
  }

  @Test func `void and closed elements are not around a slot`() {
    #expect(positions("<p data-phx-loc=\"1\"><br data-phx-loc=\"2\"><i data-phx-loc=\"3\"></i>", "</p>") == ["-:1 -"])
  }

  @Test func `the content of a slot of a function component has the file of its caller`() {
    #expect(
      positions(
        "<!-- <A.card> a.ex:5 (app) --><div data-phx-loc=\"6\">",
        "<!-- <:inner_block> b.ex:20 (app) -->", "<!-- </:inner_block> -->", "</div><!-- </A.card> -->")
        == ["-:6 A.card", "b.ex:20 :inner_block", "-:6 A.card"])
  }

  @Test func `a call has the line of the call, and text after it does not`() {
    #expect(
      positions("<!-- <A.b> a.ex:5 (app) --><!-- @caller a.ex:7 (app) -->", " text ", "<!-- </A.b> -->")
        == ["a.ex:7 A.b", "a.ex:5 A.b"])
  }

  @Test func `strings without annotations have no line`() {
    #expect(positions("<p", " class=\"x\" title='", "'><!-- a comment -->", "</p>") == ["-:- -", "-:- -", "-:- -"])
    #expect(!AnnotatedTemplate(Statics(["<p>", "</p>"])).isAnnotated)
  }

  @Test func `without annotations, slots have no source`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(SlotTotalsTests.counter.utf8), dialect: .html)
    try view.update(Array(#"{"0":"2"}"#.utf8))
    let state = try #require(view.view)
    #expect(try source(of: "0", in: state) == TemplateSource())
    #expect(!state.hasAnnotations && !state.wasteReport().hasAnnotations)
  }

  @Test func `a comment or tag may contain slots and quotes, and an empty comment ends at once`() {
    #expect(
      positions("<!--><!-- <A.b> a.ex:5 (app) --><!-- ", " > ", "--><p data-phx-loc=\"6\" title=\">", "'>\">", "</p>")
        == ["a.ex:5 A.b", "a.ex:5 A.b", "-:6 A.b", "-:6 A.b"])
  }

  @Test func `a slot that no diff has sent, and names that are none, are read from the tree`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    let statics = #"["<!-- <A.b> a.ex:5 (app) --><li data-phx-loc=\"6\">","</li><!-- </A.b> -->"]"#
    try view.mount(
      Array(#"{"0":{"k":{"0":{"0":"a"},"kc":1},"s":\#(statics)},"s":["<ul>","</ul>"]}"#.utf8), dialect: .html)
    let state = try #require(view.view)
    #expect(try text(source(of: "0.k.7.0", in: state)) == "a.ex:6 A.b")
    for name in ["9.9", "x.y", "..", "-1", "k", "c.9", "0.k.99999999999999999999"] {
      #expect(state.templateSources(of: [name])[name]?.location == nil)
    }
  }
}
