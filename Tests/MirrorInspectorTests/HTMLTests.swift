import MarkupDocument
import MirrorSupport
import Testing

@testable import MirrorInspector

@Suite struct HTMLTests {
  @Test
  func `interpolated strings are escaped, and interpolated markup and numbers are not`() {
    let inner: HTML = "<b>\("<i>&\"'")</b>"
    let absent: HTML? = nil
    #expect(inner.text == "<b>&lt;i&gt;&amp;&quot;&#39;</b>")
    let outer: HTML = "<p title=\"\("\" onclick=\"x")\">\(inner)\([inner, inner])\(absent)\(-7)</p>"
    #expect(
      outer.text == "<p title=\"&quot; onclick=&quot;x\">\(inner.text)\(inner.text)\(inner.text)-7</p>")
  }

  @Test
  func `every character of data is parsed as itself, or is replaced by its visible name`() {
    let sampled = (UInt32(0)...0x2FFF).filter { $0 < 0x300 || $0.isMultiple(of: 7) || $0 >> 8 == 0x20 }
    let far = (UInt32(0x3000)...0x10FFFF).filter { $0.isMultiple(of: 997) || $0 >> 8 == 0xFE || $0 & 0xFFFE == 0xFFFE }
    for scalar in (sampled + far).compactMap(Unicode.Scalar.init) {
      let page = ParsedPage("<p title=\"\(String(scalar))\">\(String(scalar))</p>")
      let read = page.text()
      let p = page.elements.first?.element
      let isHeld = page.elements.count == 1 && p?.attributes.count == 1 && p?["title"] == read
      let isNamed = scalar.isUnseen && scalar != "\n" && scalar != "\t"
      let isRight =
        isNamed ? !read.unicodeScalars.contains { $0.isUnseen } : read.unicodeScalars.elementsEqual([scalar])
      if !isHeld || !isRight {
        Issue.record("U+\(String(scalar.value, radix: 16)) is read as \(read.debugDescription)")
      }
    }
  }

  @Test
  func `control characters and direction marks are replaced by visible names`() {
    let html: HTML = "\("a\u{202E}b\u{0}c\u{7F}d\u{85}e\r")"
    #expect(html.text == "a⟨U+202E⟩b␀c␡d⟨U+0085⟩e␍")
  }

  @Test(
    arguments: [
      ("a b", "<q>a b</q>"),
      (" a", #"<q><span class="blank">·</span>a</q>"#),
      ("a  b", #"<q>a<span class="blank">··</span>b</q>"#),
      ("\n      ", #"<q><span class="blank">↵·×6</span></q>"#),
      ("a\tb", #"<q>a<span class="blank">⇥</span>b</q>"#),
      ("abcdefgh", #"<q>abcde<span class="cut">… 8 characters</span></q>"#),
    ])
  func `significant white space is visible, and a long text is cut with its length`(text: String, expected: String) {
    #expect(HTML.quoted(text, limit: text.count < 8 ? 100 : 5).text == expected)
  }

  @Test
  func `times are UTC, with and without a date`() {
    for (milliseconds, expected) in [
      (0, "1970-01-01T00:00:00.000Z"), (1_795_255_200_123, "2026-11-21T10:00:00.123Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
    ] as [(Int64, String)] {
      let parts = expected.split(separator: "T").map(String.init)
      #expect(
        HTML.time(milliseconds).text == "<time datetime=\"\(expected)\" title=\"\(expected)\">\(parts[1])</time>")
      #expect(HTML.time(milliseconds, withDate: true).text.contains(">\(parts[0]) \(parts[1])<"))
    }
  }

  @Test
  func `numbers are grouped and sizes have units`() {
    #expect(HTML.count(60_014, "node").text == "60,014 nodes")
    #expect(HTML.count(1, "entry").text == "1 entry")
    #expect(
      [0, 999, 1_000, 12_449, 1_250_000].map { HTML.bytes($0).text } == ["0 B", "999 B", "1.0 kB", "12.4 kB", "1.2 MB"])
  }

  @Test
  func `each segment of an address is percent-encoded`() {
    #expect(
      Link("views", "lv:phx-F1~x.y").with("version", 3).with("node", Int?.none).at("log").description
        == "/views/lv:phx-F1~x.y?version=3#log")
    #expect(Link("views", "a/../b?c#d\"<é").description == "/views/a%2F..%2Fb%3Fc%23d%22%3C%C3%A9")
    #expect(Link().description == "/")
  }

  @Test func `parts are joined in linear time, and empty parts add no separator`() {
    #expect(([] as [HTML]).joined(by: ", ").bytes.isEmpty)
    #expect((["", "a", "", "b", ""] as [HTML]).joined(by: ", ") == "a, b")
    // Joining in quadratic time would copy 80 GB.
    let parts = [HTML](repeating: "<i>0123456789</i>", count: 100_000)
    #expect(parts.joined(by: ", ").bytes.count == 100_000 * 19 - 2)
  }
}
