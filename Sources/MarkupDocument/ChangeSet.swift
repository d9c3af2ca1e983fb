/// What one update did to a document, complete: applied to the document before, it gives the one after.
///
/// Indexes that are left (`remove`, a move's `from`) count the children as they were before the whole set; indexes that
/// are reached (`add`, a move's `to`) count them as they are after it. So the order of the list has no meaning for the
/// result; it is document order, for reading.
public struct ChangeSet: Sendable, Hashable {
  public var changes: [Change]

  public init(_ changes: [Change] = []) { self.changes = changes }

  public var isEmpty: Bool { changes.isEmpty }
}

/// One change of one node.
public enum Change: Sendable, Hashable {
  /// The content of a text or comment.
  case text(node: NodeRef, parent: NodeRef, before: String, after: String)
  /// Those attributes of an element that differ. Their order is no difference.
  case attributes(node: NodeRef, tag: String, [AttributeChange])
  /// A node that is new, with everything new below it.
  case add(Subtree, at: Position)
  /// A node that is gone, and all below it that did not move elsewhere: `nodes` names them, itself first.
  case remove(nodes: [NodeRef], from: Position, name: NodeName)
  /// A node that is the same and stands elsewhere.
  case move(node: NodeRef, name: NodeName, from: Position, to: Position)

  public var node: NodeRef {
    switch self {
    case .text(let node, _, _, _), .attributes(let node, _, _), .move(let node, _, _, _): node
    case .remove(let nodes, _, _): nodes[0]
    case .add(let subtree, _): subtree.root
    }
  }
}

extension ChangeSet {
  /// How the parents are called that the changes name and that are elements of the document after them.
  ///
  /// - Complexity: O(*n* log *n*) for *n* changes.
  package func parentNames(in document: Document) -> NodeNames {
    if changes.count == 1, let parent = changes[0].onlyParent {
      return NodeNames(of: parent, document.content(of: parent))
    }
    var parents: [NodeRef] = []
    for change in changes {
      for parent in change.parents where parents.last != parent { parents.append(parent) }
    }
    return NodeNames(of: parents, in: document)
  }
}

extension Change {
  fileprivate var onlyParent: NodeRef? {
    switch self {
    case .text(_, let parent, _, _): parent
    case .add(_, let position), .remove(_, let position, _): position.parent
    case .attributes, .move: nil
    }
  }

  /// The nodes among whose children something came, went or changed.
  public var parents: [NodeRef] {
    switch self {
    case .text(_, let parent, _, _): [parent]
    case .attributes: []
    case .add(_, let position), .remove(_, let position, _): [position.parent]
    case .move(_, _, let from, let to): [from.parent, to.parent]
    }
  }
}

/// A place among the children of a node. Text and comments count.
public struct Position: Sendable, Hashable {
  public var parent: NodeRef
  public var index: Int

  public init(parent: NodeRef, index: Int) {
    self.parent = parent
    self.index = index
  }
}

public struct AttributeChange: Sendable, Hashable {
  public var name: String
  /// `nil` where the attribute was absent.
  public var before: String?
  /// `nil` where it is gone.
  public var after: String?

  public init(name: String, before: String?, after: String?) {
    self.name = name
    self.before = before
    self.after = after
  }
}

/// How a node that may be gone is called in a log.
public enum NodeName: Sendable, Hashable {
  case element(tag: String, id: String?)
  case text
  case comment
  case processingInstruction

  package init(_ content: NodeContent) {
    switch content {
    case .element(let element): self = .element(tag: element.tag, id: element.id)
    case .comment: self = .comment
    case .processingInstruction: self = .processingInstruction
    case .text, .root: self = .text
    }
  }

  /// The tag, for an element.
  public var tag: String? { if case .element(let tag, _) = self { tag } else { nil } }
}

/// New nodes, flat, in document order: a tree as a list, so that no depth can exhaust a stack.
public struct Subtree: Sendable, Hashable {
  public struct Node: Sendable, Hashable {
    public var ref: NodeRef
    public var content: NodeContent
    /// The position of its parent in the list, `nil` for the first.
    public var parent: Int?

    package init(ref: NodeRef, content: NodeContent, parent: Int? = nil) {
      self.ref = ref
      self.content = content
      self.parent = parent
    }
  }

  public var nodes: [Node]

  package init(nodes: [Node]) { self.nodes = nodes }

  /// One text and nothing below it.
  package init(_ text: String, named ref: NodeRef) {
    nodes = [Node(ref: ref, content: .text(text), parent: nil)]
  }

  public var root: NodeRef { nodes[0].ref }
  public var name: NodeName { NodeName(nodes[0].content) }
  public var count: Int { nodes.count }
}
