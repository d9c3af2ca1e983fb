import MarkupDocument
import Testing

/// Cases in which similar projects fail; each failure was observed by running their code.
@Suite struct MorphTests {
  @Test
  func `id-change-tag-name: another tag under the same id is another node`() {
    var held = ContentBeforeJoin(#"<span id="boo">a</span>"#)
    held.update(#"<div id="boo">a</div>"#)
    #expect(held.changes == ["remove 2 <span#boo> (2) 1[0]", "add 4 <div#boo> (2) 1[0]"])
    #expect(held.markup == #"<div id="boo">a</div>"#)
    #expect(held.faults == [])
  }

  @Test
  func `kanban-last: the last card of a column moves to another column with its content`() {
    var held = ContentBeforeJoin(#"<ul id="a"><li id="1">x</li><li id="2">y<b>z</b></li></ul><ul id="b"></ul>"#)
    held.update(#"<ul id="a"><li id="1">x</li></ul><ul id="b"><li id="2">y<b>z</b></li></ul>"#)
    #expect(held.changes == ["move 5 <li#2> 2[1] → 9[0]"])
    #expect(held.markup == #"<ul id="a"><li id="1">x</li></ul><ul id="b"><li id="2">y<b>z</b></li></ul>"#)
    #expect(held.numbers == [1, 2, 3, 4, 9, 5, 6, 7, 8])
  }

  @Test
  func `keyed-desc: a node with an id is kept when its parent is removed`() {
    var held = ContentBeforeJoin(#"<div><p><i id="k">text</i>more</p></div>"#)
    held.update(#"<div><i id="k">text</i></div>"#)
    #expect(held.changes == ["remove 3 <p> (2) 2[0]", "move 4 <i#k> 3[0] → 2[0]"])
    #expect(held.markup == #"<div><i id="k">text</i></div>"#)
    #expect(held.faults == [])
  }

  @Test
  func `keyed-desc2: nodes with ids trade locatedNodes with the elements around them`() {
    var held = ContentBeforeJoin(#"<div id="a"><div id="b"><div id="c">x</div></div></div>"#)
    held.update(#"<div id="c"><div id="b"><div id="a">y</div></div></div>"#)
    #expect(held.markup == #"<div id="c"><div id="b"><div id="a">y</div></div></div>"#)
    #expect([held.number(id: "a"), held.number(id: "b"), held.number(id: "c")] == [2, 3, 4])
    #expect(held.faults == [])
  }

  @Test
  func `dup-id: the second element with an id is matched without its id and reported`() {
    var held = ContentBeforeJoin(#"<p id="d">1</p><p id="d">2</p>"#)
    #expect(
      held.document.duplicateIDs() == [
        DocumentDiagnostic(
          code: "duplicate-id", node: NodeRef(epoch: 1, number: 4),
          message:
            #"id "d" is used at p:nth-child(1) and again at p:nth-child(2); it identifies only the first element"#,
          subject: "d",
          locatedNodes: [
            .init(node: NodeRef(epoch: 1, number: 2), path: "p:nth-child(1)"),
            .init(node: NodeRef(epoch: 1, number: 4), path: "p:nth-child(2)"),
          ])
      ])
    held.update(#"<p id="d">2</p><p id="d">1</p><p id="d">3</p>"#)
    #expect(held.markup == #"<p id="d">2</p><p id="d">1</p><p id="d">3</p>"#)
    // LiveView's client removes only the last of several elements with an id that no element of the
    // page matches.
    held.update(#"<p id="d">4</p>"#)
    #expect(held.markup == #"<p id="d">4</p><p id="d">1</p><p id="d">3</p>"#)
    #expect(held.faults == [])
  }

  @Test
  func `an id inside a template is not a duplicate of the same id outside`() {
    let held = ContentBeforeJoin(
      #"<p id="d">1</p><template><p id="d">2</p></template><template><p id="d">3</p></template>"#)
    #expect(held.document.duplicateIDs() == [])
    #expect(
      ContentBeforeJoin(#"<template><p id="d">2</p><i id="d"></i></template>"#).document.duplicateIDs().count == 1)
  }

  @Test
  func `the limit of clones is reported once per page`() {
    let title = String(repeating: "x", count: 100_000)
    let result = MarkupParser.parse(
      Array(("<p><b title='\(title)'>" + String(repeating: "<p>x", count: 2_000)).utf8), dialect: .html)
    #expect(result.diagnostics.count { $0.code == "formatting-limit" } == 1)
  }

  @Test
  func `new-id reorder: nodes added by an update move like those of the first page`() {
    var held = ContentBeforeJoin("<ul></ul>")
    held.update(#"<ul><li id="a">1</li><li id="b">2</li></ul>"#)
    held.update(#"<ul><li id="b">2</li><li id="a">1</li></ul>"#)
    #expect(held.changes == ["move 5 <li#b> 2[1] → 2[0]"])
    #expect(held.numbers == [1, 2, 5, 6, 3, 4])
  }

  @Test
  func `an id counts from the update that sets it until the update that removes it`() {
    var held = ContentBeforeJoin(#"<p>1</p><p id="x">2</p>"#)
    held.update(#"<p>1</p><p>2</p>"#)
    held.update(#"<p id="x">2</p><p>1</p>"#)
    #expect(held.markup == #"<p id="x">2</p><p>1</p>"#)
    #expect(held.faults == [])
  }

  @Test
  func `stale-id: a removed node is not revived when its id comes back`() {
    var held = ContentBeforeJoin(#"<p id="x">1</p><p id="y">2</p>"#)
    let dead = NodeRef(epoch: 1, number: 2)
    held.update(#"<p id="y">2</p>"#)
    #expect(!held.document.contains(dead))
    held.update(#"<p id="y">2</p><p id="x">1</p>"#)
    #expect(!held.document.contains(dead))
    #expect(held.number(id: "x") == 6)
    #expect(held.document.content(of: dead) == nil)
    #expect(held.document.children(of: dead) == [])
    #expect(held.document.path(to: dead) == [])
  }

  @Test(arguments: [1_000, 10_000])
  func `1,000-toggle leak: removed nodes leave no data behind`(toggles: Int) {
    var held = ContentBeforeJoin("<div></div>")
    for _ in 0..<toggles {
      held.update(#"<div><p id="t">on <b>now</b></p></div>"#)
      held.update("<div></div>")
    }
    #expect(held.document.count == 2)
    #expect(held.numbers == [1, 2])
    #expect(held.faults == [])
    // The storage of removed nodes is reused: only the four nodes of one toggle take space.
    held.update(#"<div><p id="t">on <b>now</b></p></div>"#)
    #expect(held.document.tree.children(of: NodeTree.root).map(\.raw) == [1])
    #expect(held.document.tree.preorder().map(\.raw).max() == 5)
    #expect(held.number(id: "t") == 3 + 4 * toggles)
  }

  @Test
  func `attr-order silent: another order of attributes is not a change`() {
    var held = ContentBeforeJoin(#"<p a="1" b="2" c="3"></p>"#)
    held.update(#"<p c="3" a="1" b="2"></p>"#)
    #expect(held.changes == [])
    held.update(#"<p c="3" b="4" d></p>"#)
    #expect(held.changes == [#"attributes 2 <p> a: "1" → none, b: "2" → "4", d: none → """#])
  }

  @Test
  func `attributes and texts are compared byte for byte`() {
    var held = ContentBeforeJoin("<p title=\"\u{E9}\">\u{E9}<!--\u{E9}--></p>")
    held.update("<p title=\"e\u{301}\">e\u{301}<!--e\u{301}--></p>")
    #expect(held.changes.count == 3)
    #expect(Array(held.markup.utf8) == Array("<p title=\"e\u{301}\">e\u{301}<!--e\u{301}--></p>".utf8))
  }

  @Test
  func `a text that replaces an element leaves both neighbours unchanged`() {
    var held = ContentBeforeJoin("<div>a<b>1</b>c<i>2</i></div>")
    held.update("<div>a<i>2</i></div>")
    #expect(held.changes == ["remove 4 <b> (2) 2[1]", "remove 6 text (1) 2[2]"])
  }

  @Test
  func `a removed subtree is one change that counts its nodes`() {
    var held = ContentBeforeJoin("<div></div>")
    held.update("<div><ul><li>1</li><li>2</li></ul></div>")
    #expect(held.changes == ["add 3 <ul> (5) 2[0]"])
    held.update("<div></div>")
    #expect(held.changes == ["remove 3 <ul> (5) 2[0]"])
  }

  @Test(
    arguments: [
      ("1234", "4123", 1), ("1234", "2341", 1), ("1234", "4321", 3), ("1234", "2143", 2), ("123456", "162345", 1),
      ("1234", "1234", 0), ("1234", "5143", 1),
    ])
  func `the number of moves is minimal`(from: String, to: String, moves: Int) {
    func list(_ ids: String) -> String { "<ul>\(ids.map { "<li id=\"\($0)\"></li>" }.joined())</ul>" }
    var held = ContentBeforeJoin(list(from))
    held.update(list(to))
    #expect(held.markup == list(to))
    #expect(held.changes.filter { $0.hasPrefix("move") }.count == moves)
  }

  @Test
  func `an element in another namespace is a new node`() {
    var held = ContentBeforeJoin("<div><a>x</a></div>")
    held.update("<div><svg><a>x</a></svg></div>")
    #expect(held.changes == ["remove 3 <a> (2) 2[0]", "add 5 <svg> (3) 2[0]"])
    #expect(held.faults == [])
  }
}

/// The parser and the serialiser as the update process uses them.
@Suite struct MarkupOfADocumentTests {
  static let kept: [(name: String, markup: String)] = [
    ("void/br: nothing goes into a void element", "<p>a<br>b</p><hr><input>c"),
    ("`Hello <b>big</b> world`: white space is kept", "Hello <b>big</b> world"),
    ("comment kept, text not split", "<p>a<!-- c -->b</p>"),
    ("entity round trip", "<p title=\"&quot;a&quot; &amp; b\">&lt;b&gt; &amp;amp; &nbsp;</p>"),
    (
      "textarea/pre newline: the first of two is dropped, in writing one is added",
      "<pre>\n\na</pre><textarea>\n\n b</textarea>"
    ),
    ("textarea holds text", "<textarea>&lt;b&gt;x</textarea>"),
    ("script holds text", "<script>if (a < b && c) {}</script>"),
    ("names with colons are names", "<p id=\"a\" foo:id=\"b\"></p>"),
  ]

  @Test(arguments: kept)
  func `serialised markup is parsed to the same tree`(name: String, markup: String) {
    let held = ContentBeforeJoin(markup)
    #expect(held.markup == markup, "\(name)")
    var again = held
    again.update(held.markup)
    #expect(again.changes == [], "\(name)")
  }

  @Test
  func `extra end tag: it is ignored`() {
    #expect(ContentBeforeJoin("<p>a</p></p></div>b").markup == "<p>a</p><p></p>b")
  }

  @Test
  func `mismatched end tag: it does not close an element with another name`() {
    #expect(ContentBeforeJoin("<section><span></section><i></i>").markup == "<section><span></span></section><i></i>")
    #expect(ContentBeforeJoin("<a><b></a><c>", dialect: .native).markup == "<a><b></b></a><c></c>")
  }

  @Test
  func `a less-than sign that does not begin a tag is text`() {
    #expect(ContentBeforeJoin("a < b").markup == "a &lt; b")
  }
}
