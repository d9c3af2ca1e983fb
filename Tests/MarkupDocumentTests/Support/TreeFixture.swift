import Foundation
import MarkupDocument
import RecordingFixtures

/// A tree in the format of the fixtures.
enum TreeFixture {
  struct Malformed: Error {}

  static func tree(_ json: Any?, processingInstruction: ProcessingInstruction? = nil) throws -> NodeTree {
    var tree = NodeTree()
    guard let nodes = json as? [Any] else { throw Malformed() }
    var pending = nodes.reversed().map { (node: $0, parent: NodeTree.root) }
    while let (node, parent) = pending.popLast() {
      if let text = node as? String {
        tree.append(tree.make(.text(text)), to: parent)
        continue
      }
      guard let node = node as? [String: Any] else { throw Malformed() }
      if let comment = node["comment"] as? String {
        tree.append(tree.make(.comment(comment)), to: parent)
      } else if node["other"] != nil {
        guard let processingInstruction else { throw Malformed() }
        tree.append(tree.make(.processingInstruction(processingInstruction)), to: parent)
      } else {
        guard let tag = node["tag"] as? String, let attributes = node["attrs"] as? [String: String],
          let children = node["children"] as? [Any]
        else { throw Malformed() }
        let namespaces: [String: Namespace] = ["svg": .svg, "math": .mathML]
        let element = Element(
          tag: tag, namespace: (node["ns"] as? String).flatMap { namespaces[$0] } ?? .html,
          attributes: attributes.map { Element.Attribute($0.key, $0.value) })
        let index = tree.make(.element(element))
        tree.append(index, to: parent)
        pending += children.reversed().map { ($0, index) }
      }
    }
    return tree
  }
}

extension TreeFixture {
  /// The tree of a native recording's step.
  static func tree(_ recorded: RecordedNode) -> NodeTree {
    var tree = NodeTree()
    var pending = [(node: recorded, parent: NodeTree.root)]
    while let (node, parent) = pending.popLast() {
      switch node {
      case .text(let text): tree.append(tree.make(.text(text)), to: parent)
      case .list(let nodes): pending += nodes.reversed().map { ($0, parent) }
      case .element(let tag, let attributes, let children):
        let element = Element(tag: tag, attributes: attributes.map { Element.Attribute($0.key, $0.value) })
        let index = tree.make(.element(element))
        tree.append(index, to: parent)
        pending += children.reversed().map { ($0, index) }
      }
    }
    return tree
  }
}

extension NodeTree {
  /// The tree as indented lines, for messages and for comparing whole trees as text.
  func outline(offsets: Bool = false) -> String {
    var lines: [String] = []
    for node in preorder().dropFirst() {
      var depth = 0
      var above = parent(of: node)
      while let parent = above, parent != NodeTree.root {
        depth += 1
        above = self.parent(of: parent)
      }
      let place = offsets ? "@\(offset(of: node).map(String.init) ?? "-") " : ""
      let indent = String(repeating: "  ", count: depth)
      switch self[node] {
      case .root: break
      case .text(let text): lines.append("\(indent)\(place)\(text.debugDescription)")
      case .comment(let comment): lines.append("\(indent)\(place)<!-- \(comment.debugDescription) -->")
      case .processingInstruction(let instruction):
        lines.append("\(indent)\(place)<?\(instruction.target) \(instruction.data.debugDescription)?>")
      case .element(let element):
        let prefix = element.namespace == .html ? "" : "\(element.namespace):"
        let attributes = element.attributes.sorted { $0.name < $1.name }
          .map { " \($0.name)=\($0.value.debugDescription)" }.joined()
        lines.append("\(indent)\(place)<\(prefix)\(element.tag)\(attributes)>")
      }
    }
    return lines.joined(separator: "\n")
  }
}

func parse(_ markup: String, _ dialect: Dialect = .html) -> MarkupParser.Result {
  MarkupParser.parse(Array(markup.utf8), dialect: dialect)
}
