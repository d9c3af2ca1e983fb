import Foundation
import MarkupDocument
import RecordingFixtures
import Testing

/// Every fragment of `Tests/Fixtures/html/fragments.jsonl` against the tree that Chromium builds for it.
@Suite struct FragmentTests {
  struct Fragment {
    var input: String
    var tree: NodeTree
  }

  /// Chromium 156 makes processing instructions of these. The standard, and ``NodeContent``, know comments only: the
  /// expected node is the comment that the standard asks for.
  static let processingInstructions: Set = [
    "<?import namespace=\"foo\" implementation=\"#bar\">", "<?COMMENT?>", "<?COM--MENT?>",
  ]

  static func fragments() throws -> [Fragment] {
    let file = Fixtures.folder("html").appending(path: "fragments.jsonl")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let input = try #require(json?["input"] as? String)
      let instruction = processingInstructions.contains(input) ? String(input.dropFirst().dropLast()) : ""
      return Fragment(input: input, tree: try TreeFixture.tree(json?["tree"], processingInstruction: instruction))
    }
  }

  @Test func everyFragmentIsReadAsChromiumReadsIt() throws {
    let fragments = try Self.fragments()
    #expect(fragments.count == 1115)
    var equal = 0
    for fragment in fragments {
      let tree = parse(fragment.input).tree
      #expect(tree.checkInvariants() == [], "\(fragment.input.debugDescription)")
      let isEqual = tree.isEqual(to: fragment.tree)
      #expect(
        isEqual,
        "\(fragment.input.debugDescription)\n--- expected\n\(fragment.tree.outline())\n--- got\n\(tree.outline())")
      if isEqual { equal += 1 }
    }
    #expect(equal == fragments.count)
  }
}
