import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

@Suite struct ReplayTests {
  @Test(arguments: Recording.all)
  func `replaying the logged inputs gives the same changes, causes and notified nodes`(recording: Recording) throws {
    let decoder = WireDecoder()
    let (live, replayed) = (
      LiveViewCoordinator(id: "live", options: UpdateOptions().withAnalyses),
      LiveViewCoordinator(id: "replayed", options: UpdateOptions().withAnalyses)
    )
    for step in recording.steps where step.topic == "lv:\(recording.rootID)" {
      let message = try #require(try decoder.decode(step.frame, as: .frames).first).get()
      _ = try live.receive(message, dialect: recording.isNative ? .native : .html)
    }
    let state = try #require(live.view)
    for version in 0...state.version {
      let was = try #require(state.log.record(of: version))
      if version == 0 {
        try replayed.mount(Array(was.input.utf8), dialect: state.document.dialect, container: state.container)
      } else {
        try replayed.update(was.input)
      }
      let now = try #require(replayed.log.record(of: version))
      // Descriptions have no epoch: epochs differ if the recording mounts more than once.
      #expect(was.changeSet.changes.map(\.description) == now.changeSet.changes.map(\.description))
      #expect(was.notifiedNumbers == now.notifiedNumbers)
      #expect(was.slots == now.slots)
    }
    #expect(replayed.view?.version == state.version)
    #expect(replayed.markup == live.markup)
  }
}
