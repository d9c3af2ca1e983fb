import Foundation
import LiveViewMirror
import MarkupDocument
import MicroHTTP
import RecordingFixtures
import Testing

@testable import MirrorAnalysis
@testable import MirrorInspector

/// The findings as JSON, text and HTML, and the explanations of their codes.
@Suite struct FindingRouteTests {
  private static let page = #"{"0":"0","s":["<p id=\"a\">","</p></p><p id=\"a\">x</p>"]}"#

  private func list(_ view: ViewState) -> FindingList {
    FindingList(
      findings: view.findings, firstVersion: view.firstVersion,
      version: { Link("views", view.id).with("version", $0) },
      node: { Link("views", view.id).with("node", $0.number) })
  }

  @Test func `the findings of a view are JSON, and lines for a terminal`() throws {
    let client = try Client()
    _ = try client.post("/views/main/rendered", Self.page)
    _ = try client.post("/views/main/diffs", #"{"0":"1"}"#)
    _ = try client.post("/views/main/diffs", #"{"9":"1"}"#)
    let json = try client.get("/views/main/diagnostics").json
    #expect(json["view"].string == "main" && json["epoch"].int == 1 && json["version"].int == 1)
    let found = json["diagnostics"].array
    #expect(found.map { $0["code"].string } == ["stray-end-tag", "duplicate-id", "rejected-diff"])
    let duplicate = found[1]
    #expect(duplicate["nodes"].array.map { $0["path"].string } == ["p:nth-child(1)", "p:nth-child(3)"])
    #expect(duplicate["first_version"].int == 0 && duplicate["last_version"].int == 1 && duplicate["count"].int == 2)
    #expect(duplicate["is_current"].bool == true)
    #expect(duplicate["explanation"].string == "/help/diagnostics#duplicate-id")
    let text = try client.get("/views/main/diagnostics", accept: "text/plain").text.split(separator: "\n")
    #expect(text.first == "main v1  3 findings" && text.count == 4)
    #expect(text[2].hasPrefix("! duplicate-id  v0–v1, 2 diffs, current  The id \"a\" is on more than one element."))
    #expect(try client.get("/views/other/diagnostics").status == 404)
  }

  @Test func `the list links versions, nodes and the explanation, and counts the diffs`() throws {
    let view = try SampleView.mounted(Self.page, diffs: [#"{"0":"1"}"#])
    let page = ParsedPage(list(view).html)
    #expect(page.elements("li", class: "finding").count == view.findings.count)
    for target in [
      "/views/main?version=0", "/views/main?version=1", "/help/diagnostics#duplicate-id",
      "/help/diagnostics#stray-end-tag",
      "/views/main?node=2",
    ] { #expect(page.links.contains(target), "\(target): \(page.links)") }
    #expect(page.text().contains("2 diffs"))
    #expect(FindingList(findings: [], version: { _ in Link() }, node: { _ in Link() }).html.isEmpty)
  }

  @Test func `a version that is no longer kept is not a link`() throws {
    var shown = list(try SampleView.mounted(Self.page, diffs: [#"{"0":"1"}"#]))
    shown.firstVersion = 1
    let links = ParsedPage(shown.html).links
    #expect(links.contains("/views/main?version=1") && !links.contains("/views/main?version=0"))
  }

  @Test func `a list without keys is in JSON, text and page, with the element that holds it and the explanation`()
    throws
  {
    let client = try Client()
    _ = try client.post(
      "/views/main/rendered",
      #"{"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#)
    _ = try client.post("/views/main/diffs", #"{"0":{"k":{"0":{"0":"new"},"1":{"0":"a"},"2":{"0":"b"},"kc":3}}}"#)
    let sentence = "The list in slot 0 has no keys. 2 entries were sent again with the values of a neighbour"
    let found = try client.get("/views/main/diagnostics").json["diagnostics"].array
    #expect(found.map { $0["code"].string } == ["unkeyed-list"])
    #expect(found[0]["message"].string?.hasPrefix(sentence) == true)
    #expect(found[0]["nodes"].array.map { $0["path"].string } == ["ul:nth-child(1)"])
    #expect(found[0]["first_version"].int == 1 && found[0]["count"].int == 1 && found[0]["is_current"].bool == true)
    #expect(found[0]["explanation"].string == "/help/diagnostics#unkeyed-list")
    #expect(
      try client.get("/views/main/diagnostics", accept: "text/plain").text.contains(
        "! unkeyed-list  v1, 1 diff, current"))
    let page = ParsedPage(Array(try client.get("/views/main?tab=diagnostics", accept: "text/html").text.utf8))
    let item = try #require(page.elements("li", class: "finding").first)
    #expect(page.text(of: item.place).contains(sentence))
    #expect(page.links.contains("/help/diagnostics#unkeyed-list"))
  }

  @Test func `a list of LiveView 1_0 gets no key, in its diff, its insight and its finding`() throws {
    let view = try SampleView.recorded(try #require(Recording.committed.first { $0.name == "1.0.18/03_todo" }))
    let finding = try #require(view.findings.first { $0.code == "unkeyed-list" })
    #expect(finding.ownRemedy == Advice.positional && !list(view).html.text.contains(":key"))
    for (version, sentence) in [
      (19, "3 of 3 entries were sent, 1 without a change and 2 with other values, because entries moved."),
      (
        22,
        "4 of 4 entries were sent, 3 that were on the page already at another position (280 B) and 1 with new values."
      ),
    ] {
      let page = ParsedPage(try view.page(.init(version: version)))
      let notices = page.elements("p", class: "waste").map { page.text(of: $0.place) }.filter { $0.contains("List in") }
      #expect(
        notices.map { $0.hasPrefix("! List in slot 1: \(sentence) \(Advice.positional)") } == [true], "\(notices)")
      #expect(!page.text().contains(":key"))
    }
    #expect(DiagnosticCode["unkeyed-list"]?.remedy(in: .html).hasPrefix("LiveView 1.0: use a stream.") == true)
  }

  @Test func `markup of the page in a finding is escaped`() throws {
    let view = try SampleView.page("<p id='<script>`'></p><p id='<script>`'></p>")
    let html = list(view).html.text
    #expect(html.contains("&lt;script&gt;") && !html.contains("<script>"))
  }

  @Test func `the remedy for native markup has no advice about HTML`() throws {
    let client = try Client()
    for dialect in ["html", "native"] {
      _ = try client.post("/views/\(dialect)/rendered?dialect=\(dialect)", #"{"s":["<Text>a</Text></Text>"]}"#)
      let page = ParsedPage(Array(try client.get("/views/\(dialect)?tab=diagnostics", accept: "text/html").text.utf8))
      let remedies = page.elements("p", class: "remedy").map { page.text(of: $0.place) }
      #expect(remedies.count == 1)
      #expect(remedies.allSatisfy { $0.contains("<div>") == (dialect == "html") })
    }
    #expect(DiagnosticCode.all.allSatisfy { $0.remedy(in: .html) == $0.remedy })
  }

  // MARK: - Explanations

  @Test func `docs/diagnostics.md has the texts of the table`() throws {
    let file = Fixtures.root.appending(path: "docs/diagnostics.md")
    if ProcessInfo.processInfo.environment["MIRROR_WRITE_DOCS"] != nil {
      try DiagnosticCode.markdown.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == DiagnosticCode.markdown)
  }

  @Test func `the markup of an example has its code`() throws {
    let examples = (DiagnosticCode.structure + DiagnosticCode.tables + DiagnosticCode.tags).compactMap { code in
      let parts = code.example.split(separator: "`", omittingEmptySubsequences: false)
      return parts.count == 3 && parts[0].isEmpty && parts[2].isEmpty ? (code.code, String(parts[1])) : nil
    }
    #expect(examples.count > 30)
    for (code, markup) in examples {
      #expect(try SampleView.page(markup).findings.contains { $0.code == code }, "\(code): \(markup)")
    }
  }

  @Test func `the page of explanations has an anchor and the texts of every code, and loads nothing from other hosts`()
    throws
  {
    let answer = try Client().get("/help/diagnostics", accept: "text/html")
    #expect(answer.status == 200 && answer.type == "text/html; charset=utf-8")
    let page = ParsedPage(DiagnosticsHelpPage.html)
    for code in DiagnosticCode.all {
      let text = page.text(of: try #require(page.element(id: code.code), "\(code.code)")).filter { !$0.isWhitespace }
      for part in [code.title, code.meaning, code.example, code.remedy] {
        #expect(text.contains(part.filter { !$0.isWhitespace && $0 != "`" }), "\(code.code): \(part)")
      }
    }
    #expect(!answer.text.contains("http://") && !answer.text.contains("https://"))
    #expect(try Client().get("/help/diagnostics", accept: "text/plain").text == DiagnosticCode.markdown)
  }

  @Test func `every code that the sources report is explained, once`() throws {
    let codes = DiagnosticCode.all.map(\.code)
    #expect(Set(codes).count == codes.count)
    var reported: Set<String> = []
    for file in Fixtures.files(in: Fixtures.root.appending(path: "Sources"), withExtension: "swift") {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: #/report\(\s*"([a-z-]+)"/#) { reported.insert(String(match.1)) }
      for match in text.matches(of: #/code: "([a-z-]+)"/#) { reported.insert(String(match.1)) }
    }
    #expect(reported.count > 35)
    #expect(reported.subtracting(codes) == [])
    #expect(Set(codes).subtracting(reported) == [])
  }
}
