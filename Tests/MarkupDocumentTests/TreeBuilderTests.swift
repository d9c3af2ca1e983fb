import MarkupDocument
import RecordingFixtures
import Testing

/// What the fragments of ``FragmentTests`` do not touch.
@Suite struct TreeBuilderTests {
  @Test(arguments: [
    // The attributes of an end tag count for nothing, even where it makes an element.
    ("</p a=1>", "<p>"), ("</br a=1>", "<br>"),
    // Only a line feed that follows at once is dropped, however it is written.
    ("<pre>&#10;x", "<pre>\n  \"x\""), ("<pre>\r\n\r\nx", "<pre>\n  \"\\nx\""),
    ("<pre><!--c-->\nx", "<pre>\n  <!-- \"c\" -->\n  \"\\nx\""),
    ("<textarea>\r\r</>&lt;b></textarea>", "<textarea>\n  \"\\n</><b>\""),
    // Text is one node, whatever was ignored inside it.
    ("a</x>b<!doctype>c</>d\0e", "\"abcde\""),
    ("<table>a<tr>b</tr>c</table>", "\"abc\"\n<table>\n  <tbody>\n    <tr>"),
    // A `>` in a value does not end the tag, nor make two tags the same.
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
  func markupIsReadByTheStandard(markup: String, expected: String) {
    let tree = parse(markup).tree
    #expect(tree.checkInvariants() == [])
    #expect(tree.outline() == expected)
  }

  @Test func tagsWrittenTheSameAreDiagnosedEachTime() {
    #expect(parse("<br a=1 a=2><br a=1 a=2>").diagnostics.map(\.offset) == [8, 20])
  }

  /// Real pages: each is read without a broken link, and comes back from its own markup.
  @Test func everyRecordedPageComesBack() {
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
