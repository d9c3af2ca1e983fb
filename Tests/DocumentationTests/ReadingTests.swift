import Testing

/// Tests of the helpers that read articles and examples.
@Suite struct ReadingTests {
  @Test func `a region loses the common indentation of its lines`() {
    let source = """
      static func run() {
        // example: A
        if true {

          print(1)
        }
        // end
      }
      """
    #expect(Region.all(in: source) == [Region(name: "A", text: "if true {\n\n  print(1)\n}")])
  }

  @Test func `a continued region is joined with an empty line`() {
    let source =
      "// example: A\nimport B\n// end\nnothing\n// example: A, continued\nlet c = 1\n// end\n// example: A\nd\n// end"
    #expect(Region.all(in: source) == [Region(name: "A", text: "import B\n\nlet c = 1"), Region(name: "A", text: "d")])
  }

  @Test func `an article is read as code, output and links`() {
    let article = Article(
      name: "A",
      text: """
        # A

        See <doc:B>.

        ```swift
        print(1)
        ```

        ```
        1
        ```

        ```swift
        .package(path: "a")
        ```

        ```sh
        ls
        ```
        """)
    #expect(article.examples == ["print(1)"])
    #expect(article.output == "1")
    #expect(article.links == ["B"])
  }
}
