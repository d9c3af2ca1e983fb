import DocumentInvariants
import Foundation
import MarkupDocument
import RecordingFixtures
import Testing

/// Every fragment of `Tests/Fixtures/html/fragments.jsonl` against the tree that Chromium builds
/// for it.
@Suite struct FragmentTests {
  struct Fragment {
    var input: String
    var tree: NodeTree
  }

  /// The fixtures name the type of these nodes only (7, a processing instruction), not their target
  /// and data.
  static let processingInstructions: [String: ProcessingInstruction] = [
    "<?import namespace=\"foo\" implementation=\"#bar\">":
      ProcessingInstruction(target: "import", data: "namespace=\"foo\" implementation=\"#bar\""),
    "<?COMMENT?>": ProcessingInstruction(target: "COMMENT", data: ""),
    "<?COM--MENT?>": ProcessingInstruction(target: "COM--MENT", data: ""),
  ]

  static func fragments() throws -> [Fragment] {
    let file = Fixtures.folder("html").appending(path: "fragments.jsonl")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let input = try #require(json?["input"] as? String)
      let tree = try TreeFixture.tree(json?["tree"], processingInstruction: processingInstructions[input])
      return Fragment(input: input, tree: tree)
    }
  }

  @Test func `every fragment gives the same tree as in Chromium`() throws {
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
