import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorViews
import NodeObservation
import RecordingFixtures
import RenderedTree
import TestSupport
import Testing

/// Every number of the isolation report equals the number of calls that ``NaivePublishing`` counts.
@Suite struct IsolationReportTests {
  @Test(arguments: WireForm.allCases, [false, true])
  func `the report equals naive counting on random pages with changing clients`(wire: WireForm, drawsPage: Bool) throws
  {
    var saved = 0
    for seed in 0..<UInt64(12) {
      var server = RandomServer(wire: wire, seed: seed)
      var random = SplitMix(state: seed)
      let view = LiveViewCoordinator(id: "main", options: UpdateOptions(drawsPage: drawsPage).withAnalyses)
      try view.mount(Array(server.mount().utf8), dialect: .html)
      if drawsPage { _ = view.page?.markup }
      let clients = Clients(of: view)
      for step in 1...30 {
        clients.change(&random)
        let (diff, destroyed, _) = server.step()
        let heard = clients.heard
        let record = try view.update(diff)
        let fault = try clients.fault(of: record, heard: clients.heard - heard)
        #expect(fault == nil, "seed \(seed), step \(step): \(diff)")
        saved += record.isolation.selective.uncoalesced - record.isolation.selective.coalesced
        if !destroyed.isEmpty {
          let frame = OraclePair.frame(destroying: destroyed)
          _ = try view.receive(try WireDecoder().decode(Array(frame.utf8), as: .frames)[0].get(), dialect: .html)
        }
      }
    }
    // Coalescing must save calls on these pages. Otherwise the two counts would be equal, and the
    // test could not tell them apart.
    #expect(saved > 100)
  }

  @Test(arguments: OracleProfile.all)
  func `the report equals naive counting on pages with streams, components and moving ids`(profile: OracleProfile)
    throws
  {
    for seed in 0..<UInt64(8) {
      var page = RandomPage(profile: profile, seed: seed)
      var random = SplitMix(state: seed)
      let view = LiveViewCoordinator(id: "main", options: UpdateOptions(drawsPage: seed % 2 == 0).withAnalyses)
      try view.mount(Array(page.mount().utf8), dialect: .html)
      let clients = Clients(of: view)
      for step in 1...30 {
        clients.change(&random)
        let (before, next, heard) = (page, page.step(), clients.heard)
        guard let record = try? view.update(next.diff) else {
          (page.root, page.components) = (before.root, before.components)
          continue
        }
        let fault = try clients.fault(of: record, heard: clients.heard - heard)
        #expect(fault == nil, "seed \(seed), step \(step): \(next.diff)")
        if next.isSpoiled { break }
        if !next.destroyed.isEmpty { try view.receive(frame: OraclePair.frame(destroying: next.destroyed)) }
      }
    }
  }

