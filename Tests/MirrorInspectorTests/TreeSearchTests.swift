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

  @Test(arguments: [("milk", 2), ("gone", 0), ("#b", 3), ("li#b", 3), ("never", nil), ("later", nil)])
  func `without a match, the last earlier version with one is a link to the node`(text: String, last: Int?) throws {
    let view = try SampleView.mounted(
      #"{"s":["<p>","</p><ul>","</ul>"],"0":"gone","1":{"s":["<li id=\"","\">","</li>"],"k":{"kc":0}}}"#,
      diffs: [
        #"{"0":"x","1":{"k":{"0":{"0":"a","1":"Buy milk"},"1":{"0":"b","1":"bread"},"kc":2}}}"#, #"{"0":"y"}"#,
        #"{"1":{"k":{"0":{"1":"tea"},"kc":2}}}"#, #"{"1":{"k":{"kc":0}}}"#, #"{"0":"later"}"#,
      ])
    let page = ParsedPage(try view.page(.init(version: 4, find: text)))
    let status = try #require(page.first("p", "found"))
    #expect(page.words(of: status).contains("Nothing matches"))
    let link = page.all("a", in: status).first { page.words(of: $0).hasPrefix("last in v") }
    #expect(link.map { page.words(of: $0) } == last.map { "last in v\($0)" })
    guard let last, let link else { return }
    let target = try #require(page.attribute("href", of: link))
    #expect(target.contains("version=\(last)&"))
    let node = try #require(target.firstMatch(of: /node=(\d+)/).flatMap { Int($0.1) })
    let there = ParsedPage(try view.page(.init(version: last, node: node, find: text)))
    #expect(
      there.elements("li").contains { $0.element["aria-selected"] == "true" && $0.element.classes.contains("found") })
  }

  @Test func `a log that has lost its beginning has its kept versions`() throws {
    let client = try Client(limits: MirrorLimits(versions: 8))
    _ = try client.post("/views/main/rendered", #"{"s":["<p>","</p>"],"0":"old"}"#)
    for number in 1...20 {
      _ = try client.post("/views/main/diffs", #"{"0":"\#(number < 18 ? "kept \(number)" : "new")"}"#)
    }
    let page = try client.get("/views/main?find=kept", accept: "text/html").text
    #expect(page.contains("last in v17"))
    #expect(try !client.get("/views/main?find=old", accept: "text/html").text.contains("last in v"))
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
