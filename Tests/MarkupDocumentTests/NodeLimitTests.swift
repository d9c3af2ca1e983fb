import DocumentInvariants
import MarkupDocument
import Testing

/// The number of nodes of a page is limited. The parsers stop at the limit and set `isTruncated`;
/// the caller rejects the page.
@Suite struct NodeLimitTests {
  static let limit = MarkupParser.maximumNodes

  private func page(_ piece: String, _ count: Int, _ dialect: Dialect) -> Page {
    Page(parsing: Array(String(repeating: piece, count: count).utf8), dialect: dialect)
  }

  @Test(arguments: [("<br>", Dialect.html), ("<A/>", .native)])
  func `a page with the maximum number of nodes is complete`(piece: String, dialect: Dialect) {
    let page = page(piece, Self.limit - 1, dialect)
    #expect(page.tree.count == Self.limit)
    #expect(!page.isTruncated)
  }

  @Test(arguments: [("<br>", Dialect.html), ("<A/>", .native), ("<A>", .native), ("<!---->", .html), ("<p>x", .html)])
  func `a page with more nodes than the maximum is truncated`(piece: String, dialect: Dialect) {
    let page = page(piece, Self.limit * 2, dialect)
    #expect(page.isTruncated)
    #expect((Self.limit + 1...Self.limit + 2).contains(page.tree.count))
    #expect(page.tree.checkInvariants() == [])
    #expect(!page.diagnostics.contains { $0.code == "unclosed-element" })
  }

  @Test func `clones do not exceed the limit`() {
    let formatting = (0..<64).map { "<b id=\($0)>" }.joined()
    let markup = formatting + String(repeating: "<p>x</p>", count: Self.limit)
    let page = Page(parsing: Array(markup.utf8), dialect: .html)
    #expect(page.isTruncated)
    #expect(page.tree.count < Self.limit + 1_000)
  }

  @Test func `copies of a selected option do not exceed the limit`() {
    let option = String(repeating: "<i></i>", count: Self.limit / 2 + 1_000)
    let markup = "<select><button><selectedcontent></selectedcontent></button><option>\(option)</option></select>"
    let page = Page(parsing: Array(markup.utf8), dialect: .html)
    #expect(page.tree.count <= Self.limit + 1)
    #expect(page.tree.checkInvariants() == [])
  }
}
