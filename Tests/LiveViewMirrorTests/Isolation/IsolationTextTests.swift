@testable import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorViews
@testable import NodeObservation
import Testing

/// The isolation report as a terminal shows it.
@Suite struct IsolationTextTests {
  private static let page = #"{"s":["<p id=\"a\" class=\"","\">","</p><b>","</b>"],"0":"","1":"x","2":"y"}"#

  private func view() throws -> LiveViewCoordinator {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(drawsPage: true).withAnalyses)
    try view.mount(Array(Self.page.utf8), dialect: .html)
    return view
  }

  @Test
  func `the text has one line of numbers and one line for each evaluated view`() throws {
    let record = try view().update(#"{"0":"new","1":"z","2":"w"}"#)
    #expect(
      record.isolationLines == [
        "  subscriber calls: 2 (one subject: 6, whole document: 3); change by change 3 (9, 9)",
        "  body of <p#a>: attribute `class`, text", "  body of <b>: text",
      ])
    let lines = record.text.split(separator: "\n").map(String.init)
    #expect(lines.suffix(3) == record.isolationLines[...])
    #expect(lines[0].hasPrefix("main v1  27 B  3 nodes changed, 2 subscribers notified (whole document: 3)  "))
  }

  @Test
  func `the description of a record contains the lines of its isolation report`() throws {
    let record = try view().update(#"{"0":"new","1":"z"}"#)
    #expect("\(record)\n" == record.text)
    #expect("\(record)".hasSuffix("\n  body of <p#a>: attribute `class`, text"))
    #expect(
      "\(record.isolation)" == "subscriber calls: 1 (one subject: 3, whole document: 3); change by change 2 (6, 6)")
  }

  @Test
  func `the first line compares the calls with those of one subject and of the whole document`() throws {
    let record = try view().update(#"{"1":"z","2":"w"}"#)
    #expect(
      record.isolationLines.first
        == "  subscriber calls: 2 (one subject: 6, whole document: 3); change by change 2 (6, 6)")
  }

  @Test
  func `a mount and a diff without changes have no isolation line`() throws {
    let view = try view()
    #expect(view.log.record(of: 0)?.isolationLines == [])
    #expect(try view.update(#"{"1":"x"}"#).isolationLines == [])
  }

  @Test
  func `the text names at most five views, and counts the others and their needless evaluations`() throws {
    var record = try view().update(#"{"1":"z"}"#)
    record.isolation.views = .init(evaluations: (1...5).map { Self.evaluation($0) })
    #expect(record.isolationLines.count == 6)
    record.isolation.views = .init(evaluations: (1...8).map { Self.evaluation($0, isForNothing: $0 == 2 || $0 == 7) })
    #expect(
      record.isolationLines.dropFirst() == [
        "  body of <li#1>: text", "= body of <li#2>: text, idle", "  body of <li#3>: text",
        "  body of <li#4>: text", "  body of <li#5>: text", "  and 3 more, 1 of them idle",
      ])
    record.isolation.views = .init(evaluations: (1...6).map { Self.evaluation($0) })
    #expect(record.isolationLines.last == "  and 1 more")
  }

  @Test
  func `control characters in names from the page are escaped`() throws {
    var record = try view().update(#"{"1":"z"}"#)
    record.isolation.views = .init(evaluations: [
      Self.evaluation("\u{1B}[2J\n", because: [.attributes(["a\u{202E}"]), .object("\r"), .state("\u{7}")])
    ])
    #expect(
      record.isolationLines.last
        == #"  body of <li#\u{1b}[2J\n>: attribute `a\u{202e}`, object `\r`, state `\u{7}`"#)
  }

  private static func evaluation(
    _ id: some CustomStringConvertible, because reasons: [EvaluationReason] = [.text], isForNothing: Bool = false
  ) -> Evaluation {
    Evaluation(
      view: 1, type: "Row", node: NodeRef(epoch: 1, number: 2), element: "<li#\(id)>", reasons: reasons,
      isForNothing: isForNothing)
  }
}
