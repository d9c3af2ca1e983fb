/// What a client holds: a tree of nodes with names that last.
///
/// It changes in one way only, by ``apply(_:)``: the morph computes a ``ChangeSet`` and this carries it out, so that the
/// log, the notifications and the document cannot disagree. A value: whoever keeps a copy keeps that version.
///
/// ```swift
/// var document = Document(dialect: .html, epoch: 1)
/// let page = Page(parsing: Array("<p>Hello</p>".utf8), dialect: .html)
/// let morph = Morph.changes(from: document, to: page)
/// document.apply(morph.changes, marks: morph.marks)
/// ```
public struct Document: Sendable {
  public let dialect: Dialect
  public let epoch: Int
  package internal(set) var tree = NodeTree()
  /// The name of the node at each place of the storage; 0 where there is none.
  var numbers: [Int] = [Document.rootNumber]
  /// By place: ascending among siblings, see ``inDocumentOrder(_:)``.
  var ranks: [Int64] = [0]
  /// The place of each node but the root.
  var places = NumberTable()
  /// The number for the next node: it only grows.
  package internal(set) var nextNumber = Document.rootNumber + 1
  /// What the wire says of nodes: it decides identity and is no part of the content.
  package internal(set) var marks = Marks()
  /// The elements with each id.
  var ids = NodesByKey<IDKey>()
  /// The elements and comments that are marked as a component's.
  var componentNodes = NodesByKey<Int>()
  /// Whether there ever was an element that a client's patch treats otherwise than its markup says; see ``ClientPatch``.
  package internal(set) var hasClientRules = false
  /// The numbers of elements that a client patches as a whole, or that do something when they are added: what becomes of
  /// them depends on the elements around them.
  var wholeElements: Set<Int> = []
  /// What ``duplicateIDs(limit:)`` says of this version, once it was asked to be kept.
  var knownDuplicates: [DocumentDiagnostic]?

  package static let rootNumber = 1

  /// An empty document: the root alone.
  public init(dialect: Dialect, epoch: Int) {
    self.dialect = dialect
    self.epoch = epoch
  }
}

// MARK: - Reading

extension Document {
  public var root: NodeRef { NodeRef(epoch: epoch, number: Self.rootNumber) }

  /// How many nodes there are, the root among them.
  public var count: Int { tree.count }

  public func contains(_ node: NodeRef) -> Bool { place(of: node) != nil }

  /// What a node is; `nil` for one that is not, or no longer, in the document.
  public func content(of node: NodeRef) -> NodeContent? { place(of: node).map { tree[$0] } }

  public func parent(of node: NodeRef) -> NodeRef? { place(of: node).flatMap(tree.parent).map(ref) }

  /// First to last; empty for a node that is not in the document.
  public func children(of node: NodeRef) -> [NodeRef] {
    guard let place = place(of: node) else { return [] }
    return tree.children(of: place).map(ref)
  }

  /// How many children a node has; 0 for one that is not in the document.
  ///
  /// - Complexity: O(1).
  package func childCount(of node: NodeRef) -> Int { place(of: node).map(tree.childCount) ?? 0 }

  /// The elements among the first children of a node.
  ///
  /// - Complexity: O(*limit*).
  package func elements(amongFirst limit: Int, childrenOf node: NodeRef) -> [NodeRef] {
    guard let place = place(of: node) else { return [] }
    return tree.children(of: place).prefix(limit).compactMap { tree[$0].element == nil ? nil : ref($0) }
  }

  /// A node and everything below it, in document order.
  public func nodes(from node: NodeRef) -> [NodeRef] {
    guard let place = place(of: node) else { return [] }
    return tree.preorder(from: place).map(ref)
  }

  /// From the root down to the node, both included; empty for a node that is not in the document.
  public func path(to node: NodeRef) -> [NodeRef] {
    var path: [NodeRef] = []
    var place = place(of: node)
    while let step = place {
      path.append(ref(step))
      place = tree.parent(of: step)
    }
    return path.reversed()
  }

  /// The markup of a node and all below it; for the root, that of its children. Everything is escaped.
  public func markup(of node: NodeRef) -> String {
    place(of: node).map { tree.markup(of: $0, dialect: dialect) } ?? ""
  }

  /// The same as UTF-8.
  package func markupBytes(of node: NodeRef) -> [UInt8] {
    place(of: node).map { tree.markupBytes(of: $0, dialect: dialect) } ?? []
  }

  /// The component whose root element this is.
  public func component(of node: NodeRef) -> Int? {
    guard let origin = marks.origins[node], origin.tag != Origin.commentTag else { return nil }
    return origin.component
  }

  package func place(of node: NodeRef) -> NodeTree.Index? {
    guard node.epoch == epoch else { return nil }
    if node.number == Self.rootNumber { return NodeTree.root }
    return places[node.number].map(NodeTree.Index.init)
  }

  package func ref(_ place: NodeTree.Index) -> NodeRef {
    NodeRef(epoch: epoch, number: numbers[Int(place.raw)])
  }
}
