import LiveViewMirror
import MarkupDocument
import MirrorAnalysis
import MirrorSupport
import NodeObservation
import RenderedTree
import Testing

/// Analyses that a mirror may have besides its usual ones.
@Suite struct AnalysisTests {
  private static let options = {
    var options = UpdateOptions().withAnalyses
    options.projections = options.projections + [EventTotals.self]
    return options
  }()

  private let decoder = WireDecoder()

  private func receive(_ frame: String, by view: LiveViewCoordinator) throws {
    let message = try #require(decoder.decode(Array(frame.utf8), as: .frames).first).get()
    _ = try view.receive(message, dialect: .html)
  }

  private func mounted() throws -> LiveViewCoordinator {
    let view = LiveViewCoordinator(id: "main", options: Self.options)
    let reply = #"{"status":"ok","response":{"rendered":{"0":"0","1":"x","s":["<p>","</p><b>","</b>"]}}}"#
    try receive(#"["1","1","lv:main","phx_reply",\#(reply)]"#, by: view)
    return view
  }

  private func push(_ event: String, on target: Int? = nil, answeredBy diff: String, _ view: LiveViewCoordinator) throws
  {
    let cid = target.map { #","cid":\#($0)"# } ?? ""
    try receive(#"["1","2","lv:main","event",{"type":"click","event":"\#(event)","value":{}\#(cid)}]"#, by: view)
    try receive(#"["1","2","lv:main","phx_reply",{"status":"ok","response":{"diff":\#(diff)}}]"#, by: view)
  }

  private func lines(_ view: LiveViewCoordinator) throws -> [String] {
    let totals = try #require(view.log.projections[EventTotals.self])
    return totals.rows.sorted { $0.key < $1.key }.map { cause, row in
      "\(cause.event ?? "-") \(cause.target ?? 0): \(row.diffs) diffs, \(row.bytes) B, \(row.changes) changes, \(row.wastedBytes) B wasted"
    }
  }

  @Test func `the costs of diffs are summed by event and component`() throws {
    let view = try mounted()
    try push("inc", answeredBy: #"{"0":"1","1":"x"}"#, view)
    try push("inc", answeredBy: #"{"0":"2","1":"y"}"#, view)
    try push("inc", on: 3, answeredBy: #"{"0":"3"}"#, view)
    try view.update(#"{"0":"4"}"#)
    let expected = [
      "- 0: 1 diffs, 9 B, 1 changes, 0 B wasted", "inc 0: 2 diffs, 34 B, 3 changes, 3 B wasted",
      "inc 3: 1 diffs, 9 B, 1 changes, 0 B wasted",
    ]
    #expect(try lines(view) == expected)

    let restored = try LiveViewCoordinator(
      restoring: try #require(view.view).snapshot(), id: "main", options: Self.options)
    #expect(try lines(restored) == expected)
    for view in [view, restored] { try push("inc", answeredBy: #"{"0":"5"}"#, view) }
    #expect(try lines(restored) == lines(view))
  }

  @Test
  func `an analysis that a snapshot does not have begins anew, and one that the mirror does not have is an error`()
    throws
  {
    let usual = try LiveViewCoordinator.mounted(#"{"0":"a","s":["<p>","</p>"]}"#)
    try usual.update(#"{"0":"b"}"#)
    let more = try LiveViewCoordinator(
      restoring: try #require(usual.view).snapshot(), id: "main", options: Self.options)
    #expect(try lines(more).isEmpty)
    try more.update(#"{"0":"c"}"#)
    #expect(try lines(more).count == 1)
    let snapshot = try #require(more.view).snapshot()
    #expect(throws: SnapshotError.self) {
      try LiveViewCoordinator(restoring: snapshot, id: "main", options: usual.options)
    }
  }

  @Test func `a remount begins the analysis anew`() throws {
    let view = try mounted()
    try view.update(#"{"0":"1"}"#)
    try view.mount(Array(#"{"s":["a"]}"#.utf8), dialect: .html)
    #expect(try lines(view).isEmpty)
    #expect(view.view(ofEpoch: 1)?.log.projections[EventTotals.self]?.rows.count == 1)
  }

  @Test func `without analyses, a view has no findings and no costs`() throws {
    let view = LiveViewCoordinator(id: "main")
    try view.mount(Array(#"{"0":"1","s":["<p id=a></p><p id=a>","</p>"]}"#.utf8), dialect: .html)
    try view.update(#"{"0":"1"}"#)
    let state = try #require(view.view)
    #expect(state.findings.isEmpty && state.findingCount == 0)
    #expect(state.wasteReport().slots.isEmpty)
    #expect(state.log.isolation.diffs == 1)
  }
}
