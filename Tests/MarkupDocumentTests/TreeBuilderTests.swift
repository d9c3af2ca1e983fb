import DocumentInvariants
import MarkupDocument
import RecordingFixtures
import Testing

/// Rules that the fragments of ``FragmentTests`` do not cover.
@Suite struct TreeBuilderTests {
  @Test(arguments: [
    // The attributes of an end tag are ignored, even if the end tag makes an element.
    ("</p a=1>", "<p>"), ("</br a=1>", "<br>"),
    // Only a line feed directly after the start tag is dropped, also if written as CR or as a
    // reference.
    ("<pre>&#10;x", "<pre>\n  \"x\""), ("<pre>\r\n\r\nx", "<pre>\n  \"\\nx\""),
    ("<pre><!--c-->\nx", "<pre>\n  <!-- \"c\" -->\n  \"\\nx\""),
    ("<textarea>\r\r</>&lt;b></textarea>", "<textarea>\n  \"\\n</><b>\""),
    // Text is one node even if markup inside of it was ignored.
    ("a</x>b<!doctype>c</>d\0e", "\"abcde\""),
    ("<table>a<tr>b</tr>c</table>", "\"abc\"\n<table>\n  <tbody>\n    <tr>"),
    // A `>` in a quoted value does not end the tag, and does not make two tags equal.
    ("<p a='>1'><p a='>2'>", "<p a=\">1\">\n<p a=\">2\">"),
    ("<br a=1><br a=1><br a=1/><br a=1 />", "<br a=\"1\">\n<br a=\"1\">\n<br a=\"1/\">\n<br a=\"1\">"),
    ("<P ID=A Class='B'></P>", "<p class=\"B\" id=\"A\">"),
    ("<p a=\"x\r\ny\0z\">", "<p a=\"x\\ny\u{FFFD}z\">"),
    ("<x\0y></x>", "<x\u{FFFD}y>"),
    ("<svg viewbox=0><foreignobject><DIV/></svg>", "<svg:svg viewBox=\"0\">\n  <svg:foreignObject>\n    <div>"),
    (
      "<select multiple><button><selectedcontent></button><option>x",
      "<select multiple=\"\">\n  <button>\n    <selectedcontent>\n  <option>\n    \"x\""
    ),
  ])
  func `markup is parsed as the standard says`(markup: String, expected: String) {
    let tree = parse(markup).tree
    #expect(tree.checkInvariants() == [])
    #expect(tree.outline() == expected)
  }

  @Test func `a tag that occurs again is diagnosed again`() {
    #expect(parse("<br a=1 a=2><br a=1 a=2>").diagnostics.map(\.offset) == [8, 20])
  }

  /// Each recorded page gives a valid tree, and its serialised markup is parsed to the same tree.
  @Test func `every recorded page survives a round trip`() {
    var pages = 0
    for recording in Recording.all {
      let dialect = recording.isNative ? Dialect.native : .html
      for step in recording.steps {
        for page in [step.html, step.dom].compactMap({ $0 }) {
          pages += 1
          let tree = parse(page, dialect).tree
          #expect(tree.checkInvariants() == [])
          let markup = tree.markup(dialect: dialect)
          #expect(parse(markup, dialect).tree.isEqual(to: tree), "\(recording.name) \(step.index)")
        }
      }
    }
    #expect(pages > 0)
  }
}
