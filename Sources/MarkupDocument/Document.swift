package import MirrorSupport

/// The tree that a client holds. Its nodes keep their references from version to version.
/// `ViewState` holds one for each mirrored view.
///
/// ``apply(_:)`` is the only way to change a document: the morph computes a ``ChangeSet`` and the
/// document carries it out, so the log, the notifications and the document cannot disagree. A
/// document is a value: a copy keeps its version.
///
/// ```swift
/// var document = Document(markup: "<p>Hello</p>", dialect: .html)
/// let changes = document.update(markup: "<p>Goodbye</p>")
/// ```
public struct Document: Sendable {
  /// The dialect of the markup.
  public let dialect: Dialect
  /// The number of the mount with which the document began; see ``NodeRef/epoch``.
  public let epoch: Int
  /// Content and structure, without node references.
  package internal(set) var tree = NodeTree()
  /// Per storage index: the number of the node there; 0 for a free index.
  package internal(set) var numbers: [Int] = [Document.rootNumber]
  /// Per storage index: the node's rank, which ascends among siblings; see ``inDocumentOrder(_:)``.
  package internal(set) var ranks: [Int64] = [0]
  /// The storage index of each node except the root, by node number.
  package internal(set) var treeIndexes = NumberTable()
  /// The number of the next new node. It only increases.
  package internal(set) var nextNumber = Document.rootNumber + 1
  /// The identities of nodes on the wire, and the client's state. The morph matches nodes by them;
  /// they are not part of the content.
  package internal(set) var marks = Marks()
  /// The elements with each id.
  package internal(set) var ids = NodesByKey<ByteString>()
  /// The elements and comments that belong to each component.
  var componentNodes = NodesByKey<Int>()
  /// Whether the document has ever held an element that a client patches by special rules; see
  /// ``ClientPatch``.
  package internal(set) var hasClientRules = false
  /// The numbers of elements that a client patches as a whole, or whose addition has side effects.
  /// How such an element is patched also depends on the elements around it.
  var wholeElements: Set<Int> = []
  /// Those of ``wholeElements`` that make every update a full one; see
  /// ``Element/needsFullUpdates``.
  var elementsForFullUpdates: Set<Int> = []
  /// The result of ``duplicateIDs(limit:)`` for this version, if ``keepDuplicateIDs()`` was called.
  package var knownDuplicates: [DocumentDiagnostic]?

  /// The number of every document's root.
  package static let rootNumber = 1

  /// An empty document: the root alone.
  public init(dialect: Dialect, epoch: Int) {
    self.dialect = dialect
    self.epoch = epoch
  }
}

// MARK: - Reading

extension Document {
  /// The root of the document.
  public var root: NodeRef { NodeRef(epoch: epoch, number: Self.rootNumber) }

  /// The number of nodes, the root included.
  public var count: Int { tree.count }

  /// Whether a node is in this version of the document.
  public func contains(_ node: NodeRef) -> Bool { treeIndex(of: node) != nil }

  /// The content of a node; `nil` if it is not in the document (any more).
  public func content(of node: NodeRef) -> NodeContent? { treeIndex(of: node).map { tree[$0] } }

  /// The parent of a node; `nil` for the root and for a node that is not in the document.
  public func parent(of node: NodeRef) -> NodeRef? { treeIndex(of: node).flatMap(tree.parent).map(ref) }

  /// The children of a node, first to last; empty for a node that is not in the document.
  public func children(of node: NodeRef) -> [NodeRef] {
    guard let treeIndex = treeIndex(of: node) else { return [] }
    return tree.children(of: treeIndex).map(ref)
  }

  /// The number of children of a node; 0 if the node is not in the document.
  ///
  /// - Complexity: O(1).
  package func childCount(of node: NodeRef) -> Int { treeIndex(of: node).map(tree.childCount) ?? 0 }

  /// The elements among the first `limit` children of a node.
  ///
  /// - Complexity: O(*limit*).
  package func elements(amongFirst limit: Int, childrenOf node: NodeRef) -> [NodeRef] {
    guard let treeIndex = treeIndex(of: node) else { return [] }
    return tree.children(of: treeIndex).prefix(limit).compactMap { tree[$0].element == nil ? nil : ref($0) }
  }

  /// A node and everything below it, in document order.
  public func nodes(from node: NodeRef) -> [NodeRef] {
    guard let treeIndex = treeIndex(of: node) else { return [] }
    return tree.preorder(from: treeIndex).map(ref)
  }

  /// The nodes from the root down to `node`, both included; empty if `node` is not in the document.
  public func path(to node: NodeRef) -> [NodeRef] {
    treeIndex(of: node).map { tree.chain(from: $0).map(ref).reversed() } ?? []
  }

  /// The markup of a node and its descendants; for the root, of its children. Texts and attribute
  /// values are escaped.
  public func markup(of node: NodeRef) -> String {
    treeIndex(of: node).map { tree.markup(of: $0, dialect: dialect) } ?? ""
  }

  /// The same as ``markup(of:)``, as UTF-8.
  package func markupBytes(of node: NodeRef) -> [UInt8] {
    treeIndex(of: node).map { tree.markupBytes(of: $0, dialect: dialect) } ?? []
  }

  /// The markup of the document, with the number of each element as an attribute.
  package func numberedMarkup(_ attribute: StaticString) -> String {
    String(decoding: tree.markupBytes(dialect: dialect, numbers: (attribute, numbers)), as: UTF8.self)
  }

  /// The markup of a node and its descendants, with the number of each element as an attribute.
  ///
  /// - Complexity: O(*nodes* + *characters*) of the subtree.
  package func numberedMarkup(of node: NodeRef, _ attribute: StaticString) -> String {
    guard let treeIndex = treeIndex(of: node) else { return "" }
    return String(
      decoding: tree.markupBytes(of: treeIndex, dialect: dialect, numbers: (attribute, numbers)), as: UTF8.self)
  }

  /// The component whose root element this is; `nil` if the node is not the root of a component.
  public func component(of node: NodeRef) -> Int? {
    guard let origin = marks.origins[node], origin.tag != Origin.commentTag else { return nil }
    return origin.component
  }

  /// The storage index of a node; `nil` if it is not in the document.
  package func treeIndex(of node: NodeRef) -> NodeTree.Index? {
    guard node.epoch == epoch else { return nil }
    if node.number == Self.rootNumber { return NodeTree.root }
    return treeIndexes[node.number].map(NodeTree.Index.init)
  }

  /// The reference of the node at a storage index.
  package func ref(_ treeIndex: NodeTree.Index) -> NodeRef {
    NodeRef(epoch: epoch, number: numbers[Int(treeIndex.raw)])
  }

  /// Whether two documents hold the same nodes with the same references. The order of attributes is
  /// ignored.
  package func isSame(as other: Document) -> Bool {
    let (mine, theirs) = (Array(tree.preorder()), Array(other.tree.preorder()))
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).allSatisfy { a, b in
      ref(a) == other.ref(b) && tree.parent(of: a).map(ref) == other.tree.parent(of: b).map(other.ref)
        && tree[a].isEqual(to: other.tree[b])
    }
  }
}
