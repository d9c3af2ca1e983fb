import Foundation
import LiveViewMirror
import MirrorAnalysis
import RecordingFixtures
import RenderedTree
import Testing

/// Why diffs need full updates. The table in `docs/performance.md` counts the reasons over all recordings and client cases; a change that
/// makes updates scoped, or full, changes it.
@Suite struct FullUpdateReasonTests {
  @Test
  func `the table of reasons for full updates counts all recordings`() throws {
    var (diffs, counts) = (0, [String: Int]())
    func count(_ record: ChangeRecord?) {
      guard let record, record.version > 0 else { return }
      diffs += 1
      guard case .full(let reason) = record.path else { return }
      counts[reason.replacing(/"[^"]*"/, with: "…").replacing(/[0-9]+/, with: "…"), default: 0] += 1
    }
    for recording in Recording.all {
      var views = RecordedViews(recording)
      for step in recording.steps { count(try views.next(step).receive()) }
    }
    let decoder = WireDecoder()
    for known in ClientCase.all where ClientCaseTests.exceptions[known.description] == nil {
      let view = LiveViewCoordinator(id: "lv:client", options: UpdateOptions().withAnalyses)
      for step in known.steps {
        var message = try decoder.update(step.payload, isMount: step.isMount)
        message.liveViewVersion = known.client
        count(try? view.receive(message, dialect: .html, container: ContainerContent(rawValue: known.container)))
      }
    }
    let listed = counts.filter { $0.value >= 10 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let full = counts.values.reduce(0, +)
    let table =
      (listed.map { "| \($0.key) | \($0.value) |" }
      + ["| \(counts.count - listed.count) other reasons | \(full - listed.reduce(0) { $0 + $1.value }) |"])
      .joined(separator: "\n")
    let text = "Of \(diffs) recorded diffs, \(full) are full updates:\n\n| reason | diffs |\n|---|--:|\n\(table)\n"
    let document = try String(
      contentsOf: Fixtures.folder("../../docs").appending(path: "performance.md"), encoding: .utf8)
    #expect(document.contains(text), "docs/performance.md must contain\n\(text)")
  }
}
