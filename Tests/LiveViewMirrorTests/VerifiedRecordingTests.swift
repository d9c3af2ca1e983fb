import DocumentInvariants
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

/// Recorded traffic through both pipelines, and through the scoped one with verification.
@Suite struct VerifiedRecordingTests {
  private static let options = [
    UpdateOptions(pipeline: .full).withAnalyses, UpdateOptions(pipeline: .scoped).withAnalyses,
    UpdateOptions(pipeline: .scoped, verifies: true).withAnalyses,
  ]

  @Test(arguments: Recording.all)
  func `all pipelines create the same documents, and verification finds no difference`(recording: Recording) throws {
    let decoder = WireDecoder()
    // By topic: one view for each element of `options`.
    var views: [String: [LiveViewCoordinator]] = [:]
    for step in recording.steps {
      let message = try #require(try decoder.decode(step.frame, as: .frames).first).get()
      let group = views[step.topic] ?? Self.options.map { LiveViewCoordinator(id: step.topic, options: $0) }
      views[step.topic] = group
      for view in group {
        let record = try view.receive(message, dialect: recording.isNative ? .native : .html)
        let differences = record?.diagnostics.filter { $0.code.hasPrefix("scoped-") } ?? []
        #expect(differences == [], "step \(step.index), \(view.options)")
      }
      guard step.isUpdate, let oracle = group[0].view else { continue }
      let markup = try oracle.rendered.render().markup
      for view in group.dropFirst() {
        let state = try #require(view.view)
        #expect(state.version == oracle.version, "step \(step.index), \(view.options)")
        #expect(state.document.tree.isEqual(to: oracle.document.tree), "step \(step.index), \(view.options)")
        #expect(try state.rendered.render().markup == markup, "step \(step.index), \(view.options)")
        #expect(state.document.checkInvariants() == [], "step \(step.index), \(view.options)")
        #expect(state.size.document == DocumentSize(of: state.document), "step \(step.index), \(view.options)")
      }
    }
  }
}
