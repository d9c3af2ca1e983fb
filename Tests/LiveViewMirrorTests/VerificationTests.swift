import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RenderedTree
import Testing

/// `--verify`: the result of a scoped update is compared with that of a full one.
@Suite struct VerificationTests {
  private static let mount = #"{"s":["<ul><li class=\"","\">","</li><li>last</li></ul>"],"0":"a","1":"one"}"#

  private func view(verifies: Bool) throws -> LiveViewCoordinator {
    let view = LiveViewCoordinator(
      id: "main", options: UpdateOptions(pipeline: .scoped, verifies: verifies).withAnalyses)
    try view.mount(Array(Self.mount.utf8), dialect: .html)
    return view
  }

  @Test
  func `verification reports nothing if both pipelines agree`() throws {
    let view = try view(verifies: true)
    let record = try view.update(Array(#"{"0":"b","1":"two"}"#.utf8))
    #expect(record.path == .scoped)
    #expect(record.diagnostics.isEmpty)
  }

  @Test
  func `a difference is a diagnostic with its position and both contents`() throws {
    let view = try view(verifies: false)
    let before = try #require(view.view)
    let record = try view.update(Array(#"{"1":"two"}"#.utf8))
    let after = try #require(view.view)
    // The full update is computed from another diff, so the results must differ.
    let message = try WireDecoder().decode(Array(#"{"1":"three"}"#.utf8), as: .diff)[0].get()
    let found = after.differences(by: record.changeSet, from: before, after: message)
    #expect(found.map(\.code) == ["scoped-differs", "scoped-differs"])
    #expect(
      found.first?.message
        == "at ul:nth-child(1) > li:nth-child(1) the scoped update has the text \"two\", and the full update at "
        + "ul:nth-child(1) > li:nth-child(1) the text \"three\"; this is a bug of the mirror, please report the diff")
    #expect(found.last?.message.hasPrefix("the merged tree is not that of the full update") == true)
  }

  @Test
  func `verification finds a change set that does not lead to the next version`() throws {
    let view = try view(verifies: false)
    let before = try #require(view.view)
    let diff = Array(#"{"1":"two"}"#.utf8)
    try view.update(diff)
    let message = try WireDecoder().decode(diff, as: .diff)[0].get()
    let found = try #require(view.view).differences(by: ChangeSet(), from: before, after: message)
    #expect(found.count == 1)
    #expect(found.first?.message.hasPrefix("the change set does not lead") == true)
  }
}
