import MarkupDocument
import Testing

/// `<?target data?>` in `html` (13.2.5.72 to 13.2.5.76 of the standard, since June 2026), and in
/// `native`, which keeps comments.
@Suite struct ProcessingInstructionTests {
  static let instructions: [(markup: String, target: String, data: String)] = [
    ("<?php echo 1; ?>", "php", "echo 1; "), ("<?php?>", "php", ""), ("<?php>", "php", ""), ("<?_x>", "_x", ""),
    ("<?a-b_c9 d>", "a-b_c9", "d"), ("<?t   \t\n\u{C} the data>", "t", "the data"), ("<?t\r\nx>", "t", "x"),
    ("<?t a?b>", "t", "a?b"), ("<?t a??>", "t", "a?"), ("<?t ?>", "t", ""), ("<?t?x>", "t", "?x"),
    ("<?T-Up 1>", "T-Up", "1"), ("<?xmlfoo 1>", "xmlfoo", "1"), ("<?t a\rb\r\nc>", "t", "a\nb\nc"),
    ("<?t &amp;<b '\">", "t", "&amp;<b '\""), ("<?t a\0b>", "t", "a\u{FFFD}b"),
  ]

  @Test(arguments: instructions)
  func `a target and its data make an instruction`(_ markup: String, _ target: String, _ data: String) {
    #expect(parse(markup).tree.outline() == "<?\(target) \(data.debugDescription)?>")
    #expect(
      parse("<p>\(markup)x").tree.outline() == "<p>\n  <?\(target) \(data.debugDescription)?>\n  \"x\"")
  }

  @Test(arguments: [
    ("<?xml version=\"1.0\"?>", "?xml version=\"1.0\"?"), ("<?XmL foo>", "?XmL foo"), ("<?xml?>", "?xml?"),
    ("<?xml-stylesheet href=a>", "?xml-stylesheet href=a"), ("<?foo!bar>", "?foo!bar"), ("<? x>", "? x"),
    ("<??>", "??"), ("<?>", "?"), ("<?1>", "?1"), ("<?é>", "?é"), ("<?aé>", "?aé"), ("<?#", "?#"), ("<?xml ", "?xml "),
    ("<?a\0>", "?a\u{FFFD}"), ("<?a<b>", "?a<b"),
  ])
  func `an invalid target makes a comment`(_ markup: String, _ comment: String) {
    #expect(parse(markup).tree.outline() == "<!-- \(comment.debugDescription) -->")
  }

  @Test(arguments: ["<?", "<?s", "<?start", "<?start ", "<?start a", "<?start a?", "<?start?", "<?xml"])
  func `an instruction cut off by the end of the markup makes no node`(_ markup: String) {
    #expect(parse(markup).tree.outline() == "")
    #expect(parse("<p>x" + markup).tree.outline() == "<p>\n  \"x\"")
  }

  @Test func `instructions are inserted where comments are`() {
    #expect(
      parse("<table><?a><tr><?b><td><?c></table><svg><?d></svg><template><?e></template><select><?f></select>").tree
        .outline()
          == """
          <table>
            <?a "">
            <tbody>
              <tr>
                <?b "">
                <td>
                  <?c "">
          <svg:svg>
            <?d "">
          <template>
            <?e "">
          <select>
            <?f "">
          """.replacing("\">", with: "\"?>"))
  }

  @Test(arguments: ["<?php echo 1; ?>", "<?a?>b", "<?a b??>", "<p><?x y?></p>"])
  func `a serialised instruction is parsed as the same instruction`(_ markup: String) {
    let tree = parse(markup).tree
    let written = tree.markup(dialect: .html)
    #expect(parse(written).tree.isEqual(to: tree), "\(written)")
  }

  @Test func `an instruction is written with its target and a space`() {
    #expect(parse("<?a>b<?c  d>").tree.markup(dialect: .html) == "<?a ?>b<?c d?>")
  }

  @Test func `an instruction keeps its node while its target stays`() {
    var held = ContentBeforeJoin("<p><?php 1?></p>")
    held.update("<p><?php 2?></p>")
    #expect(held.changes == ["text 3 in 2: \"1\" → \"2\""])
    #expect(held.markup == "<p><?php 2?></p>")
    held.update("<p><?js 2?></p>")
    #expect(held.changes == ["remove 3 processing instruction (1) 2[0]", "add 4 processing instruction (1) 2[0]"])
    #expect(held.markup == "<p><?js 2?></p>")
    #expect(held.faults == [])
  }

  @Test func `instructions do not make nodes larger`() {
    #expect(MemoryLayout<NodeContent>.size == MemoryLayout<Element>.size)
  }

  @Test func `native markup reads instructions as comments`() {
    #expect(parse("<?php 1?>", .native).tree.outline() == "<!-- \"?php 1?\" -->")
    #expect(parse("<?start", .native).tree.outline() == "<!-- \"?start\" -->")
    #expect(parse("<?", .native).tree.outline() == "")
  }
}
