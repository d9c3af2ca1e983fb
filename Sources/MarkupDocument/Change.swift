/// One change of one node. A ``ChangeSet`` lists the changes of an update. `Morph` or a scoped
/// update computes them, and ``Document`` carries them out.
public enum Change: Sendable, Hashable {
  /// The content of a text or comment.
  case text(node: NodeRef, parent: NodeRef, before: String, after: String)
  /// The changed attributes of an element. A different order is not a change.
  case attributes(node: NodeRef, tag: String, [AttributeChange])
  /// A new node with all new nodes below it.
  case add(Subtree, at: Position)
  /// A removed node. `nodes` names it first, then every removed node below it; descendants that
  /// moved elsewhere are not listed.
  case remove(nodes: [NodeRef], from: Position, name: DisplayName)
  /// A node that keeps its identity and gets another parent or another index.
  case move(node: NodeRef, name: DisplayName, from: Position, to: Position)

  /// The node that changes; for an addition or a removal, the top of the subtree.
  public var node: NodeRef {
    switch self {
    case .text(let node, _, _, _), .attributes(let node, _, _), .move(let node, _, _, _): node
    case .remove(let nodes, _, _): nodes[0]
    case .add(let subtree, _): subtree.root
    }
  }
}

extension Change {
  /// The nodes to notify of the change: an element whose attributes differ, otherwise ``parents``.
  /// `second` is `nil` unless a node moves to another parent.
  package var notified: (first: NodeRef, second: NodeRef?) {
    switch self {
    case .text(_, let parent, _, _): (parent, nil)
    case .attributes(let node, _, _): (node, nil)
    case .add(_, let position), .remove(_, let position, _): (position.parent, nil)
    case .move(_, _, let from, let to): (from.parent, from.parent == to.parent ? nil : to.parent)
    }
  }

  /// The only node to notify of the change; `nil` if there are two.
  package var onlyNotified: NodeRef? { notified.second == nil ? notified.first : nil }

  /// The parent of a text or comment that changes, or of a node that is added or removed. For a
  /// node that moves, the former and the new parent. Empty for a change of attributes.
  public var parents: [NodeRef] {
    switch self {
    case .text(_, let parent, _, _): [parent]
    case .attributes: []
    case .add(_, let position), .remove(_, let position, _): [position.parent]
    case .move(_, _, let from, let to): [from.parent, to.parent]
    }
  }
}

/// A position among the children of a node. Texts, comments and processing instructions count.
public struct Position: Sendable, Hashable {
  /// The node whose children are counted.
  public var parent: NodeRef
  /// The number of children of the parent before this position.
  public var index: Int

  /// The position `index` among the children of `parent`.
  public init(parent: NodeRef, index: Int) {
    self.parent = parent
    self.index = index
  }
}

/// One attribute that was added, removed or changed.
public struct AttributeChange: Sendable, Hashable {
  /// The attribute's name.
  public var name: String
  /// `nil` if the attribute was added.
  public var before: String?
  /// `nil` if the attribute was removed.
  public var after: String?

  /// A change of the attribute `name` from `before` to `after`.
  public init(name: String, before: String?, after: String?) {
    self.name = name
    self.before = before
    self.after = after
  }
}

/// One line for messages: `text 3 in 2: "1" → "2"`.
extension Change: CustomStringConvertible {
  /// The kind of the change, the node, and the values or positions before and after it.
  public var description: String {
    switch self {
    case .text(let node, let parent, let before, let after):
      "text \(node) in \(parent): \(before.debugDescription) → \(after.debugDescription)"
    case .attributes(let node, let tag, let changes):
      "attributes \(node) <\(tag)> \(changes.map(\.description).joined(separator: ", "))"
    case .add(let subtree, let position): "add \(subtree.root) \(subtree.displayName) (\(subtree.count)) \(position)"
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
