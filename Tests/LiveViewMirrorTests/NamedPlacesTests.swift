import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import Testing

/// A change record bounds the slot paths that it names: the causes of its changes, and wasted
/// slots.
@Suite struct NamedPlacesTests {
  /// `inner` in `depth` nested fragments.
  private func nested(_ depth: Int, _ inner: String, statics: Bool) -> String {
    let open = statics ? #"{"s":["",""],"0":"# : #"{"0":"#
    return String(repeating: open, count: depth) + inner + String(repeating: "}", count: depth)
  }

  private func entries(_ count: Int, _ value: String, statics: Bool) -> String {
    let rows = (0..<count).map { #""\#($0)":{"0":"\#(value)"}"# }.joined(separator: ",")
    return #"{\#(statics ? #""s":["<li>","</li>"],"# : "")"k":{\#(rows),"kc":\#(count)}}"#
  }

  private func view(_ pipeline: UpdateOptions.Pipeline, depth: Int, rows: Int) throws -> LiveViewCoordinator {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: pipeline).withAnalyses)
    let page = #"{"s":["<ul>","</ul>"],"0":\#(nested(depth, entries(rows, "a", statics: true), statics: true))}"#
    try view.mount(Array(page.utf8), dialect: .html)
    return view
  }

  @Test(arguments: UpdateOptions.Pipeline.allCases)
  func `a slot path is shortened to 48 steps`(pipeline: UpdateOptions.Pipeline) throws {
    let view = try view(pipeline, depth: 60, rows: 3)
    let diff = #"{"0":\#(nested(60, entries(3, "b", statics: false), statics: false))}"#
    let record = try view.update(Array(diff.utf8))
    #expect(record.changeSet.changes.count == 3 && record.unnamedChangeCount == 0)
    let name = Array(repeating: "0", count: 48).joined(separator: ".")
    #expect(record.slots == [[name], [name], [name]])
  }

  @Test
  func `the slot paths of a record take at most 1 MiB, and changes without paths are counted`() throws {
    let rows = 12_000
    let view = try view(.scoped, depth: 44, rows: rows)
    let diff = #"{"0":\#(nested(44, entries(rows, "b", statics: false), statics: false))}"#
    let record = try view.update(Array(diff.utf8))
    #expect(record.changeSet.changes.count == rows)
    #expect(record.slots.joined().reduce(0) { $0 + $1.utf8.count } < 1 << 20)
    #expect(record.unnamedChangeCount > 0 && record.slots.count { $0.isEmpty } == record.unnamedChangeCount)
    #expect(record.slots[0].count == 1 && record.slots[rows - 1].isEmpty)
  }

  @Test(arguments: UpdateOptions.Pipeline.allCases)
  func `the first hundred wasted slots are named and the rest are counted`(pipeline: UpdateOptions.Pipeline) throws {
    let view = try view(pipeline, depth: 1, rows: 130)
    let diff = #"{"0":\#(nested(1, entries(130, "a", statics: false), statics: false))}"#
    let record = try view.update(Array(diff.utf8))
    #expect(record.waste.slots.count == 100 && record.waste.more == 30 && record.waste.count == 130)
    #expect(record.waste.bytes == 130 * 3)
  }
}
