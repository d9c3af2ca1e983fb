import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

@testable import LiveViewMirror
@testable import MirrorAnalysis

/// The costs of slots and lists, summed over all diffs of a view.
@Suite struct SlotTotalsTests {
  private func view(_ mount: String, _ diffs: [String], limits: MirrorLimits = MirrorLimits()) throws -> ViewState {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses, limits: limits)
    try view.mount(Array(mount.utf8), dialect: .html)
    for diff in diffs { try view.update(Array(diff.utf8)) }
    return try #require(view.view)
  }

  private func lines(_ report: WasteReport) -> [String] {
    report.slots.map { "\($0.slot) \($0.bytes) \($0.wastedBytes) \($0.diffs) \($0.wastedDiffCount) v\($0.lastVersion)" }
  }

  private func lists(_ view: ViewState) -> [String] {
    view.wasteReport().lists.map {
      "\($0.slot) \($0.kind) diffs \($0.diffs) sent \($0.entries) unchanged \($0.unchangedEntryCount)"
        + " whole \($0.wholeResendCount) shifted \($0.shiftedEntryCount) recreated \($0.recreatedElementCount)"
    }
  }

  static let counter = #"{"0":"1","1":"x","s":["<p>","</p><b>","</b>"]}"#
  static let list = AttributionTests.list

  // MARK: - Slots

  @Test func `each slot has its bytes, its diffs, and those without effect`() throws {
    let view = try view(Self.counter, [#"{"0":"2","1":"x"}"#, #"{"0":"2","1":"y"}"#, #"{"1":"y"}"#])
    #expect(lines(view.wasteReport()) == ["1 9 6 3 2 v3", "0 6 3 2 1 v2"])
    #expect(view.wasteReport().others == nil)
  }

  @Test func `the entries of a list are one slot`() throws {
    let view = try view(
      Self.list, [#"{"0":{"k":{"0":{"0":"a"},"1":{"0":"x"},"kc":3}}}"#, #"{"0":{"k":{"2":{"0":"c"},"kc":3}}}"#])
    #expect(lines(view.wasteReport()) == ["0.k.*.0 9 6 2 1 v2"])
  }

  @Test func `an entry that moves and changes counts for the slot of the template`() throws {
    let view = try view(Self.list, [#"{"0":{"k":{"0":[2,{"0":"x"}],"1":0,"2":1,"kc":3,"km":true}}}"#])
    #expect(view.wasteReport(by: .slot).slots.map(\.slot) == ["0.k.*", "0.k.*.0"])
    #expect(view.totals.tree.name(of: view.totals.tree.node(named: "0.k.0.1.0")) == "0.k.*.0")
  }

  @Test func `entries by place of LiveView 1_0 are one slot`() throws {
    let view = try view(AttributionTests.plainList, [#"{"0":{"d":[["a"],["b"],["x"]]}}"#])
    #expect(lines(view.wasteReport()) == ["0.d.*.0 9 6 1 0 v1"])
  }

  @Test func `components with the same template are one slot`() throws {
    let view = try view(
      #"{"0":1,"1":2,"2":3,"c":{"1":{"s":["<i>","</i>"],"0":"a"},"2":{"s":1,"0":"b"},"3":{"s":["<u>","</u>"],"0":"c"}},"s":["<p>","","","</p>"]}"#,
      [#"{"c":{"1":{"0":"a"},"2":{"0":"x"}}}"#, #"{"c":{"3":{"0":"c"}}}"#])
    #expect(lines(view.wasteReport()) == ["c.*1.0 6 3 1 0 v1", "c.*3.0 3 3 1 1 v2"])
    #expect(view.totals.tree.name(of: view.totals.tree.node(named: "c.2.0")) == "c.*1.0")
  }

  @Test func `a remount begins with sums of 0`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(Self.counter.utf8), dialect: .html)
    try view.update(Array(#"{"0":"1"}"#.utf8))
    try view.mount(Array(Self.counter.utf8), dialect: .html)
    #expect(try #require(view.view).wasteReport().slots.isEmpty)
  }

  @Test func `the sums include evicted entries`() throws {
    let view = try view(
      Self.counter, (1...50).map { _ in #"{"0":"1"}"# }, limits: MirrorLimits(versions: 4))
    #expect(view.log.evicted > 0)
    #expect(lines(view.wasteReport()) == ["0 150 150 50 50 v50"])
  }

  @Test func `beyond 1,000 slots, the others have one sum`() throws {
    let count = 1_100
    let slots = (0..<count).map { "\"\($0)\":\"a\"" }.joined(separator: ",")
    let statics = Array(repeating: "\"<i></i>\"", count: count + 1).joined(separator: ",")
    let report = try view("{\(slots),\"s\":[\(statics)]}", ["{\(slots)}", "{\(slots)}"]).wasteReport()
    #expect(report.slots.count == 1_000)
    #expect(report.others?.wastedBytes == 100 * 3 * 2)
    #expect((report.others?.diffs, report.others?.wastedDiffCount) == (2, 2))
    #expect((report.bytes, report.wastedBytes) == (count * 6, count * 6))
  }

  @Test func `the memory of the view includes the totals`() throws {
    let count = 500
    let slots = (0..<count).map { "\"\($0)\":\"a\"" }.joined(separator: ",")
    let statics = Array(repeating: "\"<i></i>\"", count: count + 1).joined(separator: ",")
    let without = try view("{\(slots),\"s\":[\(statics)]}", [])
    let with = try view("{\(slots),\"s\":[\(statics)]}", ["{\(slots)}"])
    #expect(with.totals.memory > count * MemoryLayout<SlotTotals.Row>.stride)
    #expect(with.memory - without.memory >= with.totals.memory - without.totals.memory)
  }

  @Test func `paths are cut at 48 steps`() throws {
    var (mount, diff) = (#""a""#, #""a""#)
    for _ in 0..<60 { (mount, diff) = (#"{"0":\#(mount),"s":["<i>","</i>"]}"#, #"{"0":\#(diff)}"#) }
    let report = try view(mount, [diff]).wasteReport()
    #expect(report.slots.map { $0.slot.split(separator: ".").count } == [48])
    #expect(report.wastedBytes == 3)
  }

  @Test(arguments: Recording.all)
  func `the wasted bytes of all slots are those of all records`(recording: Recording) throws {
    var views = RecordedViews(recording)
    var wasted: [String: Int] = [:]
    for step in recording.steps {
      let (view, receive) = try views.next(step)
      guard let record = try receive() else { continue }
      wasted[step.topic] = (record.version == 0 ? 0 : wasted[step.topic] ?? 0) + record.waste.bytes
      let report = try #require(view.view).wasteReport()
      #expect(report.wastedBytes == wasted[step.topic], "step \(step.index)")
      #expect(report.version == record.version)
      for slot in report.slots {
        #expect(slot.wastedBytes <= slot.bytes && slot.wastedDiffCount <= slot.diffs && slot.diffs <= record.version)
      }
      let state = try #require(view.view)
      let names = record.slots.joined() + record.waste.slots
      let sources = state.templateSources(of: names)
      for name in names { #expect(sources[name] != nil, "step \(step.index): \(name)") }
    }
  }

  // MARK: - Lists

  @Test func `a moved entry shows that the list is keyed`() throws {
    let view = try view(Self.list, [#"{"0":{"k":{"0":2,"1":0,"2":1,"kc":3,"km":true}}}"#])
    #expect(lists(view) == ["0 keyed diffs 1 sent 0 unchanged 0 whole 0 shifted 0 recreated 0"])
    #expect(view.wasteReport().lists[0].advice == nil)
  }

  @Test func `an insertion that shifts all later entries shows that the list is by index`() throws {
    let diff = #"{"0":{"k":{"0":{"0":"new"},"1":{"0":"a"},"2":{"0":"b"},"3":{"0":"c"},"kc":4}}}"#
    let view = try view(Self.list, [diff])
    #expect(lists(view) == ["0 byIndex diffs 1 sent 4 unchanged 0 whole 1 shifted 3 recreated 0"])
    #expect(view.wasteReport().lists[0].advice?.contains(":key={item.id}") == true)
  }

  @Test func `a removal that shifts all later entries shows that the list is by index`() throws {
    let view = try view(Self.list, [#"{"0":{"k":{"0":{"0":"b"},"1":{"0":"c"},"kc":2}}}"#])
    #expect(lists(view) == ["0 byIndex diffs 1 sent 2 unchanged 0 whole 0 shifted 2 recreated 0"])
  }

  @Test func `an appended entry does not show how entries are identified`() throws {
    let view = try view(Self.list, [#"{"0":{"k":{"2":{"0":"C"},"3":{"0":"d"},"kc":4}}}"#])
    #expect(lists(view) == ["0 undecided diffs 1 sent 2 unchanged 0 whole 0 shifted 0 recreated 0"])
  }

  @Test func `entries that are sent with their own values are counted`() throws {
    let all = #"{"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"2":{"0":"x"},"kc":3}}}"#
    let view = try view(Self.list, [all, all])
    #expect(lists(view) == ["0 undecided diffs 2 sent 6 unchanged 5 whole 2 shifted 0 recreated 0"])
    #expect(view.wasteReport().lists[0].advice == Advice.unchangedEntries)
  }

  @Test func `LiveView 1_0 sends all entries`() throws {
    let view = try view(
      AttributionTests.plainList, [#"{"0":{"d":[["a"],["b"],["x"]]}}"#, #"{"0":{"d":[["n"],["a"],["b"],["x"]]}}"#])
    #expect(lists(view) == ["0 positional diffs 2 sent 7 unchanged 2 whole 2 shifted 3 recreated 0"])
    #expect(view.wasteReport().lists[0].advice?.contains("LiveView 1.1") == true)
  }

  @Test func `a list that is sent with its template is a whole list`() throws {
    let again = #"{"0":{"k":{"0":{"0":"a"},"1":{"0":"B"},"2":{"0":"c"},"kc":3},"s":["<li>","</li>"]}}"#
    #expect(
      lists(try view(Self.list, [again])) == ["0 undecided diffs 1 sent 3 unchanged 2 whole 1 shifted 0 recreated 0"])
  }

  @Test func `a stream is a kind of its own`() throws {
    let mount =
      #"{"0":{"k":{"0":{"0":"a"},"kc":1},"s":["<li id=\"","\"></li>"],"stream":["0",[["a",-1,null]],[]]},"s":["<ul id=\"u\" phx-update=\"stream\">","</ul>"]}"#
    let insert = #"{"0":{"k":{"0":{"0":"b"},"kc":1},"stream":["0",[["b",-1,null]],[]]}}"#
    let view = try view(mount, [insert, insert])
    #expect(lists(view) == ["0 stream diffs 2 sent 2 unchanged 0 whole 0 shifted 0 recreated 0"])
  }

  @Test func `an element with an id that changes its tag has lost its identity`() throws {
    let mount =
      #"{"0":{"k":{"0":{"0":{"0":"a","s":["<li id=\"x\">","</li>"]}},"kc":1},"s":["",""]},"s":["<ul>","</ul>"]}"#
    let view = try view(
      mount, [#"{"0":{"k":{"0":{"0":{"0":"a","s":["<p id=\"x\">","</p>"]}},"kc":1}}}"#])
    #expect(view.wasteReport().lists.map(\.recreatedElementCount) == [1])
    #expect(view.wasteReport().lists[0].advice == Advice.recreated)
  }

  @Test func `two lists in the entries of a list count as one diff`() throws {
    let inner = { (text: String) in #"{"0":{"k":{"0":{"0":"\#(text)"},"kc":1},"s":["<i>","</i>"]}}"# }
    let mount = #"{"0":{"k":{"0":\#(inner("a")),"1":\#(inner("b")),"kc":2},"s":["<p>","</p>"]},"s":["<div>","</div>"]}"#
    let change = #"{"0":{"k":{"0":{"0":"x"},"kc":1}}}"#
    let view = try view(mount, [#"{"0":{"k":{"0":\#(change),"1":\#(change),"kc":2}}}"#])
    #expect(
      lists(view) == [
        "0 undecided diffs 1 sent 2 unchanged 0 whole 1 shifted 0 recreated 0",
        "0.k.*.0 undecided diffs 1 sent 2 unchanged 0 whole 0 shifted 0 recreated 0",
      ])
  }
}
