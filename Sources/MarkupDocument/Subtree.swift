/// New nodes in document order, as a flat list: code that walks it needs no recursion, whatever the
/// depth. ``Change/add(_:at:)`` has one.
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

  /// A subtree of the given nodes, which must not be empty.
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
