import DocumentInvariants
import Foundation
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

/// Recorded traffic through the whole pipeline. The browser's own DOM is the expected result.
@Suite struct RecordingTests {
  @Test(arguments: Recording.all)
  func `the document equals the browser's DOM at every recorded point`(recording: Recording) throws {
    var views = RecordedViews(recording)
    for step in recording.steps {
      let (view, receive) = try views.next(step)
      let record = try receive()
      #expect((record != nil) == step.isUpdate)
      if let document = view.document { #expect(document.checkInvariants() == [], "step \(step.index)") }
      try check(step, of: recording, views.all)
    }
  }

  private func check(_ step: Recording.Step, of recording: Recording, _ views: [String: LiveViewCoordinator]) throws {
    guard let dom = step.dom else { return }
    let document = try #require(views["lv:\(recording.rootID)"]?.document)
    let browser = BrowserTree(dom)
    let held = BrowserTree(document)
    let difference = browser.difference(from: held, forgiving: Forgiven(recording: recording.name))
    #expect(difference == nil, "step \(step.index), \(step.action): \(difference ?? "")")
  }

  @Test(
    arguments: Recording.all)
  func `changes name their causes and lead to the document, which without client rules equals its rendering`(
    recording: Recording
  ) throws {
    var views = RecordedViews(recording)
    for step in recording.steps {
      let (view, receive) = try views.next(step)
      let before = view.document
      guard let record = try receive(),
        let document = view.document
      else { continue }
      #expect(record.waste.bytes <= record.bytes, "step \(step.index)")
      if record.version > 0 {
        for (change, slots) in zip(record.changeSet.changes, record.slots) where slots.isEmpty {
          guard case .remove = change else {
            Issue.record("step \(step.index): no slot is named as the cause of \(change)")
            continue
          }
        }
      }
      if var before, record.version > 0 {
        before.apply(record.changeSet)
        #expect(before.isSame(as: document), "step \(step.index)")
      }
      // Client rules: the document differs from the rendering at a `phx-update`, and the client
      // writes selections into a `select`.
      guard let html = step.html, !html.contains("phx-update="), !html.contains("<select") else { continue }
      let page = Page(parsing: Array(html.utf8), dialect: document.dialect)
      #expect(document.tree.isEqual(to: page.tree), "step \(step.index)")
    }
  }

  @Test(arguments: Recording.all)
  func `the log rebuilds the document of every past version`(recording: Recording) throws {
    let decoder = WireDecoder()
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    var documents: [Document] = []
    for step in recording.steps where step.topic == "lv:\(recording.rootID)" {
      let message = try #require(try decoder.decode(step.frame, as: .frames).first).get()
      if case .rendered = message.content { documents = [] }
      if try view.receive(message, dialect: recording.isNative ? .native : .html) != nil {
        documents.append(try #require(view.document))
      }
    }
    let state = try #require(view.view)
    #expect(documents.count == state.version + 1)
    for (version, document) in documents.enumerated() {
      #expect(state.document(at: version)?.isSame(as: document) == true, "version \(version)")
    }
    #expect(state.document(at: documents.count) == nil)
    let last = try #require(state.rendered(at: state.version)).render().markup
    #expect(try state.rendered.render().markup == last)
  }
}
