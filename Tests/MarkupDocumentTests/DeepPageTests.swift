import MarkupDocument
import Testing

/// Selectors and source locations of elements in pages for which they are expensive to compute.
@Suite struct DeepPageTests {
  private func document(_ markup: String, _ dialect: Dialect = .html) -> Document {
    ContentBeforeJoin(markup, dialect: dialect).document
  }

  // MARK: - Selectors

  @Test func `a selector shows the last eight steps`() {
    let nested = String(repeating: "<i>", count: 9) + "<b id=x></b><b id=x></b>"
    let messages = document("<p><u>" + nested).duplicateIDs().map(\.message)
    let steps = String(repeating: "i:nth-child(1) > ", count: 7)
    #expect(
      messages == [
        "id \"x\" is used at … > \(steps)b:nth-child(1) and again at … > \(steps)b:nth-child(2); "
          + "it identifies only the first element"
      ])
  }

  @Test func `a selector of eight steps is not shortened`() {
    let document = document(String(repeating: "<i>", count: 7) + "<b id=x></b><b id=x></b>")
    #expect(document.duplicateIDs().allSatisfy { !$0.message.contains("…") })
  }

  @Test func `the messages for a page with 100,000 levels are short`() {
    let markup = String(repeating: "<A>", count: 100_000) + String(repeating: "<B id=\"x\"/>", count: 1_000)
    let diagnostics = document(markup, .native).duplicateIDs()
    #expect(diagnostics.count == 21)
    #expect(diagnostics.allSatisfy { $0.message.utf8.count < 500 })
  }

  @Test func `a position after a thousand siblings is given as a lower bound`() {
    let message = document(String(repeating: "<p></p>", count: 1_000) + "<b id=x></b><b id=x></b>").duplicateIDs().first
    #expect(message?.message.contains("is used at b:nth-child(1001) and again at b:nth-child(n+1001);") == true)
  }

  // MARK: - Sources

  private func lines(_ markup: String, _ dialect: Dialect = .html) -> [String] {
    let document = document(markup, dialect)
    let sources = document.sources()
    return document.tree.preorder().compactMap { node in
      guard let tag = document.tree[node].element?.tag else { return nil }
      return sources[document.ref(node)].map { "\(tag) \($0.location.file):\($0.location.line)" } ?? "\(tag) -"
    }
  }

  @Test func `a function without a closing comment ends with its parent`() {
    #expect(
      lines("<!-- <A.a> a.ex:1 (x) --><p><!-- <B.b> b.ex:2 (x) --><b></b></p><i></i><!-- </A.a> --><u></u>")
        == ["p a.ex:1", "b b.ex:2", "i a.ex:1", "u -"])
  }

  @Test func `a function without a closing comment does not extend its parent's function`() {
    #expect(
      lines("<!-- <A.a> a.ex:1 (x) --><p><!-- <B.b> b.ex:2 (x) --></p><!-- </A.a> --><u></u>") == ["p a.ex:1", "u -"])
  }

  @Test func `a tag inside a function has its own line or no line`() {
    #expect(
      lines("<!-- <A.a> a.ex:1 (x) --><p><b data-phx-loc=7><i></i></b></p><!-- </A.a> -->")
        == ["p a.ex:1", "b a.ex:7", "i -"])
  }

  @Test func `the source of every element of a deep page is found`() {
    let depth = 50_000
    let document = document(
      "<!-- <A.a> a.ex:1 (x) -->" + String(repeating: "<A data-phx-loc=\"2\">", count: depth), .native)
    #expect(document.sources().count == depth)
  }
}
