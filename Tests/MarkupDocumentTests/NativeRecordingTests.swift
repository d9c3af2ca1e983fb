import DocumentInvariants
import MarkupDocument
import RecordingFixtures
import Testing

/// The native markup of every recorded step against the tree that liveview-native-core builds for
/// it.
@Suite struct NativeRecordingTests {
  @Test func `every recorded step gives the same tree as in liveview-native-core`() throws {
    var steps = 0
    for recording in Recording.all where recording.isNative {
      for step in recording.steps {
        guard let html = step.html, let recorded = step.tree else { continue }
        steps += 1
        let expected = TreeFixture.tree(recorded)
        let tree = parse(html, .native).tree
        #expect(tree.checkInvariants() == [])
        #expect(
          tree.isEqual(to: expected, ignoringComments: true),
          "\(recording.name) \(step.index)\n--- expected\n\(expected.outline())\n--- got\n\(tree.outline())")
      }
    }
    #expect(steps > 0, "no native recording was found")
    print("native steps:", steps)
  }
}
