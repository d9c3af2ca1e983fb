import MirrorAnalysis
import LiveViewMirror
import MarkupDocument
import MicroHTTP
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// The filter of the timeline.
@Suite struct LogFilterTests {
  /// The recording of a list of things to do, by the version of LiveView that made it.
  private static func todo(_ version: String) throws -> ViewState {
    try SampleView.recorded(try #require(Recording.all.first { $0.description.contains("\(version)/03_todo") }))
  }

  /// The matching entries, newest first: a version, or `r` for a rejected input.
  private func entries(_ words: String, of view: ViewState) -> [String] {
    view.log.entries.filter(LogFilter(words, in: view, findings: view.findingEntries).matches).reversed().map { entry in
      entry.record == nil ? "r\(entry.cursor)" : "v\(entry.cursor.version)"
    }
  }

  // MARK: - Texts

  @Test func `a text is found in what a diff changed, also in the id of a removed element`() throws {
    let rows = [1, 2, 3].map { ##""\##($0 - 1)":{"0":"\##($0)","1":"Fruit \##($0)"}"## }.joined(separator: ",")
    let statics = #""s":["<li id=\"row-","\">","</li>"]"#
    let view = try SampleView.mounted(
      #"{"0":{"k":{\#(rows),"kc":3},\#(statics)},"s":["<ul>","</ul>"]}"#,
      diffs: [#"{"0":{"k":{"1":2,"kc":2}}}"#, #"{"0":{"k":{"0":{"1":"Apple"},"kc":2}}}"#])
    #expect(entries("row-2", of: view) == ["v1", "v0"])
    // The first diff removed the texts "Fruit 2" and "Fruit 3" with their rows.
    #expect(entries("fruit", of: view) == ["v2", "v1", "v0"])
    #expect(entries("APPLE", of: view) == ["v2"])
    #expect(entries("event:row-2", of: view).isEmpty)
    // A search of the tree without a result leads to these diffs.
    let page = ParsedPage(try view.page(.init(find: "row-2")))
    let note = try #require(page.elements("p", class: "found").first).place
    #expect(
      page.text(of: note).hasPrefix(
        "Nothing matches row-2 in version 2, last in v0, gone since v1. Search the diffs for this text"))
  }

  @Test func `a removed text is found, also if it was changed, or is older than the log`() throws {
    let rows = ["milk", "eggs"].enumerated().map { ##""\##($0)":{"0":"t\##($0)","1":"\##($1)"}"## }.joined(
      separator: ",")
    let rendered = #"{"0":{"k":{\#(rows),"kc":2},"s":["<li id=\"","\"><b>","</b></li>"]},"s":["<ul>","</ul>"]}"#
    let diffs = [#"{"0":{"k":{"1":{"1":"bread"},"kc":2}}}"#, #"{"0":{"k":{"kc":1}}}"#, #"{"0":{"k":{"kc":0}}}"#]
    let view = try SampleView.mounted(rendered, diffs: diffs)
    #expect(entries("bread", of: view) == ["v2", "v1"])
    #expect(entries("eggs", of: view) == ["v1", "v0"])
    #expect(entries("MILK op:remove", of: view) == ["v3"])
    let client = try Client(limits: MirrorLimits(versions: 3))
    _ = try client.post("/views/main/rendered", rendered)
    for diff in [#"{"0":{"k":{"1":{"1":"x"},"kc":2}}}"#] + diffs { _ = try client.post("/views/main/diffs", diff) }
    let page = ParsedPage(try client.get("/views/main?filter=milk", accept: "text/html").response.bytes)
    #expect(page.elements("li", class: "diff").compactMap(\.element.id) == ["v4"])
  }

  @Test(arguments: [
    ("#t1", ["v3", "v1", "v0"]), ("li#t1", ["v3", "v1", "v0"]), ("<li#t1>", ["v3", "v1", "v0"]), ("p#t1", []),
    ("#t", []), ("li#t0", ["v2", "v0"]), ("#list", ["v3", "v2", "v0"]),
  ])
  func `an element as the page writes it is found`(words: String, versions: [String]) throws {
    let rows = ##""0":{"0":"t0","1":"a"},"1":{"0":"t1","1":"b"}"##
    let view = try SampleView.mounted(
      ##"{"0":{"k":{\##(rows),"kc":2},"s":["<li id=\"","\">","</li>"]},"s":["<ul id=\"list\">","</ul>"]}"##,
      diffs: [#"{"0":{"k":{"1":{"1":"B"},"kc":2}}}"#, #"{"0":{"k":{"0":1,"kc":1}}}"#, #"{"0":{"k":{"kc":0}}}"#])
    #expect(entries(words, of: view) == versions)
  }

  @Test func `a diff that sends a list again says why`() throws {
    let list = { (values: [String]) in
      #"{"0":{"s":["<li>","</li>"],"d":[\#(values.map { #"["\#($0)"]"# }.joined(separator: ","))]},"s":["<ul>","</ul>"]}"#
    }
    let change = #"{"0":{"d":[["a"],["b"],["new"]]}}"#
    let view = try SampleView.mounted(list(["a", "b", "c"]), diffs: [change])
    let page = ParsedPage(try view.page())
    #expect(
      page.elements("p", class: "notice").map { page.text(of: $0.place) } == [
        "! List in slot 0: 3 of 3 entries were sent, 2 without a change and 1 with new values. "
          + "\(Advice.positional) Cost of all diffs"
      ])
    // An entry of which one value has changed is not one of them.
    let keyed = try SampleView.mounted(
      #"{"0":{"k":{"0":{"0":"r1","1":"a"},"1":{"0":"r2","1":"b"},"kc":2},"s":["<p id=\"","\">","</p>"]},"s":["<ul>","</ul>"]}"#,
      diffs: [#"{"0":{"k":{"0":{"0":"r1","1":"A"},"1":{"0":"r2","1":"B"},"kc":2}}}"#])
    #expect(try ParsedPage(keyed.page()).elements("p", class: "notice").isEmpty)
  }

  // MARK: - Slots

  @Test func `a slot is found in every diff that contains it, changed or not`() throws {
    let view = try Self.todo("1.2.10")
    for slot in ["1.k.0.0", "1.k.km", "1.k.kc", "1.k.2", "2", "1"] {
      let shown = view.log.records.filter { record in
        var parts = [DiffExplanation(record).root]
        while let part = parts.popLast() {
          if part.path == slot || part.path.hasPrefix(slot + ".") { return true }
          parts += part.children
        }
        return false
      }
      #expect(entries("slot:\(slot)", of: view) == shown.map { "v\($0.version)" }.reversed())
    }
    #expect(entries("slot:1.k.0.0", of: view) == ["v22", "v16", "v14", "v13", "v5", "v0"])
    #expect(Set(entries("slot:1.k.km", of: view)).isSuperset(of: ["v22", "v9", "v5", "v3"]))
    #expect(Set(entries("slot:1.k.kc", of: view)).isSuperset(of: ["v22", "v9", "v5"]))
  }

  // MARK: - Diagnostics

  @Test func `rejected inputs have diagnostics, and the sign for them`() throws {
    let view = try SampleView.counter(diffs: [#"{"0":"1"}"#, #"{"5":"x"}"#, #"{"0":"2"}"#])
    #expect(view.findings.map(\.code) == ["rejected-diff"])
    #expect(entries("is:diagnostic", of: view) == ["r1.1"])
    #expect(try flagged(in: view.page()) == ["r1.1"])
    #expect(try flagged(in: view.page(.init(filter: "is:diagnostic"))) == ["r1.1"])
  }

  @Test func `the diffs that shifted a list without keys have diagnostics, and the sign for them`() throws {
    let view = try Self.todo("1.0.18")
    let finding = try #require(view.findings.first { $0.code == "unkeyed-list" })
    let found = entries("is:diagnostic", of: view)
    #expect(found.count == finding.count && view.findings.count == 1)
    #expect(found.first == "v\(finding.lastVersion)" && found.last == "v\(finding.firstVersion)")
    #expect(try flagged(in: view.page()) == found)
  }

  /// The ids of the lines with the sign for diagnostics.
  private func flagged(in page: HTML) -> [String] {
    let page = ParsedPage(page)
    return page.elements("li", class: "diff").filter { line in
      page.tree.preorder(from: line.place).contains { page.tree[$0].element?["title"]?.hasSuffix("diagnostic") == true }
    }.compactMap(\.element.id)
  }
  // MARK: - Words

  @Test(arguments: [
    ("bytes:>9", [2, 3]), ("bytes:>=9", [1, 2, 3]), ("bytes:<10", [1]), ("bytes:<=10", [1, 2]), ("bytes:10", [2]),
    ("bytes:=10", [2]), ("bytes:>1kB", [3]), ("bytes:>1KB", [3]), ("bytes:>1KiB", [3]), ("bytes:<1KiB", [1, 2]),
    ("bytes:> 1 kB", [3]), ("bytes:<1 kB", [1, 2]),
    ("bytes:>0.001MB", [3]), ("bytes:2kB", [3]), ("bytes:2.0kB", [3]), ("bytes:2.1kB", []), ("bytes:9 B", [1]),
    ("bytes:<1GB server", [1, 2, 3]), ("bytes:>9 bytes:<1kB", [2]), ("bytes:<1kB kb", []), ("op:text bytes:9", [1]),
  ])
  func `sizes have comparisons and the units of the page`(words: String, versions: [Int]) throws {
    let view = try SampleView.counter(
      diffs: ["1", "10", String(repeating: "x", count: 2_000)].map { #"{"0":"\#($0)"}"# })
    #expect(LogFilter(words, in: view, findings: view.findingEntries).problems.isEmpty)
    // Without the mount.
    #expect(entries("server \(words)", of: view) == versions.reversed().map { "v\($0)" })
  }

  @Test(arguments: [
    ("bytes>200", "`bytes>200` needs a colon: `bytes:>200`."),
    ("is=waste", "`is=waste` needs a colon: `is:waste`."),
    (
      "foo:bar",
      "`foo:` is not known: `event:`, `node:`, `slot:`, `op:`, `bytes:`, `is:`. For an event with a colon, write `event:foo:bar`."
    ),
    ("is:click", "`is:click` is not known: `is:waste`, `is:diagnostic`, `is:rejected`."),
    (
      "op:insert",
      "`op:insert` is not known: `op:text`, `op:attributes`, `op:add`, `op:remove`, `op:move`."
    ),
    ("node:p", "`node:p` must have a number, as in `node:15`."),
    ("bytes:>x", "`bytes:>x` is not a size: `bytes:200`, `bytes:>=1.5kB`, `bytes:<2MB`."),
    ("bytes:1.5", "`bytes:1.5` is not a size: `bytes:200`, `bytes:>=1.5kB`, `bytes:<2MB`."),
    ("bytes:=>1", "`bytes:=>1` is not a size: `bytes:200`, `bytes:>=1.5kB`, `bytes:<2MB`."),
    ("bytes:99999999999GB", "`bytes:99999999999GB` is not a size: `bytes:200`, `bytes:>=1.5kB`, `bytes:<2MB`."),
    ("slot:", "`slot:` has no value."),
    ("is:`<b>", "`is:'<b>` is not known: `is:waste`, `is:diagnostic`, `is:rejected`."),
    (String(repeating: "op:add ", count: 21), "A filter has at most 20 words, not 21."),
    ("a b c d e f", "A filter has at most 5 words without a colon: write events as `event:`."),
  ])
  func `a word that cannot be read is named above the list`(words: String, problem: String) throws {
    let view = try SampleView.counter(diffs: [#"{"0":"1"}"#])
    #expect(LogFilter(words, in: view, findings: view.findingEntries).problems == [problem])
    #expect(entries(words, of: view) == [])
    let page = ParsedPage(try view.page(.init(filter: words)))
    let text = page.text(of: try #require(page.elements("p", class: "bad").first).place)
    #expect(text == problem.replacing("`", with: ""))
    // The other words do not hide it.
    #expect(LogFilter("mount \(words)", in: view, findings: view.findingEntries).problems.count == 1)
  }

  @Test func `the reason of an empty list and the words of a filter are directly above the list`() throws {
    let view = try SampleView.counter(diffs: [#"{"0":"1"}"#])
    for (words, reason) in [("nosuchthing", "No entry matches the filter."), ("is:x", "The filter cannot be read.")] {
      let page = ParsedPage(try view.page(.init(filter: words)))
      let list = try #require(page.element(id: "diffs"))
      let above = try #require(page.element(id: "filters"))
      let text = page.text(of: above)
      #expect(text.contains(reason) && text.contains("Show all") && text.contains("bytes:>200"))
      #expect(text.contains("several words are joined by “and”"))
      // No region with an own line is between both.
      let ids = page.elements.compactMap(\.element.id)
      #expect(ids.firstIndex(of: "diffs") == ids.firstIndex(of: "filters").map { $0 + 2 }, "\(ids)")
      #expect(page.tree.preorder(from: list).count { page.tree[$0].element != nil } == 1)
      #expect(page.text(of: try #require(page.element(id: "timeline-foot"))) == "")
    }
    let page = ParsedPage(try view.page(.init(filter: "server")))
    #expect(!page.text(of: try #require(page.element(id: "filters"))).contains("bytes:>200"))
  }
}
