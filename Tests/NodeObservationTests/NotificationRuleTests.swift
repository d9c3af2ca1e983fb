import MarkupDocument
import NodeObservation
import TestSupport
import Testing

/// The nodes that each change notifies: the rule of the SwiftUI client without its faults.
@Suite struct NotificationRuleTests {
  /// root 1, main 2, h1 3 "4", ul 5, li 6 "7", li 8 "9".
  static let page = #"<main id="m"><h1>a</h1><ul id="u"><li id="x">b</li><li id="y">c</li></ul></main>"#

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var to: String
    var notified: [Int]
    var testDescription: String { name }
    init(_ name: String, _ to: String, _ notified: [Int]) {
      self.name = name
      self.to = to
      self.notified = notified
    }
  }

  static let cases: [Case] = [
    Case("nothing changed: nobody", page, []),
    Case(
      "other quotes and spaces in a tag: nobody",
      #"<main id="m"><h1>a</h1><ul id="u"><li id='x' >b</li><li id="y">c</li></ul></main>"#, []),
    Case("a text: its parent", page.replacing("<h1>a", with: "<h1>A"), [3]),
    Case("two texts of one parent: once", page.replacing("<h1>a", with: "<h1>A<!---->B"), [3]),
    Case("an attribute: the element alone", page.replacing("<h1>", with: "<h1 class>"), [3]),
    Case("three attributes: once", page.replacing("<h1>", with: "<h1 a b c>"), [3]),
    Case(
      "an attribute of an ancestor: neither descendants nor siblings", page.replacing(#""u""#, with: #""u" a"#), [5]),
    Case("an element added: the parent", page.replacing("</ul>", with: "<li>d</li></ul>"), [5]),
    Case(
      "five added: the parent once",
      page.replacing("</ul>", with: "<li></li><li></li><li></li><li></li><li></li></ul>"), [5]),
    Case("a deep subtree added: the parent alone", page.replacing("</ul>", with: "<li><b><i>d</i></b></li></ul>"), [5]),
    Case("an element removed: the parent", page.replacing(#"<li id="x">b</li>"#, with: ""), [5]),
    Case("all removed: the parent once", page.replacing(#"<li id="x">b</li><li id="y">c</li>"#, with: ""), [5]),
    Case("a text added: the parent", page.replacing(#""y">c"#, with: #""y">c<b></b>d"#), [8]),
    Case("a text removed: the parent", page.replacing("<h1>a", with: "<h1>"), [3]),
    Case("a change of tag: the parent", page.replacing("h1>", with: "h2>"), [2]),
    Case(
      "id-change-tag-name: the parent", page.replacing(#"<li id="x">b</li>"#, with: #"<dl id="x">b</dl>"#), [5]),
    Case(
      "an order: the parent once",
      page.replacing(#"<li id="x">b</li><li id="y">c</li>"#, with: #"<li id="y">c</li><li id="x">b</li>"#), [5]),
    Case(
      "move-sib notifies both parents",
      #"<main id="m"><li id="y">c</li><h1>a</h1><ul id="u"><li id="x">b</li></ul></main>"#, [2, 5]),
    Case(
      "moved and changed: both parents and the node",
      #"<main id="m"><li id="y" a>C</li><h1>a</h1><ul id="u"><li id="x">b</li></ul></main>"#, [2, 8, 5]),
    Case(
      "moved out of what is removed: the parent that it gets", #"<main id="m"><h1>a</h1><li id="y">c</li></main>"#, [2]),
    Case(
      "moved into what is new: the parent that it left and the one that got the new",
      #"<main id="m"><h1>a</h1><ul id="u"><li id="x">b</li></ul><ol><li id="y">c</li></ol></main>"#, [2, 5]),
    Case("at the top: the document", page + "<p></p>", [1]),
    Case("a text at the top: the document", page + "t", [1]),
    Case("everything gone: the document", "", [1]),
    Case("everything else: the document", "<p>new</p>", [1]),
    Case(
      "many at once: each once, in document order",
      #"<main id="m" a><h1 b>A</h1><ul id="u" c><li id="y">C</li><li id="x">b</li><li></li></ul></main>"#, [2, 3, 5, 8]),
  ]

  @Test(arguments: cases)
  func `the notified nodes follow the rule`(change: Case) {
    var scene = Scene(Self.page)
    #expect(scene.notifiedNumbers == [1])
    scene.update(change.to)
    #expect(scene.notifiedNumbers == change.notified, "\(scene.changes)")
  }

  @Test
  func `another order of attributes notifies nobody`() {
    var scene = Scene(#"<p a="1" b="2"></p>"#)
    scene.update(#"<p b="2" a="1"></p>"#)
    #expect(scene.notifiedNumbers == [])
  }

  @Test
  func `an observer is notified as often as the rule requires`() {
    var scene = Scene(Self.page)
    scene.update(Self.page.replacing("<h1>a", with: "<h1>A"))
    scene.update(Self.page.replacing("<h1>a", with: "<h1>A"))
    scene.update(Self.page.replacing("<h1>a", with: "<h1 b>B"))
    #expect(scene.elements.map(scene.publishers.signalCount) == [0, 2, 0, 0, 0])
    #expect(scene.publishers.signalCount(of: scene.document.root) == 1)
  }

  @Test
  func `every element and the document have one observer after any number of changes`() {
    var scene = Scene("")
    var markup = ""
    var random: UInt64 = 1
    for step in 0..<500 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let id = (random >> 33) % 12
      switch (random >> 40) % 4 {
      case 0: markup += #"<p id="\#(id)">\#(step)<b></b></p>"#
      case 1: markup = #"<div><i>\#(step)</i>\#(markup)</div>"#
      case 2: markup = String(markup.dropFirst(markup.count / 2))
      default: markup = #"<u id="\#(id)"></u>"# + markup
      }
      scene.update(markup)
      let counts = scene.publishers.counts()
      let expected = Set(scene.elements + [scene.document.root])
      guard Set(counts.keys) == expected, counts.values.allSatisfy({ $0 == .init(observers: 1) }),
        scene.observers.count == expected.count
      else {
        Issue.record("step \(step): \(counts) for \(expected.sorted()) in \(markup)")
        return
      }
    }
  }
}
