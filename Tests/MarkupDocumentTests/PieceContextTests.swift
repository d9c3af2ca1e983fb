import MarkupDocument
import Testing

/// The nodes that a piece makes in a context, and whether it is contained.
@Suite struct PieceContextTests {
  private func read(_ markup: String, in ancestors: String, startsParent: Bool = false, _ dialect: Dialect = .html)
    -> MarkupParser.Piece
  {
    // The ancestors are parsed as a page; the innermost one is opened last.
    let tree = parse(ancestors, dialect).tree
    let elements = tree.preorder().compactMap { tree[$0].element }
    return MarkupParser.parse(
      Array(markup.utf8), in: .init(ancestors: elements, startsParent: startsParent), dialect: dialect)
  }

  private func outline(_ piece: MarkupParser.Piece) -> [String] {
    let lines = piece.tree.outline(offsets: true).split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
    return lines.suffix(piece.count).map(String.init)
  }

  private static let contained: [(String, String, [String]?)] = [
    ("<div>", "a<p>b</p>", ["@0 \"a\"", "@1 <p>", "@4 \"b\""]), ("", "<br>x", ["@0 <br>", "@4 \"x\""]), ("<p>", "", []),
    ("<table><tbody>", "<tr><td>x</td></tr>", ["@0 <tr>", "@4 <td>", "@8 \"x\""]),
    ("<table><tbody><tr>", "<td></td><th></th>", ["@0 <td>", "@9 <th>"]),
    ("<table><colgroup>", "<col> <col>", ["@0 <col>", "@5 \" \"", "@6 <col>"]),
    ("<svg>", "<lineargradient/><p/>", nil), ("<svg>", "<lineargradient/>", ["@0 <svg:linearGradient>"]),
    ("<svg><foreignObject>", "<p>x</p>", ["@0 <p>", "@3 \"x\""]), ("<math><mi>", "<b></b>", ["@0 <b>"]),
    ("<math><annotation-xml>", "<p></p>", nil), ("<math><annotation-xml encoding=text/html>", "<p></p>", ["@0 <p>"]),
    ("<select>", "<option>a</option>", ["@0 <option>", "@8 \"a\""]), ("<ul>", "<li>a</li>", ["@0 <li>", "@4 \"a\""]),
    ("<div>", "<ul><li>a<li>b</ul>", ["@0 <ul>", "@4 <li>", "@8 \"a\"", "@9 <li>", "@13 \"b\""]),
    ("<svg>", "<![CDATA[x]]>", ["@9 \"x\""]), ("<b>", "<i>x</i>", ["@0 <i>", "@3 \"x\""]),
    ("<object>", "<a></a>", ["@0 <a>"]), ("<a><object>", "<a></a>", ["@0 <a>"]),
  ]

  @Test(arguments: contained)
  func `a piece is parsed by the rules of its context`(ancestors: String, markup: String, expected: [String]?) {
    let piece = read(markup, in: ancestors)
    #expect(piece.isContained == (expected != nil))
    if let expected, piece.isContained { #expect(outline(piece) == expected) }
  }

  private static let uncontained: [(String, String)] = [
    // The piece closes an ancestor, or is closed by one.
    ("<div>", "</div>"), ("<ul><li>", "<li>x</li>"), ("<p>", "<div></div>"), ("<p>", "</p><p>"), ("<a>", "<a></a>"),
    ("<button>", "<button></button>"), ("<form>", "<form></form>"), ("<h1>", "<h2></h2>"), ("<select>", "<input>"),
    ("<table><tbody><tr><td>", "<td></td>"), ("<b><p>", "</b>"), ("<nobr>", "<nobr></nobr>"), ("<div>", "</form>"),
    // A node is moved out of the parent, or an element is implied around it.
    ("<table>", "x"), ("<table>", "<tr></tr>"), ("<table><tbody>", "<b></b>"), ("<div>", "<td></td>"),
    ("<div>", "</p>"),
    // An element, tag or comment stays open.
    ("<div>", "<p>"), ("<div>", "<b>"), ("<div>", "<textarea>x"), ("<div>", "<plaintext>"), ("<div>", "<p><b></p>"),
    ("<div>", "<b"), ("<div>", "<!-- x"), ("<div>", "<!x"), ("<div>", "x<"), ("<div>", "x</"), ("<div>", "<?"),
    ("<svg>", "<![CDATA[x"), ("<div>", "<!doctype"), ("<div>", "<table><form></table>"), ("<div>", "<script>x</script"),
    // The piece evicts an ancestor from the list of formatting elements, or uses clones of the
    // page's allowance.
    ("<b><b><b>", "<b></b>"), ("<div>", "<div><b><p></b></p></div>"),
    // The elements alone do not determine the state of the parser in these contexts.
    ("<template>", "x"), ("<textarea>", "x"), ("<script>", "x"), ("<plaintext>", "x"), ("<b><b><b><b>", "x"),
    ("<select><selectedcontent>", "x"), ("<select>", "<button><selectedcontent></selectedcontent></button>"),
  ]

  @Test(arguments: uncontained)
  func `a piece that affects nodes outside of it is not contained`(ancestors: String, markup: String) {
    #expect(!read(markup, in: ancestors).isContained)
  }

  @Test func `a line feed is dropped only directly after the start tag of pre`() {
    #expect(outline(read("\nx", in: "<pre>", startsParent: true)) == ["@1 \"x\""])
    #expect(outline(read("\nx", in: "<pre>")) == ["@0 \"\\nx\""])
    #expect(outline(read("\nx", in: "<div>", startsParent: true)) == ["@0 \"\\nx\""])
  }

  @Test func `the irregular elements of a piece are reported`() {
    let piece = read("<ul><li>a<li>b</ul><p></p>", in: "<div><div>")
    #expect(piece.isContained)
    #expect(piece.irregular.map { piece.tree[$0].element?.tag } == ["ul"])
    #expect(piece.count == 6)
  }

  @Test func `very deep pieces are not contained`() {
    for depth in [500, 501] {
      let context = MarkupParser.Context(
        ancestors: [Element](repeating: Element(tag: "div"), count: depth), startsParent: false)
      for dialect in Dialect.allCases {
        #expect(MarkupParser.parse(Array("<p></p>".utf8), in: context, dialect: dialect).isContained == (depth == 500))
      }
    }
  }

  @Test func `a piece with too many nodes is not contained`() {
    let markup = String(repeating: "<br>", count: MarkupParser.maximumNodes + 1)
    #expect(!read(markup, in: "<div>").isContained)
  }

  private static let nativePieces: [(String, String, Bool)] = [
    ("<A>", "<B>x</B> y", true), ("<A>", "</A>", false), ("<A>", "<B>", false), ("<A>", "x</C>", false),
    ("<A>", "<B><C></B>", true), ("", "<B/>", true), ("<A>", "<", false), ("<A>", "<!--", false),
    ("<A><B>", "</A>", false),
  ]

  @Test(arguments: nativePieces)
  func `native pieces are contained if their tags nest`(ancestors: String, markup: String, isContained: Bool) {
    #expect(read(markup, in: ancestors, .native).isContained == isContained)
  }
}
