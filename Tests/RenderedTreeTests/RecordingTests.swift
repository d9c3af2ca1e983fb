import RecordingFixtures
import RenderedTree
import Testing

/// Recorded traffic: after every mount and diff the plain rendering equals that of LiveView's own
/// client byte for byte.
@Suite struct RecordingTests {
  @Test(arguments: Recording.all)
  func `the plain rendering equals the recorded one at every step`(recording: Recording) throws {
    #expect(!recording.steps.isEmpty)
    let decoder = WireDecoder()
    var views: [String: Rendered] = [:]
    for step in recording.steps {
      let message = try #require(try decoder.decode(step.frame, as: .frames).first).get()
      #expect(message.topic == step.topic)
      switch message.content {
      case .rendered(let diff):
        #expect(step.kind == "mount")
        views[step.topic] = try Rendered(mounting: diff)
      case .diff(let diff):
        #expect(step.kind == "diff")
        views[step.topic] = try #require(views[step.topic]).merging(diff).rendered
      case .destroyed(let components):
        views[step.topic]?.removeComponents(components)
        continue
      case .join, .event, .refused, .other:
        #expect(step.kind == "other")
        continue
      }
      let rendering = try #require(views[step.topic]).render()
      #expect(
        String(decoding: rendering.markup, as: UTF8.self) == step.html, "step \(step.index), \(step.action)")
      views[step.topic]?.forgetStreamEntries()
    }
  }

  @Test(arguments: Recording.all)
  func `a tree written as JSON mounts to the same page`(recording: Recording) throws {
    let decoder = WireDecoder()
    var views: [String: Rendered] = [:]
    for step in recording.steps where step.isUpdate {
      let message = try #require(try decoder.decode(step.frame, as: .frames).first).get()
      switch message.content {
      case .rendered(let diff): views[step.topic] = try Rendered(mounting: diff)
      case .diff(let diff): views[step.topic] = try #require(views[step.topic]).merging(diff).rendered
      default: continue
      }
      views[step.topic]?.forgetStreamEntries()
      let view = try #require(views[step.topic])
      let again = try #require(try decoder.decode(Array(view.json.text.utf8), as: .rendered).first).get()
      guard case .rendered(let diff) = again.content else {
        Issue.record("step \(step.index): what was written as JSON is no Rendered")
        continue
      }
      #expect(try Rendered(mounting: diff).render().markup == view.render().markup, "step \(step.index)")
    }
  }
}
