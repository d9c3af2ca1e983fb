import MarkupDocument
import Testing

/// Selectors over documents. The expectations are those of `querySelectorAll` in Chromium.
@Suite struct SelectorTests {
  private static let markup = """
    <ul id="list" class="items open" data-kind="a b"><li id="one" class="item">1</li><li id="two" class="item done">2<b></b></li>\
    <li id="three" lang="en-GB">3<button id="go" type="button" disabled>go</button></li></ul>\
    <p id="after"></p><p id="later"><input id="check" type="checkbox" checked></p><template><i id="hidden"></i></template>
    """

  private static let document = Document.mounting(
    Page(parsing: Array(markup.utf8), dialect: .html), dialect: .html, epoch: 1
  ).document

  private static func ids(_ selector: String) throws -> [String] {
    let selector = try #require(Selector(selector))
    return document.allNodes(matching: selector).compactMap { document.content(of: $0)?.element?.id }
  }

  @Test(arguments: [
    ("#two", ["two"]), ("li", ["one", "two", "three"]), ("LI.item", ["one", "two"]), (".item.done", ["two"]),
    ("[lang]", ["three"]), ("[type=checkbox]", ["check"]), ("[type='button']", ["go"]), ("[id^=t]", ["two", "three"]),
    ("[id$=e]", ["one", "three"]), ("[id*=hre]", ["three"]), ("[data-kind~=b]", ["list"]), ("[lang|=en]", ["three"]),
    ("[lang|=en-G]", []), (".item.item, li.item:not(.done, .done)", ["one", "two"]), ("[data-kind~='a b']", []),
    ("[data-kind~='']", []),
    ("ul li button", ["go"]), ("ul > button", []), ("#list > li:first-of-type", ["one"]), ("li:last-child", ["three"]),
    ("li + li", ["two", "three"]), ("#one ~ li", ["two", "three"]), ("ul + p", ["after"]),
    ("ul ~ p", ["after", "later"]),
    ("li:not(.item)", ["three"]), ("li:not(.done, [lang])", ["one"]), ("p:empty", ["after"]), (":checked", ["check"]),
    ("button:disabled", ["go"]), ("input:enabled", ["check"]), ("p:first-of-type", ["after"]), ("p:only-child", []),
    ("input:only-child", ["check"]), ("#two, #one", ["one", "two"]), ("ul > li > button, p", ["go", "after", "later"]),
    ("li:nth-child(2)", ["two"]), ("li:nth-child(odd)", ["one", "three"]), ("li:nth-child( 2n )", ["two"]),
    ("li:nth-child(n+2)", ["two", "three"]), ("li:nth-child(-n+2)", ["one", "two"]), ("li:nth-child(even) b", []),
    ("#hidden", []), ("#tw\\6f", ["two"]), ("#\\74 wo", ["two"]), ("#\\000074wo", ["two"]), ("[id='t\\77o']", ["two"]),
    ("[id=\"tw\\o\"]", ["two"]), ("#\\0", []), ("#\\110000", []),
    ("*", ["list", "one", "two", "three", "go", "after", "later", "check"]),
  ])
  func `a selector matches in document order`(selector: String, expected: [String]) throws {
    #expect(try Self.ids(selector) == expected)
  }

  @Test(arguments: [
    "", " ", "#", ".", "[", "[a", "[a=", "a >", "> a", "a,", "a:hover", "a:nth-child(x)", "a:nth-child(2", "a::before",
    ":not(a b)", "1$", "#a\\\n", "#a\\", "[a='\\']",
  ])
  func `other syntax is not a selector`(selector: String) {
    #expect(Selector(selector) == nil)
  }

  /// The reader recurses for `:not`, so a long selector once overflowed the stack of the server.
  @Test func `a selector has a maximum length`() {
    #expect(Selector(String(repeating: ":not(", count: 200_000)) == nil)
    #expect(Selector(String(repeating: ":not(", count: 300) + "a" + String(repeating: ")", count: 300)) != nil)
    #expect(Selector(String(repeating: "\\a", count: 30_000)) == nil)
  }

  @Test func `the nearest match is the element or one around it`() throws {
    let go = try #require(Self.document.node(withID: "go"))
    func closest(_ selector: String) throws -> String? {
      Self.document.closestNode(matching: try #require(Selector(selector)), from: go)
        .flatMap { Self.document.content(of: $0)?.element?.id }
    }
    #expect(try closest("button") == "go")
    #expect(try closest("li") == "three")
    #expect(try closest("li + li") == "three")
    #expect(try closest("ul") == "list")
    #expect(try closest("p") == nil)
  }

  @Test func `a search inside an element also considers its ancestors`() throws {
    let three = try #require(Self.document.node(withID: "three"))
    let found = Self.document.allNodes(matching: try #require(Selector("ul button")), inside: three)
    #expect(found == [try #require(Self.document.node(withID: "go"))])
    #expect(Self.document.allNodes(matching: try #require(Selector("li")), inside: three).isEmpty)
  }
}
