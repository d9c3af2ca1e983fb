import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import Testing

/// A small input must not cause a large amount of work. Each of these inputs once took seconds, or
/// crashed the process.
@Suite struct AmplificationTests {
  private func refusal(_ body: String, dialect: Dialect = .html) throws -> String {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    do throws(UpdateError) {
      try view.mount(Array(body.utf8), dialect: dialect)
      return "mounted"
    } catch {
      #expect(error.kind == .unfitting)
      #expect(!view.isMounted)
      return error.reason
    }
  }

  @Test(arguments: Dialect.allCases)
  func `a component with a thousand tags that the page uses a thousand times is refused`(dialect: Dialect) throws {
    let slots = (0..<1_000).map { "\"\($0)\":1" }.joined(separator: ",")
    let statics = Array(repeating: "\"\"", count: 1_001).joined(separator: ",")
    let tags = String(repeating: "<p/>", count: 1_000)
    let reason = try refusal(#"{\#(slots),"s":[\#(statics)],"c":{"1":{"s":["\#(tags)"]}}}"#, dialect: dialect)
    #expect(reason == "the page has more than 163840 nodes")
  }

  @Test
  func `components that each copy the list of another are refused before they are copied`() throws {
    let entries = (0..<2_000).map { "\"\($0)\":{\"0\":\"x\"}" }.joined(separator: ",")
    let source = #""1":{"0":{"s":["<i>","</i>"],"k":{\#(entries),"kc":2000}},"s":["<p>","</p>"]}"#
    let copies = (2..<2_000).map { "\"\($0)\":{\"s\":1}" }.joined(separator: ",")
    #expect(
      try refusal(#"{"s":[""],"c":{\#(source),\#(copies)}}"#) == "the update must not create more than 524288 slots")
  }

  @Test
  func `a diff that names more slots of a large page than fit into memory is refused`() throws {
    let rows = { (text: String, count: Int) in
      (0..<count).map { #""\#($0)":{"0":"\#(text)"}"# }.joined(separator: ",") + ",\"kc\":\(count)"
    }
    let others = String(repeating: "<br>", count: MarkupParser.maximumNodes - 1 - 2 * 45_000)
    let view = try LiveViewCoordinator.mounted(
      #"{"0":{"s":["<i>","</i>"],"k":{\#(rows("a", 45_000))}},"s":["\#(others)",""]}"#)
    let error = #expect(throws: UpdateError.self) { try view.update(#"{"0":{"k":{\#(rows("b", 45_000))}}}"#) }
    #expect(
      error?.reason == """
        the update names 45000 slots of a document of 163840 nodes, which together take more than 160 MiB to apply: send \
        it as several diffs
        """)
    #expect(view.view?.version == 0)
  }

  @Test
  func `a cycle of very many components is described by its ends`() throws {
    let components = (1...1_000).map { "\"\($0)\":{\"s\":\($0 % 1_000 + 1)}" }.joined(separator: ",")
    #expect(
      try refusal(#"{"s":[""],"c":{\#(components)}}"#)
        == "components take their statics from each other: 1 → 2 → 3 → 4 → 5 → 6 → 7 → 8 → … → 1")
  }

  @Test
  func `thousands of blocks removed by one diff share few cause names`() throws {
    let count = 4_000
    let statics = Array(repeating: "\"\"", count: count - 1).joined(separator: ",")
    let blocks = (0..<count).map { "\"\($0)\":{\"s\":[\"<b></b>\"]}" }.joined(separator: ",")
    let view = try LiveViewCoordinator.mounted(#"{\#(blocks),"s":["<p>",\#(statics),"</p>"]}"#)
    let gone = (0..<count).map { "\"\($0)\":\"\"" }.joined(separator: ",")
    let record = try view.update(Array("{\(gone)}".utf8))
    #expect(record.changeSet.changes.count == count)
    #expect(record.slots.allSatisfy { $0.count <= 8 })
  }
}