  @Test
  func `a move into a new parent or out of a removed parent notifies only the kept parent`() throws {
    let (bare, wrapped) = (#"{"s":["<p id=\"a\"></p>"]}"#, #"{"s":["<ul><li><p id=\"a\"></p></li></ul>"]}"#)
    let view = try LiveViewCoordinator.mounted(#"{"s":["<div>","</div>"],"0":\#(bare)}"#)
    let inside = try view.update(#"{"0":\#(wrapped)}"#)
    #expect(inside.changeSet.changes.map(\.node.number).sorted() == [3, 4])
    #expect(inside.notifiedNumbers == [2])
    // Without coalescing, the `div` gets two signals: the list was added to it, and the paragraph
    // moved out of it.
    #expect(inside.isolation.numbers.description == "everybody 5, selective 1/2, filtered 5/10, whole 5/10")
    let client = view.publishers.subscribe(to: NodeRef(epoch: 1, number: 5)) { _ in }
    try withExtendedLifetime(client) {
      let outside = try view.update(#"{"0":\#(bare)}"#)
      #expect(outside.notifiedNumbers == [2])
      #expect(outside.isolation.numbers.description == "everybody 3, selective 1/2, filtered 3/6, whole 3/6")
    }
  }

  @Test
  func `a remount counts only subscribers of the new page`() throws {
    let view = try LiveViewCoordinator.mounted(#"{"s":["<p>1</p>"]}"#)
    let client = view.publishers.subscribe(to: NodeRef(epoch: 1, number: 2)) { _ in }
    let record = try view.mount(Array(#"{"s":["<p></p><b></b>"]}"#.utf8), dialect: .html)
    #expect(record.isolation.numbers.description == "everybody 3, selective 1/2, filtered 3/6, whole 3/6")
    client.cancel()
    #expect(view.publishers.sums.all == 3)
  }

  @Test
  func `subscribers of a removed node are not counted`() throws {
    let view = try LiveViewCoordinator.mounted(#"{"s":["<p>","</p>"],"0":{"s":["<b></b>"]}}"#)
    let clients = [2, 3, 3].map { view.publishers.subscribe(to: NodeRef(epoch: 1, number: $0)) { _ in } }
    try withExtendedLifetime(clients) {
      let record = try view.update(#"{"0":""}"#)
      #expect(record.isolation.numbers.description == "everybody 3, selective 2/2, filtered 3/3, whole 3/3")
      #expect((record.observerCount, record.allObserverCount) == (2, 3))
    }
  }

  @Test
  func `a diff without changes calls no subscriber in any publishing scheme`() throws {
    let view = try LiveViewCoordinator.mounted(#"{"s":["<p>","</p>"],"0":"1"}"#)
    let record = try view.update(#"{"0":"1"}"#)
    #expect(record.isolation.numbers.description == "everybody 2, selective 0/0, filtered 0/0, whole 0/0")
  }

  @Test
  func `the log sums the isolation reports of its diffs and leaves out mounts and rejected diffs`() throws {
    let view = try LiveViewCoordinator.mounted(#"{"s":["<p class=\"","\">","</p><b>","</b>"],"0":"","1":"","2":""}"#)
    #expect(view.log.isolation == .init())
    var expected = ChangeLog.IsolationTotals()
    for diff in [#"{"0":"a"}"#, #"{"0":"b","1":"b","2":"b"}"#, #"{"0":"b"}"#] {
      let report = try view.update(diff).isolation
      expected.diffs += 1
      expected.selective += report.selective.coalesced
      expected.filtered += report.filtered.coalesced
      expected.whole += report.whole.coalesced
    }
    #expect(throws: UpdateError.self) { try view.update(#"{"9":"a"}"#) }
    #expect(view.log.isolation == expected)
    #expect((expected.diffs, expected.selective, expected.filtered, expected.whole) == (3, 3, 9, 6))
    #expect(expected.saved == 3)
  }
}

/// Clients that subscribe to nodes of a view and cancel at random.
private final class Clients {
  private let view: LiveViewCoordinator
  private var subscriptions: [(node: NodeRef, subscription: NodeSubscription)] = []
  private let log = Heard()

  init(of view: LiveViewCoordinator) { self.view = view }

  /// The number of received signals.
  var heard: Int { log.all.count }

  func change(_ random: inout SplitMix) {
    guard let document = view.document else { return }
    subscriptions.removeAll { !document.contains($0.node) }
    let nodes = document.nodes(from: document.root)
    for _ in 0..<random.below(4) {
      let node = nodes[random.below(nodes.count)]
      let subscription = view.publishers.subscribe(to: node, as: random.one(in: 3) ? .observer : .client) { [log] in
        if case .changed = $0 { log.note("") }
      }
      subscriptions.append((node, subscription))
    }
    if !subscriptions.isEmpty, random.one(in: 3) {
      let (_, subscription) = subscriptions.remove(at: random.below(subscriptions.count))
      subscription.cancel()
      subscription.cancel()
    }
  }

  func fault(of record: ChangeRecord, heard: Int) throws -> String? {
    guard let document = view.document else { return "no document" }
    let naive = NaivePublishing(document, clients: subscriptions.map(\.node).filter(document.contains))
    let (was, wanted) = (record.isolation.numbers, naive.report(of: record.changeSet, in: document))
    if was != wanted { return "\(was), expected \(wanted)" }
    if was.selective.coalesced != record.observerCount { return "the record counts \(record.observerCount) observers" }
    if record.notified.count + heard != was.selective.coalesced { return "\(heard) clients received a signal" }
    return nil
  }
}
