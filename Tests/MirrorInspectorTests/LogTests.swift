import Foundation
@testable import LiveViewMirror
import MarkupDocument
import MirrorSupport
import MirrorViews
import Testing

@testable import MirrorInspector

@Suite struct LogTests {
  @Test(
    arguments: [0, 1, 49, 50, 51, 99, 100, 101, 333])
  func `the pages of the log contain every entry, and only the oldest page overlaps`(updates: Int) throws {
    let view = try SampleView.counter(diffs: (0..<updates).map { $0 % 7 < 3 ? #"{"9":"x"}"# : #"{"0":"\#($0)"}"# })
    let all = view.log.last(.max).map(\.cursor)
    #expect(all.count == updates + 1)
    var pages: [[ChangeLog.Cursor]] = []
    var window = LogWindow(of: view.log, after: nil, around: view.version)
    #expect(window.newer == nil)
    while true {
      pages.append(window.entries.map(\.cursor))
      guard let older = window.older, pages.count < 100 else { break }
      window = LogWindow(of: view.log, after: older, around: view.version)
      let last = window.entries.last?.cursor
      #expect(window.newer == (last == all.last ? nil : last))
    }
    let overlap = pages.joined().count - all.count
    try #require(overlap >= 0)
    let oldest = pages.removeLast()
    #expect(oldest.count <= LogWindow.size + 1)
    #expect(pages.allSatisfy { $0.count == LogWindow.size })
    #expect(oldest.dropLast(overlap) + pages.reversed().joined() == all[...])
    var forward = window.entries.map(\.cursor)
    while let newer = window.newer, forward.count <= all.count {
      window = LogWindow(of: view.log, after: newer, around: view.version)
      forward += window.entries.map(\.cursor)
    }
    #expect(forward == all)
  }

  @Test
  func `the shown page of the log contains the shown version`() throws {
    let view = try SampleView.counter(diffs: (0..<200).map { #"{"0":"\#($0)"}"# })
    for version in stride(from: 0, through: view.version, by: 13) {
      let page = ParsedPage(try view.page(.init(version: version)))
      #expect(page.element(id: "v\(version)") != nil)
      #expect(page.elements("li", class: "diff").count <= LogWindow.size + 1)
    }
  }

  @Test
  func `the log entry of a rejected diff has the position, the reason and a remedy`() throws {
    let view = try SampleView.counter(diffs: [#"{"0":"1"}"#, #"{"7":"x"}"#])
    let page = ParsedPage(try view.page())
    let entries = page.elements("li", class: "diff").map { $0.element.id ?? "" }
    #expect(entries == ["r1.1", "v1", "v0"])
    let line = try #require(page.element(id: "r1.1"))
    #expect(page.words(of: line).contains("this slot does not exist: the template has 1 slot, 0 to 0"))
    #expect(
      page.first("a", nil, in: line).flatMap { page.attribute("href", of: $0) }?.contains("rejected=1.1.1") == true)
    let details = ParsedPage(try view.page(.init(version: 1, rejected: "1.1.1")))
    let entry = details.words(of: details.element(id: "details"))
    #expect(entry.contains("Place in the input: /7"))
    #expect(entry.contains("this slot does not exist: the template has 1 slot, 0 to 0"))
    #expect(entry.contains("the view stayed at version 1"))
    #expect(entry.contains("mount the view again with POST /views/main/rendered"))
    #expect(entry.hasSuffix(#"{"7": "x"}"#), "\(entry.suffix(90))")
    let facts = ParsedPage(try view.page(.init(tab: .view)))
    #expect(facts.links.contains("/views/main?tab=view&filter=is:rejected#diffs") && facts.text().contains("✕ 1"))
  }

  @Test
  func `the details of a diff have its waste, events, title, reply, diagnostics and reach`() throws {
    let view = try SampleView.mounted(
      #"{"s":["<p id=\"a\">","</p><p id=\"a\">","</p>"],"0":"0","1":"same"}"#,
      diffs: [#"{"0":"1","1":"same","t":"New","e":[["hi",{}]],"r":{"ok":true}}"#])
    let page = ParsedPage(try view.page())
    let details = page.text(of: try #require(page.element(id: "details")))
    for words in [
      "Notified 1 of 3 subscribers: 2\u{A0}<p#a>", "6 B already on the page (10 %): slot 1", "Page title: New",
      #"Events for the client: [["hi",{}]]"#,
      #"Reply to the event: {"ok":true}"#, "duplicate-id", "\"0\": \"1\"",
    ] {
      #expect(details.contains(words), "\(words) is not in: \(details)")
    }
    let flags = page.elements("b", class: "flag").compactMap { $0.element["aria-label"] }
    // The mount has the diagnostic, too.
    #expect(flags == ["6 B already on the page, 10 % of the diff", "1 diagnostic", "1 diagnostic"])
  }

  @Test
  func `the details of a diff say scoped or full, with the reason for a full update, and those of a mount do not`()
    throws
  {
    var view = try SampleView.counter(diffs: [#"{"0":"1"}"#, #"{"0":"2"}"#])
    var records = try (0...2).map { try #require(view.log.record(of: $0)) }
    records[0].path = .full(reason: "a mount")
    records[1].path = .scoped
    records[2].path = .full(reason: "a <table> \u{7} began")
    view.log = records.reduce(into: ChangeLog()) { $0.append($1) }

    func summary(_ version: Int) throws -> String {
      let page = ParsedPage(try view.page(.init(version: version)))
      let details = try #require(page.element(id: "details"))
      return page.text(of: details).replacing(#/[\d,]+ µs/#, with: "N µs")
    }
    #expect(try summary(0).contains("Timings, N µs") && !summary(0).contains("full"))
    #expect(try summary(1).contains("Timings, N µs scoped"))
    #expect(try summary(2).contains("Timings, N µs full: a <table>"))

    let json = try records.map { JSONValue(try JSONSerialization.jsonObject(with: Data($0.json().bytes))) }
    #expect(json.map { $0["path"].string } == ["full", "scoped", "full"])
    #expect(json.map { $0["path_reason"].string } == ["a mount", nil, "a <table> \u{7} began"])

    let ends = records.map { $0.headline.split(separator: "µs", omittingEmptySubsequences: false).last }
    #expect(ends == ["", "", #"  full: a <table> \u{7} began"#])
  }
}
