import LiveViewMirror
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
    view.log.all(where: LogFilter(words).matches).reversed().map { cursor, entry in
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
}
