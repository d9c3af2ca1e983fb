import LiveViewMirror
import MarkupDocument
import Testing

@testable import MirrorInspector

/// The search of the tree.
@Suite struct TreeSearchTests {
  private static let markup = """
    <ul id="list"><li id="t1" class="done">Buy milk</li><li id="t2">Pay 35 bills</li><li id="t3">Äpfel</li></ul>\
    <p title="Milk">x</p>
    """

  /// The listed matches of a search on the page, and the selected line.
  private func search(_ text: String) throws -> (matches: [String], selected: String?) {
    let page = ParsedPage(try SampleView.page(Self.markup).page(.init(find: text)))
    let list = page.elements("nav", class: "found").first.map { page.all("a", "node", in: $0.place) } ?? []
    let selected = page.elements("li").first { $0.element["aria-selected"] == "true" }
    return (list.map { page.words(of: $0) }, selected?.element.id)
  }

  @Test(arguments: [
    ("milk", ["<li#t1> Buy milk", "<p> title=Milk"]), ("#t2", ["<li#t2> Pay 35 bills"]),
    ("<li#t2>", ["<li#t2> Pay 35 bills"]), ("li.done", ["<li#t1> Buy milk"]),
    ("35", ["<li#t2> Pay 35 bills"]), ("äpfel", ["<li#t3> Äpfel"]), ("done", ["<li#t1> class=done"]),
    ("node:2", ["<ul#list> Buy milk"]), ("node:4", ["text Buy milk"]), ("nosuchthing", []),
  ])
  func `each match is an element with its content`(text: String, matches: [String]) throws {
    #expect(try search(text).matches == matches)
  }

  @Test func `an only match is selected`() throws {
    #expect(try search("bills").selected == "n5")
    #expect(try search("node:4").selected == "n3", "the line of the text")
    #expect(try search("milk").selected == nil)
  }

  @Test func `the end of the search is bounded, and says so`() throws {
    let rows = (0..<300).map { "<li>word \($0)</li>" }.joined()
    let view = try SampleView.page("<ul>\(rows)</ul>")
    let search = TreeSearch(for: "WORD", in: view.document, includingBlanks: false)
    #expect(search.isCut && search.matches.count == TreeSearch.limit && search.elements.count == TreeSearch.limit)
    #expect(ParsedPage(try view.page(.init(find: "word"))).text().contains("more than 200 matches"))
  }

  @Test func `a long content begins shortly before the words`() throws {
    let long = String(repeating: "lorem ", count: 40)
    let view = try SampleView.page("<p>\(long)needle</p>")
    let page = ParsedPage(try view.page(.init(find: "needle")))
    let match = try #require(page.elements("nav", class: "found").first)
    #expect(page.text(of: match.place).contains("needle"))
  }
}
