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
    options.projections = options.projections + [EventCounts.self]
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
    let counts = try #require(view.log.projections[EventCounts.self])
    return counts.bytes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value) B" }
  }

  @Test func `an analysis sums the records, also after a restore from a snapshot`() throws {
    let view = try mounted()
    try push("inc", answeredBy: #"{"0":"1","1":"x"}"#, view)
    try push("inc", answeredBy: #"{"0":"2","1":"y"}"#, view)
    try push("inc", on: 3, answeredBy: #"{"0":"3"}"#, view)
    try view.update(#"{"0":"4"}"#)
    let expected = ["inc: 43 B", "server: 9 B"]
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
    #expect(view.view(ofEpoch: 1)?.log.projections[EventCounts.self]?.bytes.count == 1)
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

/// The bytes of the answers to each event: the smallest analysis of records.
private struct EventCounts: Projection {
  static let name = "event-counts"
  var bytes: [String: Int] = [:]

  init() {}

  mutating func add(_ record: ChangeRecord) {
    if record.version > 0 { bytes[record.cause?.event ?? "server", default: 0] += record.bytes }
  }

  func write(to writer: inout SnapshotWriter, _ statics: inout StaticsWriter) {
    writer.write(all: bytes.sorted { $0.key < $1.key }) { row, writer in
      writer.write(row.key)
      writer.write(count: row.value)
    }
  }

  init(from reader: inout SnapshotReader, _ statics: inout StaticsReader) throws(SnapshotError) {
    for _ in 0..<(try reader.listCount()) { bytes[try reader.string()] = try reader.count() }
  }
}
