import MarkupDocument
import Testing

@Suite struct DiagnosticTests {
  private func codes(_ markup: String, _ dialect: Dialect = .html) -> [String] {
    parse(markup, dialect).diagnostics.map { "\($0.code)@\($0.offset)" }
  }

  @Test func `well-formed markup has no diagnostics`() {
    #expect(codes("<ul><li>a<li>b</ul><table><tr><td>x</table><p>a<p>b<br><svg><path d=\"\"/></svg>") == [])
    #expect(codes("<A b=\"1\"><B/>x</A>", .native) == [])
  }

  @Test(arguments: [
    ("<p id=a id=b>", "duplicate-attribute@8"), ("a</b>", "stray-end-tag@1"), ("</section>", "stray-end-tag@0"),
    ("<div><span></div>", "misnested-end-tag@11"), ("<b><div>x</b></div>", "misnested-end-tag@9"),
    ("<h1>a</h2>", "mismatched-end-tag@5"), ("<div>", "unclosed-element@0"),
    ("<p a'=1>", "unexpected-character-in-tag@4"),
    ("<p / a>", "unexpected-character-in-tag@3"), ("<p a=>", "missing-attribute-value@5"),
    ("<table>x</table>", "foster-parented@7"), ("<table><b></b></table>", "foster-parented@7"),
    ("<form><form></form>", "nested-form@6"), ("<a><a></a>", "nested-link@3"),
    ("a < b", "invalid-first-character-of-tag-name@2"),
    ("<!-- x", "eof-in-comment@0"), ("<p", "eof-in-tag@0"), ("<!x>", "incorrectly-opened-comment@0"),
    ("<tr></tr>", "stray-start-tag@0"),
  ])
  func `a diagnostic has the code and the offset of malformed markup`(markup: String, expected: String) {
    #expect(codes(markup).contains(expected), "\(codes(markup))")
  }

  @Test func `a diagnostic's message is a sentence about the cause`() {
    #expect(
      parse("<p id=a id=b>").diagnostics.map(\.message) == [
        "`<p>` has the attribute `id` twice: browsers use the first one."
      ])
    #expect(
      parse("<A></B></A>", .native).diagnostics.map(\.message) == [
        "Stray `</B>`: no such element is open here, and the end tag is ignored."
      ])
  }

  @Test func `a diagnostic has the code and the offset of malformed native markup`() {
    #expect(codes("<A><B></A>", .native) == ["misnested-end-tag@6"])
    #expect(codes("<A>", .native) == ["unclosed-element@0"])
    #expect(codes("<A b=\"1\" b=\"2\"/>", .native) == ["duplicate-attribute@9"])
  }

  @Test func `the number of diagnostics is limited`() {
    #expect(codes(String(repeating: "</b>", count: 1000)).count == 100)
  }
}
