import Foundation
import LiveViewMirror
import RecordingFixtures
import Testing

/// Why diffs need full updates. The table in `docs/performance.md` counts the reasons over all
/// recordings of LiveView, so a change that makes updates scoped or full must change it.
@Suite struct FullUpdateReasonTests {
  @Test
  func `the table of reasons for full updates counts all recordings`() throws {
    var (diffs, counts) = (0, [String: Int]())
    for recording in Recording.all {
      var views = RecordedViews(recording)
      for step in recording.steps {
        guard let record = try views.next(step).receive(), record.version > 0 else { continue }
        diffs += 1
        guard case .full(let reason) = record.path else { continue }
        counts[reason.replacing(/"[^"]*"/, with: "…").replacing(/[0-9]+/, with: "…"), default: 0] += 1
      }
    }
    let table = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "| \($0.key) | \($0.value) |" }
      .joined(separator: "\n")
    let full = counts.values.reduce(0, +)
    let text = "Of \(diffs) recorded diffs, \(full) are full updates:\n\n| reason | diffs |\n|---|--:|\n\(table)\n"
    let document = try String(
      contentsOf: Fixtures.root.appending(path: "docs/performance.md"), encoding: .utf8)
    #expect(document.contains(text), "docs/performance.md must contain\n\(text)")
  }
}
