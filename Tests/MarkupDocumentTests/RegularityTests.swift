import MarkupDocument
import RecordingFixtures
import Testing

/// Which elements the parser marks, as `name@offset`.
@Suite struct RegularityTests {
  private func irregular(_ markup: String, _ dialect: Dialect = .html) -> [String] {
    let result = parse(markup, dialect)
    return result.tree.preorder().filter(result.irregular.contains).map { node in
      guard let element = result.tree[node].element else { return "root" }
      return "\(element.tag)@\(result.tree.offset(of: node) ?? -1)"
    }
  }

  @Test(arguments: [
    "", "x", "<div><p>a</p> b<br><img/><hr></div>", "<!--c--><ul><li>a</li> <li>b</li></ul>", "<b><i>x</i></b>",
    "<table><caption>c</caption><colgroup><col></colgroup><tbody><tr><td>x</td></tr> </tbody></table>",
    "<svg><g/><title>t</title><foreignObject><div></div></foreignObject></svg>", "<textarea>\n</p></textarea>",
    "<form><input><button>b</button></form><form></form>", "<template><td>x</td></template>", "<pre>\n\nx</pre>",
    "<select><option>a</option><option>b</option></select>", "<script>if (a<b) {}</script>", "<DIV></div>", "a < b & c",
    "<object><b>x</b></object>", "<table><tbody><tr><td><b>x</b></td></tr></tbody></table>", "<h1>a</h1><h2>b</h2>",
    "<table><input type=hidden></table>", "<b><b><b></b></b></b>",
  ])
  func `markup whose tags nest is regular`(markup: String) {
    #expect(irregular(markup) == [])
  }

  private static let repaired: [(String, [String])] = [
    // An implied or ignored tag marks the element in which it occurs.
    ("<div><ul><li>a<li>b</ul></div>", ["ul@5"]), ("<div><table><tr><td>x</td></tr></table></div>", ["table@5"]),
    ("<div><p>a<p>b</p></div>", ["div@0"]), ("<div><p>a<div></div></p></div>", ["div@0"]), ("<p><span>x</p>", ["p@0"]),
    ("<div></span></div>", ["div@0"]), ("<div></p></div>", ["div@0"]), ("<div><tr></tr></div>", ["div@0"]),
    ("<div></br></div>", ["div@0"]), ("<div><image></div>", ["div@0"]), ("<div><h1>a</h2></div>", ["div@0"]),
    ("<div><h1><h2>a</h2></div>", ["div@0"]), ("<div><form><form></form></div>", ["form@5"]),
    ("<ul><li><b>x</b></li><li>a</ul>", ["ul@0"]), ("<div><a><a></a></div>", ["div@0"]),
    ("<div><button><button></button></div>", ["div@0"]), ("<div><svg><g></svg></div>", ["svg@5"]),
    ("<div><svg><p></p></svg></div>", ["div@0"]), ("<div><!doctype x></div>", ["div@0"]),
    ("<div>a</>b</div>", ["div@0"]),
    // Foster parenting before a table marks the table's parent.
    ("<div><p></p><table>x</table></div>", ["div@0"]),
    ("<div><table><tbody><tr><b></b></tr></tbody></table></div>", ["div@0"]),
    // The fourth equal formatting element evicts the first one.
    ("<p><b><b><b><b></b></b></b></b></p>", ["b@3"]),
    // Open formatting elements and forms affect the rest of the page.
    ("<div><p><b>x</p></div>", ["root"]), ("<div><form></div>", ["root"]), ("<table><form></table>", ["root"]),
    // An element that is not closed has no end.
    ("<div>", ["root"]), ("<div></div><p>", ["root"]), ("<div></div><b a=", ["root"]), ("<p></p><!--", ["root"]),
    // A `select` that shows a copy of its selected option.
    ("<p><select><button><selectedcontent></selectedcontent></button><option>x</option></select></p>", ["select@3"]),
  ]

  @Test(arguments: repaired)
  func `a repair marks the innermost element that contains it`(markup: String, expected: [String]) {
    let found = irregular(markup)
    // Once the root is marked, other marks do not matter.
    #expect(found == expected || found.first == "root" && expected == ["root"], "\(found)")
  }

  private static let native: [(String, [String])] = [
    ("<A><B>x</B> <c/></A>", []), ("<A><B>x</A>", ["A@0"]), ("<A>x</B>y</A>", ["A@0"]), ("<A>", ["root"]),
    ("<A></A></A>", ["root"]), ("<R><A><B></A></R>", ["A@3"]), ("<A/><!--", ["root"]), ("<A/><B c", ["root"]),
  ]

  @Test(arguments: native)
  func `native tags that do not nest mark their element`(markup: String, expected: [String]) {
    #expect(irregular(markup, .native) == expected)
  }

  @Test func `elements at the depth limit mark their parents`() {
    let markup = String(repeating: "<div>", count: 520) + String(repeating: "</div>", count: 520)
    let result = parse(markup)
    #expect(!result.irregular.isEmpty)
    #expect(!result.irregular.contains(NodeTree.root))
  }

  @Test func `a truncated page is irregular`() {
    let markup = String(repeating: "<br>", count: MarkupParser.maximumNodes)
    #expect(parse(markup).irregular == [NodeTree.root])
  }

  @Test func `many clones mark the root`() {
    let markup = "<div>" + String(repeating: "<b><p></b></p>", count: 5_000) + "</div>"
    #expect(parse(markup).irregular.contains(NodeTree.root))
  }

  /// Phoenix's tags nest, so recorded pages are regular. One recording deliberately has a table
  /// without a `tbody` and worse markup.
  @Test func `recorded pages are regular`() {
    var pages = 0
    for recording in Recording.all {
      for step in recording.steps {
        guard let html = step.html else { continue }
        pages += 1
        let found = irregular(html, recording.isNative ? .native : .html)
        #expect(found.isEmpty != recording.name.hasSuffix("raw_html"), "\(recording.name) \(step.index): \(found)")
      }
    }
    #expect(pages > 0)
  }
}
