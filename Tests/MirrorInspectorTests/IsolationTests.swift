import Foundation
@testable import LiveViewMirror
import MarkupDocument
import MirrorAnalysis
import MirrorSupport
import MirrorViews
@testable import NodeObservation
import Testing

@testable import MirrorInspector

/// The isolation report of a version, as JSON and on the page of the view.
@Suite struct IsolationTests {
  /// Node 2 is `p` and node 4 is `b`, each with a text.
  private func view(_ diffs: String..., drawsPage: Bool = true) throws -> ViewState {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(drawsPage: drawsPage).withAnalyses)
    try view.mount(
      Array(#"{"s":["<p id=\"a\" class=\"","\">","</p><b>","</b>"],"0":"","1":"x","2":"y"}"#.utf8), dialect: .html)
    for diff in diffs { try view.update(Array(diff.utf8)) }
    return try #require(view.view)
  }

  private func evaluations(_ count: Int, of node: Int = 2, isForNothing: (Int) -> Bool = { _ in false })
    -> IsolationReport.Views
  {
    .init(
      evaluations: (0..<count).map {
        Evaluation(
          view: $0, type: "Row<A>", node: NodeRef(epoch: 1, number: node), element: "<p#a\u{202E}\"&>",
          reasons: [.attributes(["x", "<y>"]), .child(NodeRef(epoch: 1, number: 4)), .shared("k\u{7}")],
          isForNothing: isForNothing($0))
      })
  }

  /// The page of a view whose newest version has the given evaluations, and the text of its
  /// isolation section.
  private func page(_ views: IsolationReport.Views?) throws -> (page: ParsedPage, section: String) {
    var view = try view(#"{"1":"z"}"#)
    var record = try #require(view.log.record(of: 1))
    record.isolation.views = views
    view.log = [try #require(view.log.record(of: 0)), record].reduce(into: ChangeLog()) { $0.append($1) }
    let page = ParsedPage(try view.page())
    let section = try #require(page.elements("details", class: "isolation").first)
    return (page, page.text(of: section.place))
  }

  // MARK: - JSON

  @Test
  func `the JSON has the calls of each strategy, and the evaluated views with their reasons`() throws {
    let record = try #require(try view(#"{"0":"new","1":"z","2":"w"}"#).log.record(of: 1))
    #expect(
      text(of: record.isolation) == #"""
        {"selective":2,"filtered":6,"whole":3,"everybody":3,"uncoalesced":{"selective":3,"filtered":9,"whole":9},\#
        "views":{"evaluated":2,"for_nothing":0,"evaluations":[\#
        {"view":2,"node":2,"element":"<p#a>","type":"ElementMarkup","reasons":["attribute `class`","text"],\#
        "for_nothing":false},\#
        {"view":3,"node":4,"element":"<b>","type":"ElementMarkup","reasons":["text"],"for_nothing":false}]}}
        """#)
  }

  @Test
  func `an update without changes has no calls but counts all observers, and has no views without a page`() throws {
    let record = try #require(try view(#"{"1":"x"}"#, drawsPage: false).log.record(of: 1))
    #expect(
      text(of: record.isolation)
        == #"""
        {"selective":0,"filtered":0,"whole":0,"everybody":3,\#
        "uncoalesced":{"selective":0,"filtered":0,"whole":0},"views":null}
        """#)
  }

  @Test
  func `the JSON lists at most 100 evaluations and counts all of them`() throws {
    var record = try #require(try view(#"{"1":"z"}"#).log.record(of: 1))
    record.isolation.views = evaluations(250) { $0 > 200 }
    let views = JSONValue(try JSONSerialization.jsonObject(with: Data(record.json().bytes)))["isolation"]["views"]
    #expect(views["evaluated"].int == 250)
    #expect(views["for_nothing"].int == 49)
    #expect(views["evaluations"].array.map { $0["view"].int } == Array(0..<100))
  }

  @Test
  func `the summary of a view has the sums over its log`() throws {
    let view = try view(#"{"0":"new","1":"z","2":"w"}"#, #"{"1":"v"}"#)
    #expect(
      String(decoding: view.log.isolation.json.bytes, as: UTF8.self)
        == #"{"selective":3,"filtered":9,"whole":6,"diffs":2}"# + "\n")
  }

  // MARK: - Page

  @Test
  func `the page shows the calls of the shown version, and the tab of subscribers the sums over all versions`() throws {
    let view = try view(#"{"0":"new","1":"z","2":"w"}"#, #"{"1":"v"}"#)
    let page = ParsedPage(try view.page(.init(version: 1)))
    #expect(page.elements("details", class: "isolation").count == 1)
    let table = try #require(page.elements("table", class: "ways").first)
    let rows = page.elements.filter { $0.element.tag == "tr" && page.tree.isPlace($0.place, within: table.place) }
    #expect(
      rows.map { page.text(of: $0.place) } == [
        "callsonce a diffonce a change", "selective: a publisher for each node23", "filtered: one subject69",
        "traditional: the whole document39",
      ])
    let bars = page.elements("svg", class: "bar").filter { page.tree.isPlace($0.place, within: table.place) }.map {
      bar in
      page.elements("rect").first { page.tree.isPlace($0.place, within: bar.place) }?.element["width"] ?? ""
    }
    #expect(bars == ["14", "21", "43", "64", "21", "64"])
    #expect(page.text().contains("Updating everything: 3 calls; by element: 2"))
    let observers = ParsedPage(try view.page(.init(version: 1, tab: .subscribers)))
    #expect(observers.text().contains("Updating everything: 6 calls in 2 diffs; by element: 3"))
  }

  @Test
  func `evaluated views link to their nodes, and evaluations for nothing are marked`() throws {
    let (page, section) = try page(evaluations(3) { $0 == 1 })
    #expect(section.contains("3 views evaluated, = 1 idle"))
    let items = try #require(page.elements("ul", class: "evaluations").first)
    let lines = page.elements("li").filter { page.tree.isPlace($0.place, within: items.place) }
    let words = "2\u{A0}<p#a⟨U+202E⟩\"&> attributes x, <y>, child 4\u{A0}<b>, shared k␇"
    #expect(
      lines.map { page.text(of: $0.place) } == [
        "~ \(words) Row<A>", "= \(words) idle Row<A>", "~ \(words) Row<A>",
      ])
    #expect(page.links.count { $0 == "/views/main?node=2#details" } > 3)
  }

  @Test
  func `the page lists at most 50 evaluations and links to the JSON for the others`() throws {
    let (page, section) = try page(evaluations(60))
    #expect(section.contains("60 views evaluated\n") && section.contains("… 10 more views"))
    #expect(!section.contains("nothing"))
    #expect(page.links.contains("/views/main/log/1?epoch=1"))
    #expect(try !self.page(evaluations(50)).section.contains("more"))
  }

  @Test
  func `a mount and a version without changes have no isolation section`() throws {
    for version in [0, 1] {
      let page = ParsedPage(try view(#"{"1":"x"}"#).page(.init(version: version)))
      #expect(page.elements("details", class: "isolation").isEmpty)
      #expect(!page.text().contains("Updating everything"))
    }
  }
}

/// The JSON members of the report, as a change record contains them.
private func text(of report: IsolationReport) -> String {
  var json = JSONWriter()
  json.object { report.write(to: &$0) }
  return json.text
}

extension NodeTree {
  /// Whether a node is a descendant of another one.
  fileprivate func isPlace(_ place: Index, within above: Index) -> Bool {
    var step = parent(of: place)
    while let next = step {
      if next == above { return true }
      step = parent(of: next)
    }
    return false
  }
}
