@testable import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

/// A record knows the names of its notified nodes, also when they are removed later.
@Suite struct NotifiedNameTests {
  @Test func `a notified node has its name after its removal`() throws {
    let view = try LiveViewCoordinator.mounted(
      ##"{"0":"a","1":"<p id=\"x\">b</p>","s":["<div class=\"","\">","</div>"]}"##)
    let attributes = try view.update(##"{"0":"b"}"##)
    let text = try view.update(##"{"1":"<p id=\"x\">c</p>"}"##)
    try view.update(##"{"1":""}"##)
    #expect(attributes.notified.map { attributes.displayName(of: $0) } == [.element(tag: "div", id: nil)])
    #expect(text.notified.map { text.displayName(of: $0) } == [.element(tag: "p", id: "x")])
    #expect(view.document?.contains(text.notified[0]) == false)
  }

  @Test(arguments: Recording.all)
  func `every notified node of a recording has its name, except the document`(recording: Recording) throws {
    let decoder = WireDecoder()
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    for step in recording.steps where step.topic == "lv:\(recording.rootID)" {
      let message = try #require(try decoder.decode(step.frame, as: .frames).first).get()
      guard let record = try view.receive(message, dialect: recording.isNative ? .native : .html) else { continue }
      let document = try #require(view.document)
      for node in record.notified {
        let content = try #require(document.content(of: node))
        #expect(record.displayName(of: node) == (node == document.root ? nil : DisplayName(content)))
      }
    }
  }
}
