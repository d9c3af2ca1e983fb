import DocumentInvariants
import LiveViewMirror
import MarkupDocument
import Testing

/// Components inside the items of a stream whose root element is only valid in a certain parent.
@Suite struct ComponentContextTests {
  struct Case: CustomTestStringConvertible, Sendable {
    /// The markup around the stream item. The item is the component.
    var before: String
    var after: String
    /// The markup of the component around its one text.
    var root: (start: String, end: String)

    var testDescription: String { root.start }

    init(_ before: String, _ start: String, _ end: String, _ after: String) {
      (self.before, self.after, root) = (before, after, (start, end))
    }

    func html(_ text: String) -> String { before + root.start + text + root.end + after }
  }

  static let cases = [
    Case(
      "<table><tbody id=\"l\" phx-update=\"stream\">", "<tr id=\"i\"><td>", "</td><td>x</td></tr>", "</tbody></table>"),
    Case("<table><thead id=\"l\" phx-update=\"stream\">", "<tr id=\"i\"><th>", "</th></tr>", "</thead></table>"),
    Case(
      "<table><tbody><tr id=\"l\" phx-update=\"stream\">", "<td id=\"i\"><b>", "</b></td>", "</tr></tbody></table>"),
    Case("<table id=\"l\" phx-update=\"stream\">", "<tbody id=\"i\"><tr><td>", "</td></tr></tbody>", "</table>"),
    Case("<table id=\"l\" phx-update=\"stream\">", "<caption id=\"i\"><b>", "</b></caption>", "</table>"),
    Case("<table id=\"l\" phx-update=\"stream\">", "<colgroup id=\"i\"><col class=\"", "\"></colgroup>", "</table>"),
    Case("<table><colgroup id=\"l\" phx-update=\"stream\">", "<col id=\"i\" class=\"", "\">", "</colgroup></table>"),
    Case("<select id=\"l\" phx-update=\"stream\" multiple=\"\">", "<option id=\"i\">", "</option>", "</select>"),
    Case(
      "<select id=\"l\" phx-update=\"stream\" multiple=\"\">", "<optgroup id=\"i\"><option>", "</option></optgroup>",
      "</select>"),
    Case("<ul id=\"l\" phx-update=\"stream\">", "<li id=\"i\"><p>", "</p></li>", "</ul>"),
    Case("<dl id=\"l\" phx-update=\"stream\">", "<dd id=\"i\"><p>", "</p></dd>", "</dl>"),
    Case("<form><div id=\"l\" phx-update=\"stream\">", "<div id=\"i\"><p>", "</p></div>", "</div></form>"),
    Case(
      "<svg viewBox=\"0 0 1 1\"><g id=\"l\" phx-update=\"stream\">", "<linearGradient id=\"i\"><stop offset=\"",
      "\"></stop></linearGradient>", "</g></svg>"),
    Case(
      "<svg><foreignObject id=\"l\" phx-update=\"stream\">", "<p id=\"i\"><b>", "</b></p>", "</foreignObject></svg>"),
    Case("<math><mrow id=\"l\" phx-update=\"stream\">", "<mi id=\"i\">", "</mi>", "</mrow></math>"),
  ]

  private static func mount(_ test: Case) -> String {
    let (start, end) = (json(test.root.start), json(test.root.end))
    return """
      {"0":{"k":{"0":{"0":1},"kc":1},"s":["",""],"stream":["0",[["i",-1,null,null]],[]]},
       "s":["\(json(test.before))","\(json(test.after))"],"c":{"1":{"0":"one","s":["\(start)","\(end)"],"r":1}}}
      """
  }

  private static func json(_ text: String) -> String { text.replacing("\"", with: "\\\"") }

  @Test(arguments: cases)
  func `a changed component keeps its element and the nodes inside`(test: Case) throws {
    let view = try LiveViewCoordinator.mounted(Self.mount(test))
    #expect(view.markup == test.html("one"))
    let record = try view.update(#"{"c":{"1":{"0":"two"}}}"#)
    #expect(view.markup == test.html("two"))
    // The item and all elements in it keep their nodes: only a text or an attribute changes.
    #expect(record.changeSet.changes.count == 1)
    #expect(record.changeSet.changes.first?.isContent == true)
    #expect(view.document?.checkInvariants() == [])
  }

  @Test(arguments: cases)
  func `a component can be sent whole with new elements`(test: Case) throws {
    let view = try LiveViewCoordinator.mounted(Self.mount(test))
    let root = try #require(view.document?.node(withID: "i"))
    let (start, end) = (Self.json(test.root.start), Self.json(test.root.end))
    _ = try view.update(
      #"{"c":{"1":{"0":"two","s":["\#(start)","\#(end)<!-- behind it -->"],"r":1}}}"#)
    #expect(view.markup == test.html("two"))
    #expect(view.document?.node(withID: "i") == root)
  }

  @Test
  func `unclosed markup of a component stays inside it, as in a template element`() throws {
    let test = Case(
      "<table><tbody id=\"l\" phx-update=\"stream\">", "<tr id=\"i\"><td>", "</td></tr>", "</tbody></table>")
    let view = try LiveViewCoordinator.mounted(Self.mount(test))
    _ = try view.update(#"{"c":{"1":{"0":"</table><b>two"}}}"#)
    #expect(view.markup == test.html("<b>two</b>"))
  }

  @Test
  func `a component with a link inside another link is parsed separately`() throws {
    let test = Case("<div id=\"l\" phx-update=\"stream\">", "<p id=\"i\">", "</p>", "</div>")
    let view = try LiveViewCoordinator.mounted(Self.mount(test))
    _ = try view.update(#"{"c":{"1":{"0":"<a>one <i>in</i></a>"}}}"#)
    #expect(view.markup == test.html("<a>one <i>in</i></a>"))
  }
}

extension Change {
  fileprivate var isContent: Bool {
    switch self {
    case .text, .attributes: true
    case .add, .remove, .move: false
    }
  }
}
