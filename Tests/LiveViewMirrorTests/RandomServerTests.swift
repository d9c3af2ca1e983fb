import DocumentInvariants
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import NodeObservation
import RecordingFixtures
import RenderedTree
import Testing

/// Feeds the mirror with the diffs of a random server, and checks all invariants after every diff.
@Suite struct RandomServerTests {
  /// The number of views for each of the three wire formats.
  static let views = TestEffort.count(35, long: 130)
  /// The number of diffs for each view.
  static let steps = 50

  @Test(arguments: WireForm.allCases)
  func `the document equals the page of a random server after every diff`(wire: WireForm) throws {
    for seed in 0..<UInt64(Self.views) {
      if let fault = try run(wire, seed: seed) {
        Issue.record("seed \(seed), \(fault)")
        return
      }
    }
  }

  private func run(_ wire: WireForm, seed: UInt64) throws -> String? {
    var server = RandomServer(wire: wire, seed: seed)
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(server.mount().utf8), dialect: .html)
    var documents = [try #require(view.document)]
    if let fault = try difference(of: view, from: server) { return "mount: \(fault)" }
    for step in 1...Self.steps {
      let before = server.markup
      let (diff, destroyed, isWhole) = server.step()
      let record: ChangeRecord
      do { record = try view.update(diff) } catch { return "step \(step): \(error)\nin \(diff)\nof \(before)" }
      let (old, new) = (documents[step - 1], try #require(view.document))
      documents.append(new)
      let fault =
        try difference(of: view, from: server) ?? Self.fault(of: record, from: old, to: new)
        ?? (wire == .v10 || isWhole ? nil : Self.lostEntry(from: old, to: new)) ?? Self.wrongCounts(view, new)
      if let fault {
        return "step \(step): \(fault)\nof \(diff)\nfrom \(before)\nto   \(server.markup)\nby \(record.lines)"
      }
      if !destroyed.isEmpty {
        let frame = OraclePair.frame(destroying: destroyed)
        let message = try WireDecoder().decode(Array(frame.utf8), as: .frames)[0].get()
        #expect(try view.receive(message, dialect: .html) == nil)
      }
    }
    let state = try #require(view.view)
    for version in [0, 7, 20, 33, Self.steps] where state.document(at: version)?.isSame(as: documents[version]) != true
    {
      return "the rebuilt version \(version) differs from the document after its diff"
    }
    let rendered = try #require(state.rendered(at: Self.steps - 1)).render().markup
    if rendered != Array(documents.count > 1 ? try state.render(replaying: Self.steps - 1).utf8 : "".utf8) {
      return "the rebuilt tree of version \(Self.steps - 1) differs from a replay of the inputs"
    }
    return nil
  }

  // MARK: - Invariants

  private func difference(of view: LiveViewCoordinator, from server: RandomServer) throws -> String? {
    let state = try #require(view.view)
    let rendered = try state.rendered.render().markup
    if rendered != Array(server.markup.utf8) { return "rendered \(String(decoding: rendered, as: UTF8.self))" }
    let page = Page(parsing: rendered, dialect: .html)
    let (actual, expected) = (Outline.lines(of: state.document.tree), Outline.lines(of: page.tree))
    if let line = Outline.firstDifference(actual, expected) {
      return "line \(line) is \(Outline.text(actual, line)), expected \(Outline.text(expected, line))"
    }
    let faults = state.document.checkInvariants()
    return faults.isEmpty ? nil : faults.joined(separator: ", ")
  }

  static func fault(of record: ChangeRecord, from old: Document, to new: Document) -> String? {
    var applied = old
    applied.apply(record.changeSet)
    if !applied.isSame(as: new) { return "the change set gives \(applied.markup(of: applied.root))" }
    let expected = Expected(from: old, to: new)
    if record.notified != expected.notified { return "notified \(record.notified), expected \(expected.notified)" }
    return expected.fault(in: record.changeSet)
  }

  /// The first entry of a keyed comprehension whose element became another node, if any. A moved
  /// entry keeps its element.
  private static func lostEntry(from old: Document, to new: Document) -> String? {
    let (before, after) = (entries(of: old), entries(of: new))
    for (key, node) in before {
      if let other = after[key], other != node { return "entry \(key) was \(node) and is \(other)" }
    }
    return nil
  }

  private static func entries(of document: Document) -> [String: NodeRef] {
    var entries: [String: NodeRef] = [:]
    for node in document.nodes(from: document.root) {
      if let key = document.content(of: node)?.element?["data-e"] { entries[key] = node }
    }
    return entries
  }

  private static func wrongCounts(_ view: LiveViewCoordinator, _ document: Document) -> String? {
    let elements = document.nodes(from: document.root).filter { document.content(of: $0)?.element != nil }
    let counts = view.publishers.counts()
    let isTrue =
      Set(counts.keys) == Set(elements + [document.root]) && counts.values.allSatisfy { $0 == .init(observers: 1) }
    return isTrue ? nil : "the observed nodes are \(counts.keys.sorted())"
  }
}

extension ViewState {
  /// The markup of a version, rendered by a new view that gets only the logged inputs.
  func render(replaying version: Int) throws -> String {
    let replay = LiveViewCoordinator(id: "replay", options: UpdateOptions().withAnalyses)
    for reached in 0...version {
      let input = try #require(log.record(of: reached)).input
      if reached == 0 {
        try replay.mount(Array(input.utf8), dialect: document.dialect)
      } else {
        try replay.update(input)
      }
    }
    return String(decoding: try #require(replay.view).rendered.render().markup, as: UTF8.self)
  }
}
