import DocumentInvariants
import MarkupDocument
import Testing

@Suite struct NativeParserTests {
  @Test(arguments: [
    // Names keep their case, and any element can be self-closing.
    ("<VStack/><Image systemName=\"x\" />", "<VStack>\n<Image systemName=\"x\">"),
    // No element is void, implied or raw.
    ("<br>a</br>", "<br>\n  \"a\""), ("<p><p></p></p>", "<p>\n  <p>"),
    ("<script><b/></script>", "<script>\n  <b>"), ("<tr/>", "<tr>"),
    // An end tag closes the nearest open element with its name; without one it is ignored.
    ("<A><B><C></B>x</A>", "<A>\n  <B>\n    <C>\n  \"x\""), ("<A>x</B>y</A>", "<A>\n  \"xy\""), ("</A>x", "\"x\""),
    ("<A></a></A>", "<A>"),
    // Text is trimmed and blank text dropped; inner white space stays.
    ("<A>\n  a  b \n</A>", "<A>\n  \"a  b\""), ("<A> \u{A0} </A>", "<A>"),
    ("<A>a <B/> b</A>", "<A>\n  \"a\"\n  <B>\n  \"b\""),
    ("<A>a <!-- c --> b</A>", "<A>\n  \"a\"\n  <!-- \" c \" -->\n  \"b\""),
    // References are resolved. Attribute names keep their case; the first of two equal names is
    // used.
    ("<A b=\"&lt;&amp;\" Bold fill:color='x'>&#65;</A>", "<A Bold=\"\" b=\"<&\" fill:color=\"x\">\n  \"A\""),
    ("<A a=\"1\" a=\"2\"/>", "<A a=\"1\">"),
  ])
  func `native markup is parsed without HTML's rules`(markup: String, expected: String) {
    let tree = parse(markup, .native).tree
    #expect(tree.checkInvariants() == [])
    #expect(tree.outline() == expected)
  }

  @Test(arguments: [
    ("<a a='1' a='2'/>", "duplicate-attribute", "`<a>` has the attribute `a` twice."),
    ("<A a=>", "missing-attribute-value", "`a` has no value after its `=`."),
    ("<A a='1'b='2'/>", "missing-whitespace-between-attributes", "Two attributes are not separated by a space."),
    ("<A", "eof-in-tag", "The markup ends inside a tag."), ("<!--x", "eof-in-comment", "A comment is not closed."),
    ("</>", "missing-end-tag-name", "`</>` has no tag name."),
    ("<?x", "incorrectly-opened-comment", "Markup after `<!`, `<?` or `</` is not valid."),
    ("<!doctype html>", "unexpected-doctype", "A doctype is not allowed inside a page."),
    ("a < b", "invalid-first-character-of-tag-name", "A `<` does not begin a tag."), ("<image>x</image>", "", ""),
    ("<p><div></div></p>", "", ""), ("<table><A/></table>", "", ""), ("<a><a></a></a>", "", ""),
    ("\0", "unexpected-null-character", "A NUL character is not allowed in a page."),
  ])
  func `no message speaks of browsers, and no repair of HTML is reported`(markup: String, code: String, message: String)
  {
    let found = parse(markup, .native).diagnostics
    #expect(found.first.map(\.code) ?? "" == code)
    #expect(found.first.map(\.message) ?? "" == message)
    #expect(!found.contains { $0.message.contains("rowser") })
    for html in parse(markup, .html).diagnostics where html.code == code {
      #expect(html.message.hasPrefix(message.dropLast() + ": browsers "))
    }
  }
}
