import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

@testable import LiveViewMirror
@testable import MirrorAnalysis

/// The finding `unkeyed-list`: shifted entries that were sent again.
@Suite struct UnkeyedListTests {
  private static func entries(_ texts: [String], from first: Int = 0, count: Int? = nil) -> String {
    let entries = texts.enumerated().map { #""\#(first + $0)":{"0":"\#($1)"}"# } + ["\"kc\":\(count ?? texts.count)"]
    return #"{"0":{"k":{\#(entries.joined(separator: ","))}}}"#
  }
  /// Mounts `<ul>` with the entries, in the wire of LiveView ≥ 1.1.
  private static func keyed(_ texts: String...) -> String {
    entries(texts).dropLast(2) + #","s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#
  }
  /// The entries in the wire of LiveView 1.0.
  private static func plain(_ texts: String...) -> String {
    #"{"0":{"d":[\#(texts.map { "[\"\($0)\"]" }.joined(separator: ","))]}}"#
  }
  private static func plainMount(_ texts: String...) -> String {
    #"{"0":{"d":[\#(texts.map { "[\"\($0)\"]" }.joined(separator: ","))],"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var mount: String
    var diffs: [String]
    /// The number of entries that the finding counts; 0 without a finding.
    var shifted: Int
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "insertion at the start", mount: keyed("a", "b"), diffs: [entries(["new", "a", "b"])], shifted: 2),
    Case(
      name: "insertion before the last entry", mount: keyed("a", "b", "c"),
      diffs: [entries(["x", "c"], from: 2, count: 4)], shifted: 1),
    Case(
      name: "insertion of more entries than there were", mount: keyed("a"), diffs: [entries(["x", "y", "a"])],
      shifted: 1),
    Case(
      name: "removal at the start", mount: keyed("a", "b", "c"), diffs: [entries(["b", "c"])], shifted: 2),
    Case(
      name: "removal of the first of two entries", mount: keyed("a", "b"), diffs: [entries(["b"])], shifted: 1),
    Case(
      name: "insertion before two equal entries in 1.0", mount: plainMount("a", "b", "b"),
      diffs: [plain("x", "a", "b", "b")], shifted: 2),
    Case(
      name: "removal in 1.0", mount: plainMount("a", "b", "c"), diffs: [plain("a", "c")], shifted: 1),
    // No finding.
    Case(
      name: "append", mount: keyed("a", "b"), diffs: [entries(["c"], from: 2, count: 3)], shifted: 0),
    Case(
      name: "append of an equal entry", mount: keyed("a", "a"), diffs: [entries(["a"], from: 2, count: 3)], shifted: 0),
    Case(
      name: "append of an equal entry after entries that were sent unchanged", mount: keyed("a", "a"),
      diffs: [entries(["a", "a", "a"])], shifted: 0),
    Case(
      name: "append after a change of the last entry", mount: keyed("done", "running"),
      diffs: [entries(["done", "running"], from: 1, count: 3)], shifted: 0),
    Case(name: "removal at the end", mount: keyed("a", "b"), diffs: [#"{"0":{"k":{"kc":1}}}"#], shifted: 0),
    Case(
      name: "removal at the end, and a change", mount: keyed("a", "b", "c"), diffs: [entries(["A", "b"])], shifted: 0),
    Case(
      name: "all entries are sent unchanged", mount: keyed("a", "b"), diffs: [entries(["a", "b"])], shifted: 0),
    Case(
      name: "entries with keys move", mount: keyed("a", "b"),
      diffs: [#"{"0":{"k":{"0":{"0":"new"},"1":0,"2":1,"kc":3,"km":true}}}"#], shifted: 0),
    Case(
      name: "an entry moves after a shift", mount: keyed("a", "b"),
      diffs: [entries(["new", "a", "b"]), #"{"0":{"k":{"0":1,"1":0,"kc":3,"km":true}}}"#], shifted: 0),
    Case(
      name: "append in 1.0", mount: plainMount("a", "b"), diffs: [plain("a", "b", "c")], shifted: 0),
    Case(
      name: "append of an equal entry in 1.0", mount: plainMount("a", "a"), diffs: [plain("a", "a", "a")], shifted: 0),
    Case(name: "removal at the end in 1.0", mount: plainMount("a", "b"), diffs: [plain("a")], shifted: 0),
    Case(
      name: "removal of one of two equal entries in 1.0", mount: plainMount("a", "a"), diffs: [plain("a")], shifted: 0),
    Case(name: "one change in 1.0", mount: plainMount("a", "b"), diffs: [plain("x", "b")], shifted: 0),
    Case(
      name: "a stream", mount: FindingTests.stream,
      diffs: [#"{"0":{"k":{"0":{"0":"s-0"},"kc":1},"stream":["songs",[["s-0",0,null,false]],[]]}}"#], shifted: 0),
  ]

  private func view(
    _ mount: String, _ diffs: [String], pipeline: UpdateOptions.Pipeline = .scoped
  ) throws -> ViewState {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: pipeline).withAnalyses)
    try view.mount(Array(mount.utf8), dialect: .html)
    for diff in diffs { try view.update(Array(diff.utf8)) }
    return try #require(view.view)
  }

  /// The versions that the findings are about.
  private func flagged(_ view: ViewState) -> [Int] {
    view.log.records.filter { view.findingEntries.count(in: $0) > 0 }.map(\.version)
  }

  @Test(arguments: cases, [UpdateOptions.Pipeline.scoped, .full])
  func `a list is reported only if an insertion or a removal shifted its entries`(
    _ test: Case, pipeline: UpdateOptions.Pipeline
  ) throws {
    let view = try view(test.mount, test.diffs, pipeline: pipeline)
    #expect(view.findings.map(\.code) == (test.shifted > 0 ? ["unkeyed-list"] : []))
    #expect(view.findingCount == view.findings.count)
    // A list that turns out to have keys is no finding any more, so its diffs have no mark any
    // more.
    #expect(flagged(view).isEmpty == (test.shifted == 0))
    guard let found = view.findings.first else { return }
    let entries = test.shifted == 1 ? "1 entry was" : "\(test.shifted) entries were"
    #expect(
      found.message == "The list in slot 0 has no keys. \(entries) sent again with the values of a neighbour, because "
        + "an earlier entry was inserted or removed.")
    #expect(found.locatedNodes.map(\.path) == ["ul:nth-child(1)"])
  }

  @Test func `a list is one finding however many diffs shift it, with its first and last version`() throws {
    let view = try view(
      Self.keyed("a", "b"),
      [
        Self.entries(["A"], count: 2), Self.entries(["x", "A", "b"]), Self.entries(["y", "x", "A", "b"]),
        Self.entries(["z", "x", "A", "b"]), Self.entries(["x", "A", "b"]),
      ])
    let found = try #require(view.findings.first)
    #expect(view.findings.count == 1)
    #expect((found.firstVersion, found.lastVersion, found.count) == (2, 5, 3))
    #expect(flagged(view) == [2, 3, 5])
    #expect(found.isCurrent == true && found.message.contains("8 entries were sent again"))
    #expect(found.explanation == "/help/diagnostics#unkeyed-list")
    #expect(found.description.hasPrefix("! unkeyed-list  v2–v5, 3 diffs, current  The list in slot 0 has no keys."))
    let later = try self.view(Self.keyed("a", "b"), [Self.entries(["b"]), Self.entries(["c"])])
    #expect(later.findings.map(\.isCurrent) == [false])
  }

  @Test func `the lists in the entries of a list are one finding with the nodes of the last version`() throws {
    let inner = { (texts: [String]) in Self.keyed(texts[0], texts[1]).replacing("ul", with: "ol") }
    let mount =
      #"{"0":{"k":{"0":{"0":\#(inner(["a", "b"]))},"1":{"0":\#(inner(["c", "d"]))},"kc":2},"s":["<section>","</section>"]},"s":["<div>","</div>"]}"#
    let both =
      #"{"0":{"k":{"0":{"0":\#(Self.entries(["b"]))},"1":{"0":\#(Self.entries(["d"]))},"kc":2}}}"#
    let first = try view(mount, [both])
    #expect(
      first.findings.map(\.message).allSatisfy { $0.hasPrefix("The list in slot 0.k.*.0.0 has no keys. 2 entries") })
    #expect(first.findings.map { $0.locatedNodes.count } == [2] && first.findings.map(\.count) == [1])
    let one = #"{"0":{"k":{"1":{"0":\#(Self.entries(["x", "d"]))},"kc":2}}}"#
    #expect(try view(mount, [both, one]).findings.map { $0.locatedNodes.count } == [1])
  }

  @Test func `the message has the line of the template`() throws {
    let mount =
      #"{"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["<!-- @caller lib/a.ex:3 (app) --><li data-phx-loc=\"7\">","</li>"]},"s":["<!-- <A.render> lib/a.ex:2 (app) --><ul data-phx-loc=\"3\">","</ul><!-- </A.render> -->"]}"#
    let found = try view(mount, [Self.entries(["b"])]).findings
    #expect(found.map(\.message).allSatisfy { $0.hasPrefix("The list in slot 0 (lib/a.ex:7, A.render) has no keys.") })
    #expect(found.count == 1)
  }

  @Test func `at most 200 lists are listed, and one finding counts the others`() throws {
    let names = 0..<210
    let lists = names.map { "\"\($0)\":" + #"{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["<i>","</i>"]}"# }
    let statics = Array(repeating: #""<p></p>""#, count: names.count + 1).joined(separator: ",")
    let diff = names.map { "\"\($0)\":" + #"{"k":{"0":{"0":"b"},"kc":1}}"# }.joined(separator: ",")
    let view = try view("{\(lists.joined(separator: ",")),\"s\":[\(statics)]}", ["{\(diff)}"])
    #expect(view.findings.count == 201 && view.findingCount == 201)
    #expect(view.findings.last?.message == "10 more lists without keys: not listed.")
  }

  /// The recorded lists that an insertion or a removal shifted. All lists of the recordings of
  /// LiveView ≥ 1.1 have keys.
  static let recorded = [
    "1.0.18/03_todo": ["1"], "1.0.18/04_nested": ["0"], "1.0.18/05_components": ["1"], "1.0.18/13_big_table": ["0"],
    "native-1.0.18/n02_todo": ["1"], "native-1.0.18/n03_components": ["1"],
  ]

  @Test(arguments: Recording.all)
  func `recordings report the lists whose entries LiveView shifted, and no list with keys`(recording: Recording) throws
  {
    var views = RecordedViews(recording)
    var found: Set<String> = []
    for step in recording.steps {
      let (view, receive) = try views.next(step)
      _ = try receive()
      for finding in view.view?.findings ?? [] where finding.code == "unkeyed-list" {
        #expect(finding.locatedNodes.count <= 1 && finding.locatedNodes.allSatisfy { !$0.path.isEmpty }, "\(finding)")
        found.insert(String(finding.message.dropFirst("The list in slot ".count).prefix { $0 != " " }))
      }
    }
    #expect(found.sorted() == Self.recorded[recording.name] ?? [])
  }
}
