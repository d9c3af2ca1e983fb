@testable import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

/// What the steps of real updates made, in both pipelines.
@Suite struct UpdateArtefactsTests {
  private func check(_ view: ViewState, _ version: Int) throws {
    let place: Comment = "\(view.id) version \(version)"
    let record = try #require(view.log.record(of: version), place)
    let artefacts = try #require(view.artefacts(of: version), place)
    let after = try #require(view.document(at: version), place)
    let before = version == 0 ? nil : view.document(at: version - 1)

    // Step 7 is what the parser makes of step 6.
    for part in artefacts.parts where !part.markup.isEmpty {
      // The client sets the content of a `textarea`, which cannot be parsed without its element.
      if part.parent.flatMap(after.content(of:))?.element?.tag == "textarea" { continue }
      let piece = after.piece(Array(part.markup.utf8), in: part.parent ?? after.root)
      let tree = part.parent == nil ? Page(parsing: Array(part.markup.utf8), dialect: after.dialect).tree : piece.tree
      let top = part.parent == nil ? NodeTree.root : piece.parent
      let parsed = tree.preorder(from: top).dropFirst().map { tree[$0] }
      #expect(part.nodes.map(\.content) == parsed, place)
    }
    // Step 8 pairs nodes of the document before, and step 9 has the others.
    var added: Set<NodeRef> = []
    for case .add(let subtree, _) in record.changeSet.all { added.formUnion(subtree.nodes.map(\.ref)) }
    for node in artefacts.parts.flatMap(\.nodes) {
      switch node.pairing {
      case .new: #expect(node.node.map(added.contains) == true || version == 0, place)
      case .notTaken: #expect(node.node == nil, place)
      default: #expect(node.node.map { before?.contains($0) == true && after.contains($0) } == true, place)
      }
    }
    let named = Set(artefacts.parts.flatMap(\.nodes).compactMap(\.node))
    for change in record.changeSet.changes {
      if case .remove = change { continue }
      // The page does not list the previous items of a stream.
      if view.version > version || view.document.marks.streams[change.node] != nil { continue }
      #expect(named.contains(change.node) || version == 0, "\(place) \(change)")
    }
    // The times of the steps are those of the update.
    let steps = UpdateStep.steps(isMount: version == 0)
    #expect(steps.reduce(0) { $0 + record.timings.microseconds(of: $1) } == record.timings.total, place)
  }

  @Test func `the steps count changes as the pages do, and say which are of white space and comments`() throws {
    let recording = try #require(Recording.all.first { $0.name == "1.2.10/15_todo_debug" })
    var views = RecordedViews(recording)
    for step in recording.steps { _ = try views.next(step).1() }
    let view = try #require(views.all.values.first?.view)
    let steps = try #require(UpdateSteps(of: 10, in: view))
    let changes = steps.record.changeSet.changes.filter { !$0.isSeldomOfInterest }
    // The rows of the diff are 67 nodes in five list items.
    #expect(changes.count == 7 && changes.reduce(0) { $0 + $1.removedNodes.count } == 67)
    #expect(
      steps[.mergeDocuments]?.summary
        == "3 of 6 nodes were in the document before; 83 nodes removed, 16 of them by changes of white space and comments"
    )
    #expect(
      steps[.changedNodeRefs]?.summary.hasPrefix("7 changes and 19 of white space and comments; 3 nodes notified")
        == true)
  }

  /// The recorded effect decides, and not a time that may round to 0.
  @Test(arguments: [UpdateOptions.Pipeline.scoped, .full])
  func `only a text in one slot is not rendered`(pipeline: UpdateOptions.Pipeline) throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: pipeline))
    try view.mount(Array(#"{"s":["<p>","</p><i>","</i>"],"0":"1","1":"1"}"#.utf8), dialect: .html)
    try view.update(Array(#"{"0":"2"}"#.utf8))
    try view.update(Array(#"{"0":"<b>3</b>"}"#.utf8))
    let state = try #require(view.view)
    let summaries = try [1, 2].map { version in
      let steps = try #require(UpdateSteps(of: version, in: state))
      return try #require(steps[.parseNewHTML]).summary.hasPrefix("not rendered")
    }
    #expect(summaries == [pipeline == .scoped, false])
  }

  @Test(arguments: Recording.all, [UpdateOptions.Pipeline.scoped, .full])
  func `each step's result is the next one's input`(recording: Recording, pipeline: UpdateOptions.Pipeline) throws {
    var options = UpdateOptions().withAnalyses
    options.pipeline = pipeline
    var views = RecordedViews(recording, options: options)
    for step in recording.steps {
      let (view, receive) = try views.next(step)
      guard let record = try receive(), let state = view.view else { continue }
      try check(state, record.version)
    }
    for view in views.all.values {
      guard let state = view.view else { continue }
      for version in stride(from: state.firstVersion, through: state.version, by: 1) { try check(state, version) }
    }
  }
}
