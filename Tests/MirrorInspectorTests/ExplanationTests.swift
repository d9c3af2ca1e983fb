import MirrorAnalysis
import Foundation
import LiveViewMirror
import MarkupDocument
import Testing

@testable import MirrorInspector

/// The explanation of a diff over HTTP and as a part of the page.
@Suite struct ExplanationTests {
  private func client() throws -> Client {
    let client = try Client()
    _ = try client.post("/views/main/rendered", #"{"s":["<p>","</p>","<hr>"],"0":"0","1":"same"}"#)
    _ = try client.post("/views/main/diffs", #"{"0":"1","1":"same"}"#)
    return client
  }

  @Test func `the explanation is a member of the log entry on demand`() throws {
    let client = try client()
    #expect(try client.get("/views/main/log/1").json["explanation"].isNull)
    #expect(try client.get("/views/main/log/1?explain=false").json["explanation"].isNull)
    let answer = try client.get("/views/main/log/1?explain=true").json
    #expect(answer["diff"].description == #"{"0":"1","1":"same"}"#)
    #expect(
      answer["explanation"].description == """
        {"bytes":20,"changes":[],"children":[\
        {"bytes":3,"changes":[0],"children":[],"kind":"text","more":0,"nodes":[3],"path":"0","summary":"text","value":"1","waste":false},\
        {"bytes":6,"changes":[],"children":[],"kind":"text","more":0,"nodes":[],"path":"1","summary":"text","value":"same","waste":true}\
        ],"kind":"diff","more":0,"nodes":[],"path":"","summary":"diff: 2 slots","value":null,"waste":false}
        """)
    #expect(try client.get("/views/main/log/0?explain=true").json["explanation"]["kind"].string == "rendered")
  }

  @Test func `as text, the tree follows the change set`() throws {
    let text = try client().get("/views/main/log/1?explain=true", accept: "text/plain").text
    #expect(
      text.hasSuffix(
        """
        diff  20 B  diff: 2 slots
          0  3 B  text  "1"  → ~ 3
          1  6 B  text  "same"  ! sent without effect

        """) && text.hasPrefix("main v1  20 B"), "\(text)")
  }

  @Test func `another value of explain is a 400`() throws {
    let answer = try client().get("/views/main/log/1?explain=yes")
    #expect(answer.status == 400)
    #expect(answer.json["detail"].string == #"explain must be true or false, not "yes"."#)
  }

  // MARK: - HTML

  @Test func `a row of the page has the slot, its nodes, its size as a bar, and the mark for waste`() throws {
    let view = try SampleView.mounted(
      #"{"s":["<p>","</p>","<hr>"],"0":"0","1":"same"}"#, diffs: [#"{"0":"&lt;b>","1":"same"}"#])
    let record = try #require(view.log.record(of: 1))
    let page = ParsedPage(
      DiffTable(explanation: DiffExplanation(record), names: record, showsBlanks: false) { Link("n", "\($0.number)") }
        .html)
    let rows = page.elements("tr", class: "part")
    #expect(rows.map { $0.element["data-slot"] } == ["", "0", "1"])
    #expect(rows.map { $0.element["data-nodes"] } == [nil, "3", nil])
    #expect(rows.map { $0.element.classes.contains("unchanged") } == [false, false, true])
    let cells = rows.map { row in page.children("td", of: row.place).map { page.words(of: $0) } }
    #expect(cells[1] == ["8 B", "text &lt;b>", "0 → ~ <p>"])
    #expect(cells[2] == ["6 B", "text same already on the page", "1"])
    #expect(page.elements("rect").map { $0.element["width"] } == ["100", "32", "24"])
    #expect(page.links == ["/n/3"])
    #expect(
      !page.elements.contains { $0.element["style"] != nil || $0.element.tag == "b" && $0.element.classes.isEmpty })
  }

  // MARK: - Side by side

  @Test func `a table has a column for each version, signs, and escaped lines`() throws {
    let view = try SampleView.mounted(
      #"{"s":["<p title=\"","\">","</p>"],"0":"a","1":"x"}"#, diffs: [#"{"0":"&quot;&amp;","1":"&lt;i> y"}"#])
    let sides = try #require(view.sideBySide(from: 0, to: 1))
    let page = ParsedPage(SideBySideTable(sides: sides) { Link("n", "\($0.number)") }.html)
    #expect(page.elements("th").map { page.text(of: $0.place) } == ["Change", "Version 0", "Version 1"])
    #expect(page.elements("th").allSatisfy { $0.element["scope"] == "col" })
    let rows = page.elements("tr").dropFirst().map { row in
      page.tree.children(of: row.place).map { page.text(of: $0).replacing("\u{A0}", with: "_") }
    }
    #expect(
      rows == [
        ["~ 2", #"<p title="a">"#, #"<p title="&quot;&amp;">"#], ["~ 3", "__x", "__&lt;i&gt; y"], ["", "</p>", "</p>"],
      ])
    #expect(page.links == ["/n/2", "/n/3"] && page.elements("bdi").count == 6)
  }
}
