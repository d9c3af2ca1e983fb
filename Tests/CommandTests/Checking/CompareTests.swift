import Foundation
import Testing

extension CommandSuite {
  @Suite struct CompareTests {
    private static func recording(_ last: String) -> String {
      """
      {"rendered":{"0":"0","s":["<p>","</p>"]}}
      {"diff":{"0":"1"}}
      {"diff":{"0":"\(last)"}}

      """
    }

    @Test func `two recordings are compared as text, JSON and Markdown`() throws {
      let folder = try TemporaryFolder(["a.ndjson": Self.recording("2"), "b.ndjson": Self.recording("30")])
      let result = try folder.run("compare", "a.ndjson", "b.ndjson", "--markdown", "c.md")
      #expect((result.errors, result.code) == ("", 0))
      #expect(result.output.hasPrefix("a.ndjson → b.ndjson\n"))
      #expect(
        result.output.hasSuffix(
          "✗ The pages differ first at v2 of main (server push)\n\n    <p>\n  -   \"2\"\n  +   \"30\"\n"))
      #expect(try folder.text("c.md").contains("```diff\n  <p>\n-   \"2\"\n+   \"30\"\n```\n"))
      let json = try folder.run("compare", "a.ndjson", "b.ndjson", "--json").output
      let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
      #expect((parsed?["first_difference"] as? [String: Any])?.isEmpty == false)
    }

    @Test func `an increase above --max-increase exits with 1`() throws {
      let folder = try TemporaryFolder(["a.ndjson": Self.recording("2"), "b.ndjson": Self.recording("3000")])
      let more = try folder.run("compare", "a.ndjson", "b.ndjson", "--max-increase", "10%")
      #expect(more.code == 1)
      #expect(
        more.output.hasSuffix(
          """

            bytes of all diffs: 18 B → 21 B (+17 %)
            bytes of (server push): 18 B → 21 B (+17 %)

          ✗ 2 increases above the limit

          """), "\(more.output)")
      let annotated = try folder.run("compare", "a.ndjson", "b.ndjson", "--max-increase", "10%", "--github")
      #expect(
        annotated.output.hasSuffix("\n::error title=liveview-mirror::bytes of (server push): 18 B → 21 B (+17 %25)\n"))
      try folder.write("none.ndjson", #"{"rendered":{"0":"0","s":["<p>","</p>"]}}"#)
      let none = try folder.run("compare", "a.ndjson", "none.ndjson", "--max-increase", "10%", "--json")
      #expect(none.code == 1)
      #expect(
        none.output.contains(
          #""failures":["none.ndjson has no diff"]"#))
      #expect(try folder.run("compare", "a.ndjson", "b.ndjson", "--max-increase", "0.2").code == 0)
      #expect(try folder.run("compare", "b.ndjson", "a.ndjson", "--max-increase", "0%").code == 0)
      #expect(try folder.run("compare", "a.ndjson", "b.ndjson").code == 0)
    }

    @Test func `a recording equals itself`() throws {
      let folder = try TemporaryFolder(["a.ndjson": Self.recording("2")])
      let result = try folder.run("compare", "a.ndjson", "a.ndjson")
      #expect(result.output.hasSuffix("✓ The pages of all versions that both have are the same\n"))
      #expect(
        try folder.run("compare", "a.ndjson", "a.ndjson", "--json").output.hasSuffix("\"first_difference\":null}\n"))
    }

    @Test func `wrong usage and files have exit codes`() throws {
      let folder = try TemporaryFolder(["a.ndjson": Self.recording("2"), "b": "no recording"])
      #expect(try folder.run("compare", "a.ndjson").code == 64)
      #expect(try folder.run("compare", "-", "-").code == 64)
      #expect(try folder.run("compare", "a.ndjson", "a.ndjson", "--json", "--markdown", "-").code == 64)
      #expect(try folder.run("compare", "a.ndjson", "b").code == 65)
      #expect(try folder.run("compare", "a.ndjson", "none").code == 66)
      #expect(try folder.run("compare", "a.ndjson", "a.ndjson", "--markdown", "/nowhere/a").code == 73)
    }
  }
}
