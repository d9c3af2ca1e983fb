internal import MirrorSupport

/// All changes of one update to a document: applied to the document before the update, they give
/// the document after it.
///
/// LiveView's client replaces the content of a portal's `template` by a copy of what the portal
/// shows elsewhere. No browser shows the copy. So its changes are listed apart: no subscriber is
/// notified of them, and the log does not list them.
///
/// Source indexes (`remove`, a move's `from`) count the children before any change of the set.
/// Target indexes (`add`, a move's `to`) count them after all changes. So the order of the list
/// does not affect the result; it is document order, for readers.
public struct ChangeSet: Sendable, Hashable {
  /// In document order, without those of ``hidden``.
  public var changes: [Change]
  /// The changes in the content of portals' `template` elements, in document order; moves into it
  /// as well.
  public var hidden: [Change]

  /// A set of the given changes.
  public init(_ changes: [Change] = [], hidden: [Change] = []) { (self.changes, self.hidden) = (changes, hidden) }

  /// The changes of both lists.
  package var all: [Change] { hidden.isEmpty ? changes : changes + hidden }

  mutating func append(_ change: Change, isHidden: Bool) {
    if isHidden { hidden.append(change) } else { changes.append(change) }
  }

  /// Makes room for many changes at once: a list that grows by doubling takes three times their
  /// memory. Makes none for few.
  mutating func reserve(_ count: Int, isHidden: Bool) {
    if isHidden {
      if count > hidden.count { hidden.reserveCapacity(hidden.count + count) }
    } else if count > changes.count {
      changes.reserveCapacity(changes.count + count)
    }
  }

  /// Whether the update changed nothing that is shown.
  public var isEmpty: Bool { changes.isEmpty }
}

/// One change of one node.
public enum Change: Sendable, Hashable {
  /// The content of a text or comment.
  case text(node: NodeRef, parent: NodeRef, before: String, after: String)
  /// The attributes of an element that differ. A different order is not a change.
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

extension ChangeSet {
  /// The names of the nodes that the changes mention as parents or whose attributes change, for
  /// those that are in the document after the changes. All nodes that the changes notify are among
  /// them, except the root.
  ///
  /// - Complexity: O(*n* log *n*) for *n* changes.
  package func displayNames(in document: Document) -> DisplayNames {
    if changes.count == 1, let node = changes[0].onlyNotified {
      return DisplayNames(of: node, document.content(of: node))
    }
    var nodes: [NodeRef] = []
    for change in changes {
      if case .attributes(let node, _, _) = change { nodes.append(node) }
      for parent in change.parents where nodes.last != parent { nodes.append(parent) }
    }
    return DisplayNames(of: nodes, in: document)
  }
}

extension Change {
  /// The nodes to notify of the change: an element whose attributes differ, otherwise ``parents``.
  /// The second one is `nil` unless a node moves to another parent.
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

  /// The nodes whose children were added, removed, moved, or changed their text.
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
  /// From 0.
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

/// New nodes in document order, as a flat list: code that walks it needs no recursion, whatever the
/// depth.
public struct Subtree: Sendable, Hashable {
  /// One node of the list.
  public struct Node: Sendable, Hashable {
    /// The new node's reference.
    public var ref: NodeRef
    /// What the node is.
    public var content: NodeContent
    /// The parent's index in the list; `nil` for the first node.
    public var parent: Int?

    /// A node below the node at index `parent` of the list.
    package init(ref: NodeRef, content: NodeContent, parent: Int? = nil) {
      self.ref = ref
      self.content = content
      self.parent = parent
    }
  }

  /// Parents precede their children; the first node is the top of the subtree.
  public var nodes: [Node]

  /// A subtree of the given nodes.
  package init(nodes: [Node]) { self.nodes = nodes }

  /// A single text node.
  package init(_ text: String, named ref: NodeRef) {
    nodes = [Node(ref: ref, content: .text(text), parent: nil)]
  }

  /// The top of the subtree.
  public var root: NodeRef { nodes[0].ref }
  /// The name of the top node.
  public var displayName: DisplayName { DisplayName(nodes[0].content) }
  /// The number of nodes, the top included.
  public var count: Int { nodes.count }
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
