import LiveViewMirror
import MarkupDocument
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// The filter of the timeline.
@Suite struct LogFilterTests {
  /// The recording of a list of things to do, by the version of LiveView that made it.
  private static func todo(_ version: String) throws -> ViewState {
    try SampleView.recorded(try #require(Recording.all.first { $0.description.contains("\(version)/03_todo") }))
  }

  /// The matching entries, newest first: a version, or `r` for a rejected input.
  private func entries(_ words: String, of view: ViewState) -> [String] {
    view.log.all(where: LogFilter(words, findings: view.findingEntries).matches).reversed().map { cursor, entry in
      if case .applied = entry { "v\(cursor.version)" } else { "r\(cursor)" }
    }
  }

  // MARK: - Slots

  @Test func `a slot is found in every diff that contains it, changed or not`() throws {
    let view = try Self.todo("1.2.10")
    for slot in ["1.k.0.0", "1.k.km", "1.k.kc", "1.k.2", "2", "1"] {
      let shown = view.log.records.filter { record in
        var parts = [DiffExplanation(record).root]
        while let part = parts.popLast() {
          if part.path == slot || part.path.hasPrefix(slot + ".") { return true }
          parts += part.children
        }
        return false
      }
      #expect(entries("slot:\(slot)", of: view) == shown.map { "v\($0.version)" }.reversed())
    }
    #expect(entries("slot:1.k.0.0", of: view) == ["v22", "v16", "v14", "v13", "v5", "v0"])
    #expect(Set(entries("slot:1.k.km", of: view)).isSuperset(of: ["v22", "v9", "v5", "v3"]))
    #expect(Set(entries("slot:1.k.kc", of: view)).isSuperset(of: ["v22", "v9", "v5"]))
  }

  // MARK: - Diagnostics

  @Test func `rejected inputs have diagnostics, and the sign for them`() throws {
    let view = try SampleView.counter(diffs: [#"{"0":"1"}"#, #"{"5":"x"}"#, #"{"0":"2"}"#])
    #expect(view.findings.map(\.code) == ["rejected-diff"])
    #expect(entries("is:diagnostic", of: view) == ["r1.1"])
    #expect(try flagged(in: view.page()) == ["r1.1"])
    #expect(try flagged(in: view.page(.init(filter: "is:diagnostic"))) == ["r1.1"])
  }

  @Test func `the diffs that shifted a list without keys have diagnostics, and the sign for them`() throws {
    let view = try Self.todo("1.0.18")
    let finding = try #require(view.findings.first { $0.code == "unkeyed-list" })
    let found = entries("is:diagnostic", of: view)
    #expect(found.count == finding.count && view.findings.count == 1)
    #expect(found.first == "v\(finding.lastVersion)" && found.last == "v\(finding.firstVersion)")
    #expect(try flagged(in: view.page()) == found)
  }

  /// The ids of the lines with the sign for diagnostics.
  private func flagged(in page: HTML) -> [String] {
    let page = ParsedPage(page)
    return page.elements("li", class: "diff").filter { line in
      page.tree.preorder(from: line.place).contains { page.tree[$0].element?["title"]?.hasSuffix("diagnostic") == true }
    }.compactMap(\.element.id)
  }
}
