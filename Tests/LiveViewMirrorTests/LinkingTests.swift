import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RenderedTree
import Testing

/// Which instances know their nodes after a mount, and the consequences for the next diff.
@Suite struct LinkingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var mount: String
    /// The nodes of every instance's anchors: 0 for an unknown node, and a mark for an opaque one.
    var sites: [String]
    var diff: String
    var path: UpdatePath
    var lines: [String]
    var dialect = Dialect.html
    var testDescription: String { name }
  }

  static let unlinked = UpdatePath.full(reason: "the nodes around the change are not those that its template describes")
  static let unsettled = UpdatePath.full(reason: "the document may differ from the page, or is not linked to it")

  static let cases: [Case] = [
    Case(
      name: "a plain page", mount: #"{"0":"a","s":["<div><p>","</p></div>"]}"#, sites: ["page: 2 3"],
      diff: #"{"0":"b"}"#, path: .scoped, lines: [#"text 4 in 3: "a" → "b" by 0"#]),
    Case(
      name: "fragments, entries and components",
      mount: #"""
        {"0":{"0":"a","s":["<b>","</b>"]},"1":{"k":{"0":{"0":"b"},"1":{"0":"c"},"kc":2},"s":["<li>","</li>"]},"2":1,
         "s":["<p>","</p><ul>","</ul>",""],"c":{"1":{"0":"d","s":["<i>","</i>"]}}}
        """#,
      sites: ["page: 2 5", "0: 3", "1.0: 6", "1.1: 8", "c1: 10"], diff: #"{"1":{"k":{"1":{"0":"C"},"kc":2}}}"#,
      path: .scoped, lines: [#"text 9 in 8: "c" → "C" by 1.k.1.0"#]),
    Case(
      name: "a table without its tbody is looked at as a whole",
      mount: #"{"0":"a","1":"b","s":["<h1>","</h1><table><tr><td>","</td></tr></table>"]}"#, sites: ["page: 2 4! 0 0"],
      diff: #"{"1":"c"}"#, path: .scoped, lines: [#"text 8 in 7: "b" → "c" by 1"#]),
    Case(
      name: "a table with its tbody", mount: #"{"0":"a","s":["<table><tbody><tr><td>","</td></tr></tbody></table>"]}"#,
      sites: ["page: 2 3 4 5"], diff: #"{"0":"b"}"#, path: .scoped, lines: [#"text 6 in 5: "a" → "b" by 0"#]),
    Case(
      name: "a block in a paragraph: the page is not what its tags say",
      mount: #"{"0":"a","s":["<p><div>","</div></p>"]}"#, sites: ["page: none"], diff: #"{"0":"b"}"#, path: unlinked,
      lines: [#"text 4 in 3: "a" → "b" by 0"#]),
    Case(
      name: "a block in a paragraph of a fragment: the element around that is looked at",
      mount: #"{"0":{"0":"a","s":["<p><div>","</div></p>"]},"s":["<main>","</main>"]}"#,
      sites: ["page: 2!", "0: none"], diff: #"{"0":{"0":"b"}}"#, path: .scoped,
      lines: [#"text 5 in 4: "a" → "b" by 0.0"#]),
    Case(
      name: "an attribute that ends its tag", mount: #"{"0":" x>","1":"a","s":["<p",">","</p>"]}"#,
      sites: ["page: none"], diff: #"{"1":"b"}"#, path: unlinked, lines: [#"text 3 in 2: ">a" → ">b" by 1"#]),
    Case(
      name: "a quoted attribute that ends its tag",
      mount: #"{"0":"x\">","1":"a","s":["<p id=\"","\">","</p>"]}"#, sites: ["page: none"], diff: #"{"1":"b"}"#,
      path: unlinked, lines: [##"text 3 in 2: "\">a" → "\">b" by 1"##]),
    Case(
      name: "quoted attributes", mount: #"{"0":" class=\"x\"","1":"y'","2":"a","s":["<p"," id=\"","\">","</p>"]}"#,
      sites: ["page: 2"], diff: #"{"2":"b"}"#, path: .scoped, lines: [#"text 3 in 2: "a" → "b" by 2"#]),
    Case(
      name: "an attribute that takes the slash of its tag",
      mount: #"{"0":" a=b","1":"c","s":["<svg><path","/><g></g></svg><p>","</p>"]}"#, sites: ["page: 2! 0 5"],
      diff: #"{"1":"d"}"#, path: .scoped, lines: [#"text 6 in 5: "c" → "d" by 1"#]),
    Case(
      name: "an attribute before the slash of its tag",
      mount: #"{"0":" a=\"b\"","1":"c","s":["<svg><path","/><g></g></svg><p>","</p>"]}"#, sites: ["page: 2 3 5"],
      diff: #"{"1":"d"}"#, path: .scoped, lines: [#"text 6 in 5: "c" → "d" by 1"#]),
    Case(
      name: "a text field, as a whole", mount: #"{"0":"a","s":["<p><textarea>","</textarea></p>"]}"#,
      sites: ["page: 2 3!"], diff: #"{"0":"b"}"#, path: .scoped, lines: [#"text 4 in 3: "a" → "b" by 0"#]),
    Case(
      name: "a stream's container, as a whole",
      mount: #"""
        {"0":{"k":{"0":{"0":"a"},"kc":1},"s":["<li id=\"","\"></li>"],"stream":["0",[["a",-1,null]],[]]},
         "s":["<ul id=\"l\" phx-update=\"stream\">","</ul>"]}
        """#,
      sites: ["page: 2!"],
      diff: #"{"0":{"k":{"0":{"0":"b"},"kc":1},"stream":["0",[["b",-1,null]],[]]}}"#, path: .scoped,
      lines: ["add 4 <li#b> (1) 2[1] by 0.k.0"]),
    Case(
      name: "what is ignored, as a whole", mount: #"{"0":"a","s":["<p id=\"p\" phx-update=\"ignore\">","</p>"]}"#,
      sites: ["page: 2!"], diff: #"{"0":"b"}"#, path: .scoped, lines: []),
    Case(
      name: "a component that stands twice",
      mount: #"{"0":1,"1":1,"2":"a","s":["<p>","","</p><i>","</i>"],"c":{"1":{"0":"x","s":["<b>","</b>"]}}}"#,
      sites: ["page: 2 7", "c1: nowhere"], diff: #"{"2":"b"}"#, path: unsettled,
      lines: [#"text 8 in 7: "a" → "b" by 2"#]),
    Case(
      name: "a component without an element at its beginning",
      mount: #"{"0":1,"s":["<p>","</p>"],"c":{"1":{"0":"x","s":["a <b>","</b>"]}}}"#,
      sites: ["page: 2", "c1: nowhere"],
      diff: #"{"c":{"1":{"0":"y"}}}"#, path: .full(reason: "the position of component 1 is not known"),
      lines: [#"text 5 in 4: "x" → "y" by c.1.0"#]),
    Case(
      name: "a component of text alone",
      mount: #"{"0":1,"s":["<p>","</p>"],"c":{"1":{"0":"x","s":["a ",""]}}}"#, sites: ["page: 2", "c1: nowhere"],
      diff: #"{"c":{"1":{"0":"y"}}}"#, path: .full(reason: "the position of component 1 is not known"),
      lines: [#"text 3 in 2: "a x" → "a y" by c.1.0"#]),
    Case(
      name: "a component that no page shows",
      mount: #"{"0":"a","s":["<p>","</p>"],"c":{"1":{"0":"x","s":["<b>","</b>"]}}}"#, sites: ["page: 2", "c1: none"],
      diff: #"{"c":{"1":{"0":"y"}}}"#, path: .scoped, lines: []),
    Case(
      name: "native", mount: #"{"0":"a","s":["<VStack><Text>","</Text><Spacer/></VStack>"]}"#, sites: ["page: 2 3"],
      diff: #"{"0":"b"}"#, path: .scoped, lines: [#"text 4 in 3: "a" → "b" by 0"#], dialect: .native),
  ]

  @Test(arguments: cases)
  func `instances are linked after a mount and after the next diff`(page: Case) throws {
    let view = try LiveViewCoordinator.mounted(page.mount, dialect: page.dialect)
    #expect(view.view?.sites == page.sites)
    let record = try view.update(page.diff)
    #expect(record.path == page.path)
    #expect(record.lines == page.lines)
    OraclePair.expectSame(page.mount, page.diff, dialect: page.dialect)
  }

  @Test
  func `a raw text with an unclosed element prevents linking until it is closed`() throws {
    let view = try LiveViewCoordinator.mounted(#"{"0":"<b>x","1":"a","s":["<p>","</p><i>","</i>"]}"#)
    #expect(view.view?.sites == ["page: none"])
    #expect(try view.update(#"{"1":"b"}"#).path == Self.unlinked)
    #expect(try view.update(#"{"0":"<b>x</b>"}"#).path == Self.unlinked)
    #expect(view.view?.sites.first != "page: none")
    #expect(try view.update(#"{"1":"c"}"#).path == .scoped)
    #expect(view.markup == "<p><b>x</b></p><i>c</i>")
  }

  @Test
  func `a raw text that becomes unclosed ends linking`() throws {
    let view = try LiveViewCoordinator.mounted(#"{"0":"x","1":"a","s":["<p>","</p><i>","</i>"]}"#)
    let reason = "the markup of the region affects the markup around it"
    #expect(try view.update(#"{"0":"<b>x"}"#).path == .full(reason: reason))
    #expect(try view.update(#"{"1":"b"}"#).path == Self.unlinked)
  }

  @Test
  func `a page that is always updated in full is not linked`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: .full).withAnalyses)
    try view.mount(Array(Self.cases[0].mount.utf8), dialect: .html)
    #expect(view.view?.sites == ["page: none"])
    #expect(try view.update(#"{"0":"b"}"#).path == .full(reason: "the options choose the full pipeline"))
  }
}

extension ViewState {
  /// A line for every instance in the tree.
  fileprivate var sites: [String] {
    var lines = [line("page", rendered.root.site)]
    add(rendered.root.slots, "", to: &lines)
    for cid in rendered.components.keys.sorted() {
      guard let component = rendered.components[cid] else { continue }
      lines.append(line("c\(cid)", component.site))
      add(component.slots, "c\(cid).", to: &lines)
    }
    return lines
  }

  private func add(_ slots: [Slot], _ path: String, to lines: inout [String]) {
    for (index, slot) in slots.enumerated() {
      switch slot {
      case .text, .component: continue
      case .fragment(let fragment):
        lines.append(line("\(path)\(index)", fragment.site))
        add(fragment.slots, "\(path)\(index).", to: &lines)
      case .comprehension(let list):
        for (number, entry) in list.entries.enumerated() {
          lines.append(line("\(path)\(index).\(number)", entry.site))
          add(entry.slots, "\(path)\(index).\(number).", to: &lines)
        }
      }
    }
  }

  private func line(_ name: String, _ site: Site?) -> String {
    guard let site else { return "\(name): none" }
    guard site.isAddressable else { return "\(name): nowhere" }
    let nodes = (0..<site.anchorCount).map { "\(site[$0])\(site.isOpaque($0) ? "!" : "")" }
    return "\(name): \(nodes.joined(separator: " "))"
  }
}
