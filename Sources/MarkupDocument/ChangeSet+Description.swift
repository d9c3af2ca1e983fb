/// One line for messages: `text 3 in 2: "1" → "2"`.
extension Change: CustomStringConvertible {
  /// The kind of the change, the node, and the values or positions before and after it.
  public var description: String {
    switch self {
    case .text(let node, let parent, let before, let after):
      "text \(node) in \(parent): \(before.debugDescription) → \(after.debugDescription)"
    case .attributes(let node, let tag, let changes):
      "attributes \(node) <\(tag)> \(changes.map(\.description).joined(separator: ", "))"
    case .add(let subtree, let position): "add \(subtree.root) \(subtree.name) (\(subtree.count)) \(position)"
    case .remove(let nodes, let position, let name): "remove \(nodes[0]) \(name) (\(nodes.count)) \(position)"
    case .move(let node, let name, let from, let to): "move \(node) \(name) \(from) → \(to)"
    }
  }
}

extension AttributeChange: CustomStringConvertible {
  /// The name with its values before and after the change; `none` for an absent attribute.
  public var description: String {
    "\(name): \(before?.debugDescription ?? "none") → \(after?.debugDescription ?? "none")"
  }
}

/// `2[0]`: the first child of node 2.
extension Position: CustomStringConvertible {
  /// The parent's number and the index.
  public var description: String { "\(parent)[\(index)]" }
}

extension NodeName: CustomStringConvertible {
  /// `<li#a>` for an element, otherwise the kind of the node.
  public var description: String {
    switch self {
    case .element(let tag, let id): "<\(tag)\(id.map { "#\($0)" } ?? "")>"
    case .text, .blank: "text"
    case .comment: "comment"
    case .processingInstruction: "processing instruction"
    }
  }
}
