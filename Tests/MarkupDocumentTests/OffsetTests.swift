import MarkupDocument
import Testing

/// The offsets of nodes in the markup, by which the slots of templates are found.
@Suite struct OffsetTests {
  @Test func `tags, texts and comments have the offset of their markup`() {
    let tree = parse("<p a=1>é<b>x</b><!--c--> y</p>\n<br>").tree
    #expect(
      tree.outline(offsets: true) == """
        @0 <p a="1">
          @7 "é"
          @9 <b>
            @12 "x"
          @17 <!-- "c" -->
          @25 " y"
        @31 "\\n"
        @32 <br>
        """)
  }

  @Test func `nodes without a tag of their own have no offset`() {
    let tree = parse("<table><tr><td>a</table>").tree
    #expect(
      tree.outline(offsets: true) == """
        @0 <table>
          @- <tbody>
            @7 <tr>
              @11 <td>
                @15 "a"
        """)
  }

  @Test func `clones of formatting elements have no offset`() {
    let tree = parse("<b><div>x</b>y</div>").tree
    #expect(
      tree.outline(offsets: true) == """
        @0 <b>
        @3 <div>
          @- <b>
            @8 "x"
          @13 "y"
        """)
  }

  @Test func `the offset of a text is that of its first character`() {
    #expect(parse("<pre>\r\nx</pre>").tree.outline(offsets: true) == "@0 <pre>\n  @7 \"x\"")
    #expect(parse("<textarea>\nx").tree.outline(offsets: true) == "@0 <textarea>\n  @11 \"x\"")
    #expect(parse("</>&lt;a").tree.outline(offsets: true) == "@0 \"<a\"")
    #expect(
      parse("<table><colgroup> x").tree.outline(offsets: true)
        == "@18 \"x\"\n@0 <table>\n  @7 <colgroup>\n    @17 \" \"")
    #expect(parse("<A>\n  x <B/> </A>", .native).tree.outline(offsets: true) == "@0 <A>\n  @6 \"x\"\n  @8 <B>")
    #expect(parse("<A> &#32; &lt;x", .native).tree.outline(offsets: true) == "@0 <A>\n  @10 \"<x\"")
  }

  @Test func `foster-parented text keeps its offset`() {
    #expect(
      parse("<table>a<tr>b</table>").tree.outline(offsets: true)
        == "@7 \"ab\"\n@0 <table>\n  @- <tbody>\n    @8 <tr>")
  }
}
