import MarkupDocument
import Testing

/// `phx-update="stream"` and `phx-update="ignore"`, as in LiveView's client.
@Suite struct StreamTests {
  static func items(_ ids: [String], _ content: String = "") -> String {
    ids.map { "<li id=\"\($0)\">\($0)\(content)</li>" }.joined()
  }

  static func list(_ ids: [String], _ content: String = "") -> String {
    "<ul id=\"l\" phx-update=\"stream\">\(items(ids, content))</ul>"
  }

  /// A stream's container with the given items.
  static func held(_ ids: [String]) -> ContentBeforeJoin {
    ContentBeforeJoin(list(ids), streams: [patch(ids.reversed().map { .init(id: $0, at: -1) })])
  }

  static func patch(
    _ inserts: [StreamPatch.Insert] = [], deletes: [String] = [], reset: Bool = false, ref: String = "0"
  ) -> StreamPatch {
    StreamPatch(ref: ref, inserts: inserts, deletes: deletes, reset: reset)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    /// The items of the update, as the page lists them.
    var page: [String]
    var patch: StreamPatch
    var after: [String]
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "no operation: all items stay", page: [], patch: patch(), after: ["a", "b", "c"]),
    Case(name: "stream at -1", page: ["d"], patch: patch([.init(id: "d", at: -1)]), after: ["a", "b", "c", "d"]),
    Case(name: "stream at 0", page: ["d"], patch: patch([.init(id: "d", at: 0)]), after: ["d", "a", "b", "c"]),
    Case(name: "stream at 1", page: ["d"], patch: patch([.init(id: "d", at: 1)]), after: ["a", "d", "b", "c"]),
    Case(
      name: "stream at 2, before the last", page: ["d"], patch: patch([.init(id: "d", at: 2)]),
      after: ["a", "b", "d", "c"]),
    Case(
      name: "stream at the length", page: ["d"], patch: patch([.init(id: "d", at: 3)]), after: ["a", "b", "c", "d"]),
    Case(
      name: "stream beyond the length", page: ["d"], patch: patch([.init(id: "d", at: 99)]),
      after: ["a", "b", "c", "d"]),
    Case(
      name: "several inserts at 1 are reversed", page: ["d", "e"],
      patch: patch([.init(id: "e", at: 1), .init(id: "d", at: 1)]), after: ["a", "e", "d", "b", "c"]),
    Case(
      name: "a negative limit keeps the last items", page: ["d"], patch: patch([.init(id: "d", at: -1, limit: -2)]),
      after: ["c", "d"]),
    Case(
      name: "a positive limit keeps the first items", page: ["d"], patch: patch([.init(id: "d", at: 0, limit: 2)]),
      after: ["d", "a"]),
    Case(
      name: "a positive limit removes an item that was just appended", page: ["d"],
      patch: patch([.init(id: "d", at: -1, limit: 3)]), after: ["a", "b", "c"]),
    Case(
      name: "the smallest limit keeps all items", page: ["d"], patch: patch([.init(id: "d", at: -1, limit: .min)]),
      after: ["a", "b", "c", "d"]),
    Case(
      name: "update_only of an existing item", page: ["b"], patch: patch([.init(id: "b", at: -1, updateOnly: true)]),
      after: ["a", "b!", "c"]),
    Case(
      name: "update_only of a missing item", page: ["d"], patch: patch([.init(id: "d", at: -1, updateOnly: true)]),
      after: ["a", "b", "c"]),
    Case(
      name: "at does not move an existing item", page: ["c"], patch: patch([.init(id: "c", at: 0)]),
      after: ["a", "b", "c!"]),
    Case(name: "delete", page: [], patch: patch(deletes: ["a", "c", "none"]), after: ["b"]),
    Case(
      name: "delete and insert of one id move the item", page: ["a"],
      patch: patch([.init(id: "a", at: -1)], deletes: ["a"]),
      after: ["b", "c", "a!"]),
    Case(name: "reset to nothing", page: [], patch: patch(reset: true), after: []),
    Case(
      name: "reset to other items", page: ["d", "b"],
      patch: patch([.init(id: "b", at: -1), .init(id: "d", at: -1)], reset: true),
      after: ["d", "b!"]),
    Case(name: "a reset of another stream", page: [], patch: patch(reset: true, ref: "1"), after: ["a", "b", "c"]),
    Case(
      name: "an id inserted twice: both items are added", page: ["d", "e", "d"],
      patch: patch([.init(id: "d", at: -1), .init(id: "e", at: -1), .init(id: "d", at: -1)]),
      after: ["a", "b", "c", "d", "e", "d"]),
  ]

  @Test(arguments: cases)
  func `stream operations change the items as in LiveView's client`(change: Case) {
    var held = Self.held(["a", "b", "c"])
    let numbers = Dictionary(uniqueKeysWithValues: ["a", "b", "c"].map { ($0, held.number(id: $0)) })
    let isKnown = { (id: String) in numbers[id] != nil }
    held.update(
      "<ul id=\"l\" phx-update=\"stream\">\(change.page.map { Self.items([$0], isKnown($0) ? "!" : "") }.joined())</ul>",
      streams: [change.patch])
    let expected = change.after.map { item in
      let id = item.filter { $0 != "!" }
      return "<li id=\"\(id)\">\(item)</li>"
    }
    #expect(held.markup == "<ul id=\"l\" phx-update=\"stream\">\(expected.joined())</ul>")
    for item in change.after {
      let id = item.filter { $0 != "!" }
      if let number = numbers[id] { #expect(held.number(id: id) == number, "\(id) is the same node") }
    }
    #expect(held.faults == [])
  }

  @Test
  func `a new stream container inserts its items at their indexes`() {
    var held = ContentBeforeJoin("<p></p>")
    held.update(
      "<p></p>\(Self.list(["a", "b"]))", streams: [Self.patch([.init(id: "b", at: 0), .init(id: "a", at: -1)])])
    #expect(held.markup == "<p></p>\(Self.list(["b", "a"]))")
    held.update("<p></p>\(Self.list([]))", streams: [Self.patch(deletes: ["b"])])
    #expect(held.markup == "<p></p>\(Self.list(["a"]))")
  }

  @Test
  func `a stream operation on a duplicate id changes the first item`() {
    var held = ContentBeforeJoin(
      Self.list(["a", "b"]), streams: [Self.patch([.init(id: "b", at: -1), .init(id: "a", at: -1)])])
    held.update(Self.list([]) + "<p id=\"a\">outside</p>")
    held.update(Self.list([]) + "<p id=\"a\">outside</p>", streams: [Self.patch(deletes: ["a"])])
    #expect(held.markup == Self.list(["b"]) + "<p id=\"a\">outside</p>")
    #expect(held.faults == [])
  }

  /// The mirror once put the element into itself and never ended. In the last update, LiveView's
  /// client throws an error (`HierarchyRequestError`).
  @Test
  func `an item that is to contain the element around it stays, and loses that element`() {
    var held = ContentBeforeJoin(
      "<ul id=\"l\" phx-update=\"stream\"><li id=\"a\"><p id=\"b\">x</p></li></ul>",
      streams: [Self.patch([.init(id: "a", at: -1)])])
    held.update("<ul id=\"l\" phx-update=\"stream\"><p id=\"b\"><li id=\"a\">y</li></p></ul>")
    #expect(held.markup == "<ul id=\"l\" phx-update=\"stream\"><li id=\"a\">y</li></ul>")
    #expect(held.faults == [])
    // Duplicate ids have the same effect.
    let inner = "<ul id=\"l\" phx-update=\"stream\"><li id=\"a\">x</li></ul>"
    var nested = ContentBeforeJoin("<ul id=\"l\" phx-update=\"stream\"><li id=\"a\">\(inner)</li></ul>")
    nested.update("<ul id=\"l\" phx-update=\"stream\"><li id=\"a\">\(inner)</li></ul>")
    nested.update("<ul id=\"l\" phx-update=\"stream\"><li id=\"a\">\(inner)</li></ul>")
    #expect(nested.faults == [])
  }

  @Test
  func `nested streams: the inner stream is in an item of the outer stream`() {
    func outer(_ items: String) -> String { "<div id=\"o\" phx-update=\"stream\">\(items)</div>" }
    func item(_ inner: [String]) -> String { "<section id=\"s\">\(Self.list(inner))</section>" }
    var held = ContentBeforeJoin(
      outer(item(["a"])),
      streams: [Self.patch([.init(id: "a", at: -1)], ref: "1"), Self.patch([.init(id: "s", at: -1)])])
    // The item is sent again with only the new items of the inner stream.
    held.update(
      outer(item(["b"])),
      streams: [Self.patch([.init(id: "b", at: 0)], ref: "1"), Self.patch([.init(id: "s", at: -1)])])
    #expect(held.markup == outer(item(["b", "a"])))
    #expect(held.changes == ["add 7 <li#b> (2) 4[0]"])
    held.update(outer(""), streams: [Self.patch(deletes: ["s"])])
    #expect(held.markup == outer(""))
    #expect(held.document.marks.streams == [:])
    #expect(held.faults == [])
  }

  @Test
  func `an item is removed with its container and comes back as a new node`() {
    var held = Self.held(["a"])
    held.update("")
    held.update(Self.list(["a"]), streams: [Self.patch([.init(id: "a", at: -1)])])
    #expect(held.number(id: "a") == 6)
    #expect(held.faults == [])
  }

  @Test
  func `an item that moves out of its stream keeps its node`() {
    var held = Self.held(["a", "b"])
    let number = held.number(id: "a")
    held.update(#"<ul><li id="a">a</li></ul>"# + Self.list([]), streams: [Self.patch(deletes: ["a"])])
    #expect(held.markup == #"<ul><li id="a">a</li></ul>"# + Self.list(["b"]))
    #expect(held.number(id: "a") == number)
    #expect(held.faults == [])
  }
}

@Suite struct IgnoreTests {
  @Test
  func `only the data attributes of an ignored element are updated`() {
    var held = ContentBeforeJoin(#"<div id="i" phx-update="ignore" class="a" data-x="1" data-y="1"><b>own</b></div>"#)
    held.update(#"<div id="i" phx-update="ignore" class="b" title="t" data-x="2" data-z="3"><i>other</i></div>"#)
    #expect(
      held.changes == [#"attributes 2 <div> data-x: "1" → "2", data-y: "1" → none, data-z: none → "3""#])
    #expect(held.markup == #"<div id="i" phx-update="ignore" class="a" data-x="2" data-z="3"><b>own</b></div>"#)
  }

  @Test
  func `a nested view keeps its content and gets the page's attributes`() {
    var held = ContentBeforeJoin(#"<div id="n" data-phx-parent-id="x" class="a"><b>one</b></div>"#)
    held.update(#"<div id="n" data-phx-parent-id="x" class="b"><b>two</b></div>"#)
    #expect(held.markup == #"<div id="n" data-phx-parent-id="x" class="b"><b>one</b></div>"#)
  }

  @Test
  func `an ignored element is moved, removed and added like any other`() {
    var held = ContentBeforeJoin(#"<p id="p"></p><div id="i" phx-update="ignore">x</div>"#)
    held.update(#"<div id="i" phx-update="ignore">y</div><p id="p"></p>"#)
    #expect(held.markup == #"<div id="i" phx-update="ignore">x</div><p id="p"></p>"#)
    held.update(#"<p id="p"></p>"#)
    held.update(#"<p id="p"></p><div id="i" phx-update="ignore">y</div>"#)
    #expect(held.markup == #"<p id="p"></p><div id="i" phx-update="ignore">y</div>"#)
    #expect(held.faults == [])
  }

  @Test(
    arguments: [true, false], ["", "<i></i>"])
  func `an element whose id the page has elsewhere leaves an ignored element`(
    before: Bool, inside: String
  ) {
    let ignored = #"<div id="i" phx-update="ignore"><b id="x">old</b><u></u></div>"#
    var held = ContentBeforeJoin(ignored)
    let number = held.number(id: "x")
    let moved = "<p>\(inside)<b id=\"x\">new</b></p>"
    let rest = #"<div id="i" phx-update="ignore"></div>"#
    held.update(before ? moved + rest : rest + moved)
    let kept = #"<div id="i" phx-update="ignore"><u></u></div>"#
    #expect(held.markup == (before ? moved + kept : kept + moved))
    #expect(held.number(id: "x") == number)
    #expect(held.faults == [])
  }

  @Test
  func `an element whose id the page has after a stream leaves its item`() {
    var held = ContentBeforeJoin(
      #"<ul id="l" phx-update="stream"><li id="a"><b id="x">x</b></li><li id="b">b</li></ul>"#,
      streams: [StreamPatch(ref: "0", inserts: [.init(id: "b", at: -1), .init(id: "a", at: -1)])])
    let numbers = [held.number(id: "x"), held.number(id: "b")]
    held.update(
      #"<ul id="l" phx-update="stream"></ul><p><b id="x">y</b></p><ol><li id="b">b</li></ol>"#,
      streams: [StreamPatch(ref: "0", inserts: [])])
    #expect(
      held.markup
        == #"<ul id="l" phx-update="stream"><li id="a"></li></ul><p><b id="x">y</b></p><ol><li id="b">b</li></ol>"#)
    #expect([held.number(id: "x"), held.number(id: "b")] == numbers)
    #expect(held.faults == [])
  }

  @Test
  func `an element whose id the page has inside the ignored element stays there`() {
    var held = ContentBeforeJoin(#"<div id="i" phx-update="ignore"><b id="x">old</b></div><p></p>"#)
    held.update(#"<div id="i" phx-update="ignore"><b id="x">new</b></div><p id="p"></p>"#)
    #expect(held.markup == #"<div id="i" phx-update="ignore"><b id="x">old</b></div><p id="p"></p>"#)
  }
}
