import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

@testable import LiveViewMirror
@testable import MirrorAnalysis

/// What diffs cost by event, template line, list and slot.
@Suite struct CostTotalsTests {
  private let decoder = WireDecoder()

  private func receive(_ frame: String, by view: LiveViewCoordinator) throws {
    let message = try #require(decoder.decode(Array(frame.utf8), as: .frames).first).get()
    _ = try view.receive(message, dialect: .html)
  }

  /// A view with a value and a list, in versions that an event, or nobody, has caused.
  private func view(limits: MirrorLimits = MirrorLimits()) throws -> LiveViewCoordinator {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses, limits: limits)
    let rendered =
      #"{"0":"0","1":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["<li>","</li>"]},"s":["<p>","</p><ul>","</ul>"]}"#
    try receive(
      #"["1","1","lv:main","phx_reply",{"status":"ok","response":{"rendered":\#(rendered)}}]"#, by: view)
    return view
  }

  private func push(_ event: String, after latency: Int, answeredBy diff: String, _ view: LiveViewCoordinator) throws {
    let event = #"["1","2","lv:main","event",{"type":"click","event":"\#(event)","value":{}}]"#
    let reply = #"["1","2","lv:main","phx_reply",{"status":"ok","response":{"diff":\#(diff)}}]"#
    for (frame, at) in [(event, 0), (reply, latency)] {
      try receive(#"{"at":\#(1_700_000_000_000 + at),"frame":\#(frame)}"#, by: view)
    }
  }

  private func lines(_ totals: CostTotals) -> [String] {
    totals.rows.map { row in
      let latency = row.latencies.isEmpty ? "" : " \(row.latencies)"
      return
        "\(row.key ?? "-"): \(row.diffs) diffs, \(row.bytes) B, \(row.wastedBytes) wasted, \(row.nodes) nodes\(latency)"
    }
  }

  private func state() throws -> ViewState {
    let view = try view()
    try push("inc", after: 12, answeredBy: #"{"0":"1"}"#, view)
    try push("inc", after: 8, answeredBy: #"{"0":"1"}"#, view)
    try push("load", after: 30, answeredBy: #"{"0":"2","1":{"k":{"0":{"0":"a"},"1":{"0":"x"},"kc":2}}}"#, view)
    try view.update(#"{"0":"3"}"#)
    return try #require(view.view)
  }

  // MARK: - Rows

  @Test func `by event, a row has the diffs that answer it, and one row has those that the server pushed`() throws {
    #expect(
      lines(CostTotals(of: try state(), by: .event)) == [
        "load: 1 diffs, 56 B, 3 wasted, 2 nodes [30.0]", "inc: 2 diffs, 18 B, 3 wasted, 1 nodes [8.0, 12.0]",
        "-: 1 diffs, 9 B, 0 wasted, 1 nodes",
      ])
  }

  @Test func `by slot and list, a row has the values, the changes that they caused, and the latencies`() throws {
    let view = try state()
    #expect(
      lines(CostTotals(of: view, by: .slot)) == [
        "0: 4 diffs, 12 B, 3 wasted, 3 nodes [8.0, 12.0, 30.0]", "1.k.*.0: 1 diffs, 6 B, 3 wasted, 1 nodes [30.0]",
      ])
    #expect(
      lines(CostTotals(of: view, by: .list)) == [
        "-: 4 diffs, 12 B, 3 wasted, 3 nodes [8.0, 12.0, 30.0]", "1: 1 diffs, 6 B, 3 wasted, 1 nodes [30.0]",
      ])
  }

  @Test(arguments: Recording.all)
  func `by slot, the sums of all kept diffs are those since the mount`(recording: Recording) throws {
    var views = RecordedViews(recording)
    for step in recording.steps {
      let (_, receive) = try views.next(step)
      _ = try receive()
    }
    for view in views.all.values.compactMap(\.view) where view.log.evicted == 0 {
      let totals = CostTotals(of: view, by: .slot)
      let rows = totals.rows.filter { $0.bytes > 0 }.map {
        "\($0.key ?? "-") \($0.diffs) \($0.bytes) \($0.wastedBytes)"
      }
      let report = view.wasteReport()
      let slots = report.slotsWithBytes.map { "\($0.slot) \($0.diffs) \($0.bytes) \($0.wastedBytes)" }
      #expect(rows.sorted() == slots.sorted())
      #expect((totals.diffs, totals.bytes, totals.wastedBytes) == (report.diffs, report.diffBytes, report.wastedBytes))
      for grouping in CostTotals.Grouping.allCases {
        let rows = CostTotals(of: view, by: grouping).rows
        #expect(rows.reduce(0) { $0 + $1.wastedBytes } == report.wastedBytes)
        #expect(rows.reduce(0) { $0 + $1.bytes } == (grouping == .event ? report.diffBytes : report.bytes))
      }
    }
  }

  @Test func `beyond 1,000 slots, one row has the others`() throws {
    let count = 1_100
    let slots = (0..<count).map { "\"\($0)\":\"a\"" }.joined(separator: ",")
    let statics = Array(repeating: "\"<i></i>\"", count: count + 1).joined(separator: ",")
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array("{\(slots),\"s\":[\(statics)]}".utf8), dialect: .html)
    for _ in 0..<2 { try view.update("{\(slots)}") }
    let rows = CostTotals(of: try #require(view.view), by: .slot).rows
    #expect(rows.count == 1_001)
    #expect(rows.filter { $0.key == nil }.map { [$0.diffs, $0.bytes, $0.wastedBytes] } == [[2, 600, 600]])
  }

  @Test func `lines are sorted by file and number, and slots without a line are last`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(
      Array(
        #"""
        {"0":"a","1":"b","2":"c","s":["<i>","</i><!-- <A.b> cart.ex:1 (app) --><p data-phx-loc=\"164\">","</p><p data-phx-loc=\"28\">","</p><!-- </A.b> -->"]}
        """#.utf8), dialect: .html)
    try view.update(#"{"0":"x","1":"y","2":"z"}"#)
    let rows = CostTotals(of: try #require(view.view), by: .source, sortedBy: .key).rows
    #expect(rows.map(\.key) == ["cart.ex:28", "cart.ex:164", nil])
  }

  // MARK: - Ranges

  @Test func `a range has the diffs of these versions alone`() throws {
    let view = try state()
    let totals = CostTotals(of: view, by: .event, from: 2, to: 3)
    #expect(lines(totals).map { $0.prefix(12) } == ["load: 1 diff", "inc: 1 diffs"])
    #expect((totals.diffs, totals.bytes, totals.wastedBytes, totals.evictedDiffCount) == (2, 65, 6, 0))
    #expect(CostTotals(of: view, by: .slot, from: 0, to: 0).rows.isEmpty)
  }

  @Test func `evicted diffs are counted, and not among the sums`() throws {
    let view = try view(limits: MirrorLimits(versions: 4))
    for number in 1...50 { try view.update("{\"0\":\"\(number)\"}") }
    let state = try #require(view.view)
    let totals = CostTotals(of: state, by: .slot)
    #expect(state.log.evicted > 0 && totals.evictedDiffCount == 50 - totals.diffs)
    #expect(totals.rows.map(\.diffs) == [totals.diffs] && totals.diffs == state.log.records.count { $0.version > 0 })
    #expect(totals.limitation == "\(totals.evictedDiffCount) earlier diffs are no longer stored and not counted.")
    // A range that begins with the mount lacks them, too.
    let beginning = CostTotals(of: state, by: .slot, to: state.version - 1)
    #expect((beginning.diffs, beginning.evictedDiffCount) == (totals.diffs - 1, totals.evictedDiffCount))
    #expect(CostTotals(of: state, by: .slot, from: state.firstVersion).evictedDiffCount == 0)
  }

  // MARK: - Size or number

  private func sentence(_ sizes: [Int]) throws -> String {
    let view = try view()
    for (index, size) in sizes.enumerated() {
      let value = "\(index)" + String(repeating: "x", count: size - 8 - "\(index)".utf8.count)
      try view.update("{\"0\":\"\(value)\"}")
    }
    return CostTotals(of: try #require(view.view), by: .event).sentence
  }

  @Test func `one sentence says whether the size or the number of diffs costs`() throws {
    #expect(
      try sentence([1_000] + Array(repeating: 20, count: 9))
        == "10 diffs, 1.1 kB: the largest is 85 % of the bytes, so the size of a few diffs is what costs.")
    #expect(
      try sentence(Array(repeating: 20, count: 22))
        == "22 diffs, 440 B: the 3 largest are 14 % of the bytes, so the number of diffs is what costs.")
    #expect(
      try sentence(Array(repeating: 120, count: 2) + Array(repeating: 20, count: 18))
        == "20 diffs, 600 B: the 2 largest are 40 % of the bytes, so both their size and their number cost.")
    #expect(
      try sentence([20, 20]) == "2 diffs, 40 B: the largest is 50 % of the bytes, so the number of diffs is what costs."
    )
    #expect(try sentence([20]) == "1 diff, 20 B.")
    #expect(try sentence([]) == "0 diffs, 0 B.")
  }
}
