import MarkupDocument
import Testing

/// The cases that relatives of this project get wrong: each is a failure that was seen when their code ran.
@Suite struct MorphTests {
  @Test("id-change-tag-name: another tag under the same id is another node")
  func idChangeTagName() {
    var held = Held(#"<span id="boo">a</span>"#)
    held.update(#"<div id="boo">a</div>"#)
    #expect(held.changes == ["remove 2 <span#boo> (2) 1[0]", "add 4 <div#boo> (2) 1[0]"])
    #expect(held.markup == #"<div id="boo">a</div>"#)
    #expect(held.faults == [])
  }

  @Test("kanban-last: the last card of a column moves to another one, with all that is in it")
  func kanbanLast() {
    var held = Held(#"<ul id="a"><li id="1">x</li><li id="2">y<b>z</b></li></ul><ul id="b"></ul>"#)
    held.update(#"<ul id="a"><li id="1">x</li></ul><ul id="b"><li id="2">y<b>z</b></li></ul>"#)
    #expect(held.changes == ["move 5 <li#2> 2[1] → 9[0]"])
    #expect(held.markup == #"<ul id="a"><li id="1">x</li></ul><ul id="b"><li id="2">y<b>z</b></li></ul>"#)
    #expect(held.numbers == [1, 2, 3, 4, 9, 5, 6, 7, 8])
  }

  @Test("keyed-desc: a node with an id outlives the parent that is removed")
  func keyedDescendant() {
    var held = Held(#"<div><p><i id="k">text</i>more</p></div>"#)
    held.update(#"<div><i id="k">text</i></div>"#)
    #expect(held.changes == ["remove 3 <p> (2) 2[0]", "move 4 <i#k> 3[0] → 2[0]"])
    #expect(held.markup == #"<div><i id="k">text</i></div>"#)
    #expect(held.faults == [])
  }

  @Test("keyed-desc2: nodes with ids trade places with what is around them")
  func keyedDescendantOutward() {
    var held = Held(#"<div id="a"><div id="b"><div id="c">x</div></div></div>"#)
    held.update(#"<div id="c"><div id="b"><div id="a">y</div></div></div>"#)
    #expect(held.markup == #"<div id="c"><div id="b"><div id="a">y</div></div></div>"#)
    #expect([held.number(id: "a"), held.number(id: "b"), held.number(id: "c")] == [2, 3, 4])
    #expect(held.faults == [])
  }

  @Test("dup-id: the second with an id is as one without, and is told of")
  func duplicateID() {
    var held = Held(#"<p id="d">1</p><p id="d">2</p>"#)
    #expect(
      held.document.duplicateIDs() == [
        DocumentDiagnostic(
          code: "duplicate-id", node: NodeRef(epoch: 1, number: 4),
          message:
            #"id "d" stands at p:nth-child(1) and again at p:nth-child(2); only the first keeps its identity by it"#)
      ])
    held.update(#"<p id="d">2</p><p id="d">1</p><p id="d">3</p>"#)
    #expect(held.markup == #"<p id="d">2</p><p id="d">1</p><p id="d">3</p>"#)
    // LiveView's client removes only the last of several elements with an id that the page does not match.
    held.update(#"<p id="d">4</p>"#)
    #expect(held.markup == #"<p id="d">4</p><p id="d">1</p><p id="d">3</p>"#)
    #expect(held.faults == [])
  }

  @Test("the content of a template is a tree of its own: an id in it is not a duplicate of one outside")
  func idInTemplate() {
    let held = Held(#"<p id="d">1</p><template><p id="d">2</p></template><template><p id="d">3</p></template>"#)
    #expect(held.document.duplicateIDs() == [])
    #expect(Held(#"<template><p id="d">2</p><i id="d"></i></template>"#).document.duplicateIDs().count == 1)
  }

  @Test("used up clones are reported once for a page")
  func formattingLimit() {
    let title = String(repeating: "x", count: 100_000)
    let result = MarkupParser.parse(
      Array(("<p><b title='\(title)'>" + String(repeating: "<p>x", count: 2_000)).utf8), dialect: .html)
    #expect(result.diagnostics.count { $0.code == "formatting-limit" } == 1)
  }

  @Test("new-id reorder: nodes that came by an update move as those of the first page do")
  func newIDs() {
    var held = Held("<ul></ul>")
    held.update(#"<ul><li id="a">1</li><li id="b">2</li></ul>"#)
    held.update(#"<ul><li id="b">2</li><li id="a">1</li></ul>"#)
    #expect(held.changes == ["move 5 <li#b> 2[1] → 2[0]"])
    #expect(held.numbers == [1, 2, 5, 6, 3, 4])
  }

  @Test("an id that is set by an update counts from then on, and one that was taken off no longer")
  func changedIDs() {
    var held = Held(#"<p>1</p><p id="x">2</p>"#)
    held.update(#"<p>1</p><p>2</p>"#)
    held.update(#"<p id="x">2</p><p>1</p>"#)
    #expect(held.markup == #"<p id="x">2</p><p>1</p>"#)
    #expect(held.faults == [])
  }

  @Test("stale-id: a node that was removed stays dead when its id comes back")
  func staleID() {
    var held = Held(#"<p id="x">1</p><p id="y">2</p>"#)
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

  @Test("1,000-toggle leak: what is removed leaves no trace", arguments: [1_000, 10_000])
  func leak(toggles: Int) {
    var held = Held("<div></div>")
    for _ in 0..<toggles {
      held.update(#"<div><p id="t">on <b>now</b></p></div>"#)
      held.update("<div></div>")
    }
    #expect(held.document.count == 2)
    #expect(held.numbers == [1, 2])
    #expect(held.faults == [])
    // The places of those that are gone are used again: the four of one toggle, and no more.
    held.update(#"<div><p id="t">on <b>now</b></p></div>"#)
    #expect(held.document.tree.children(of: NodeTree.root).map(\.raw) == [1])
    #expect(held.document.tree.preorder().map(\.raw).max() == 5)
    #expect(held.number(id: "t") == 3 + 4 * toggles)
  }

  @Test("attr-order silent: another order of attributes is no change")
  func attributeOrder() {
    var held = Held(#"<p a="1" b="2" c="3"></p>"#)
    held.update(#"<p c="3" a="1" b="2"></p>"#)
    #expect(held.changes == [])
    held.update(#"<p c="3" b="4" d></p>"#)
    #expect(held.changes == [#"attributes 2 <p> a: "1" → none, b: "2" → "4", d: none → """#])
  }

  @Test("attributes and texts are compared byte for byte")
  func bytes() {
    var held = Held("<p title=\"\u{E9}\">\u{E9}<!--\u{E9}--></p>")
    held.update("<p title=\"e\u{301}\">e\u{301}<!--e\u{301}--></p>")
    #expect(held.changes.count == 3)
    #expect(Array(held.markup.utf8) == Array("<p title=\"e\u{301}\">e\u{301}<!--e\u{301}--></p>".utf8))
  }

  @Test("a text that stands where an element stood costs neither its neighbours")
  func textForElement() {
    var held = Held("<div>a<b>1</b>c<i>2</i></div>")
    held.update("<div>a<i>2</i></div>")
    #expect(held.changes == ["remove 4 <b> (2) 2[1]", "remove 6 text (1) 2[2]"])
  }

  @Test("a subtree is one change, with its nodes counted")
  func subtrees() {
    var held = Held("<div></div>")
    held.update("<div><ul><li>1</li><li>2</li></ul></div>")
    #expect(held.changes == ["add 3 <ul> (5) 2[0]"])
    held.update("<div></div>")
    #expect(held.changes == ["remove 3 <ul> (5) 2[0]"])
  }

  @Test(
    "only as many move as must",
    arguments: [
      ("1234", "4123", 1), ("1234", "2341", 1), ("1234", "4321", 3), ("1234", "2143", 2), ("123456", "162345", 1),
      ("1234", "1234", 0), ("1234", "5143", 1),
    ])
  func moves(from: String, to: String, moves: Int) {
    func list(_ ids: String) -> String { "<ul>\(ids.map { "<li id=\"\($0)\"></li>" }.joined())</ul>" }
    var held = Held(list(from))
    held.update(list(to))
    #expect(held.markup == list(to))
    #expect(held.changes.filter { $0.hasPrefix("move") }.count == moves)
  }

  @Test("a change of the namespace is another node")
  func namespaces() {
    var held = Held("<div><a>x</a></div>")
    held.update("<div><svg><a>x</a></svg></div>")
    #expect(held.changes == ["remove 3 <a> (2) 2[0]", "add 5 <svg> (3) 2[0]"])
    #expect(held.faults == [])
  }
}

/// What the update process asks of the parser and the serialiser.
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

  @Test("what is written is read the same again", arguments: kept)
  func roundTrip(name: String, markup: String) {
    let held = Held(markup)
    #expect(held.markup == markup, "\(name)")
    var again = held
    again.update(held.markup)
    #expect(again.changes == [], "\(name)")
  }

  @Test("extra end tag: it is passed over")
  func extraEndTag() { #expect(Held("<p>a</p></p></div>b").markup == "<p>a</p><p></p>b") }

  @Test("mismatched end tag: it closes nothing that it does not name")
  func mismatchedEndTag() {
    #expect(Held("<section><span></section><i></i>").markup == "<section><span></span></section><i></i>")
    #expect(Held("<a><b></a><c>", dialect: .native).markup == "<a><b></b></a><c></c>")
  }

  @Test("a tag that is no tag is text")
  func noTag() { #expect(Held("a < b").markup == "a &lt; b") }
}
