import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

/// Views of recorded traffic that are restored from snapshots and continue.
@Suite struct SnapshotRecordingTests {
  @Test(arguments: Recording.all)
  func `restored after the mount and at every tenth version, a view continues as the original`(
    recording: Recording
  ) throws {
    let decoder = WireDecoder()
    var views: [String: RestoredViews] = [:]
    for step in recording.steps {
      let message = try #require(try decoder.decode(step.frame, as: .frames).first).get()
      let dialect: Dialect = recording.isNative ? .native : .html
      var view =
        views[step.topic] ?? RestoredViews(LiveViewCoordinator(id: step.topic, options: UpdateOptions().withAnalyses))
      let (result, difference) = view.apply { view throws(UpdateError) in try view.receive(message, dialect: dialect) }
      #expect(difference == nil, "step \(step.index), \(step.action)")
      if case .applied = result, let version = view.original.view?.version, version % 10 == 0 || version == 1 {
        #expect(try view.restore() == nil, "step \(step.index)")
      }
      // Records are compared at every step. Whole states take longer, and a difference stays.
      if step.index % 8 == 0 { #expect(view.difference() == nil, "step \(step.index), \(step.action)") }
      views[step.topic] = view
    }
    for view in views.values { #expect(view.difference() ?? view.pastDifference() == nil) }
  }
}
