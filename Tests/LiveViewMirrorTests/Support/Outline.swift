import LiveViewMirror
import MarkupDocument
import NodeObservation
import RecordingFixtures
import RenderedTree
import Testing

/// A tree as one line of bytes for each node, with attributes sorted by name.
enum Outline {
  static func text(_ lines: [[UInt8]], _ line: Int) -> String {
    lines.indices.contains(line) ? String(decoding: lines[line], as: UTF8.self) : "nothing"
  }

  /// The index of the first line that differs.
  static func firstDifference(_ actual: [[UInt8]], _ expected: [[UInt8]]) -> Int? {
    (0..<max(actual.count, expected.count)).first { actual.dropFirst($0).first != expected.dropFirst($0).first }
  }

  static func lines(of tree: NodeTree) -> [[UInt8]] {
    var depths: [NodeTree.Index: Int] = [:]
    return tree.preorder().map { node in
      let depth = tree.parent(of: node).flatMap { depths[$0] }.map { $0 + 1 } ?? 0
      depths[node] = depth
      switch tree[node] {
      case .root: return []
      case .text(let text): return Array("\(depth) \(text)".utf8)
      case .comment(let text): return Array("\(depth) <!--\(text)".utf8)
      case .processingInstruction(let instruction):
        return Array("\(depth) <?\(instruction.target) \(instruction.data)".utf8)
      case .element(let element):
        let attributes = element.attributes.sorted { $0.name < $1.name }.map { " \($0.name)=\"\($0.value)\"" }
        return Array("\(depth) <\(element.tag)\(attributes.joined())".utf8)
      }
    }
  }
}
