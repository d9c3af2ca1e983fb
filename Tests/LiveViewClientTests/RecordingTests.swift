import Foundation
import LiveViewMirror
import MarkupDocument
import RecordingFixtures
import ScriptedPhoenix
import Testing

@testable import LiveViewClient

@Suite struct RecordingTests {
  private func options(of recording: Recording) -> ClientOptions {
    var options = ClientOptions()
    if recording.name.hasPrefix("native-1.0") { options.format = "swiftui" }
    return options
  }

  /// The markup of each view of a mirror that was fed with the recording.
  private func mirrored(_ recording: Recording) throws -> [String: String] {
    let views = LiveViews()
    let report = try views.receive(
      frames: Array(Data(contentsOf: recording.url)), dialect: recording.isNative ? .native : .html)
    try #require(report.rejectedFrameCount == 0)
    var markup: [String: String] = [:]
    for topic in Set(recording.steps.map(\.topic)) {
      if let document = views[topic]?.document { markup[topic] = document.markup(of: document.root) }
    }
    return markup
  }

  @Test(.timeLimit(.minutes(10)), arguments: Recording.all)
  func `the client sends what the recorded client has sent, and ends with the recorded page`(
    recording: Recording
  ) async throws {
    let run = try await RecordedRun(recording, options: options(of: recording))
    let session = try RecordedSession(recording)
    #expect(run.sent.map(\.text) == session.steps.flatMap(\.sent).map(\.text))
    #expect(run.rejected == [])
    #expect(run.ended == nil)
    let mirrored = try mirrored(recording)
    #expect(!run.markup.isEmpty)
    for (topic, markup) in run.markup { #expect(markup == mirrored[topic]) }
    // Views that the client has left are in the mirror only.
    let left = Set(run.sent.filter { $0.event == "phx_leave" }.map(\.topic))
    #expect(Set(mirrored.keys).subtracting(run.markup.keys).subtracting(left) == [])
  }
}
