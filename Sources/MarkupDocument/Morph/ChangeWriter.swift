internal import MirrorSupport

/// Derives the change set from the matched pairs. The changes are in document order of the new
/// tree, which is the page of a ``Morph`` or a later version of the document. ``Morph`` and
/// ``ChangeSet/init(from:to:)`` call ``write()`` once, after all pairs are known.
struct ChangeWriter {
  private let document: Document
  private let new: NodeTree
  private let top: NodeTree.Index
  /// The document whose tree is ``new``, with the references of its nodes; `nil` if added nodes get
  /// the next numbers of ``document``.
  private let version: Document?
  private var matches: Matches
  private(set) var changes = ChangeSet()
  private var nextNumber: Int
  /// Per storage index of the new tree: the reference of the node, new or kept.
  private(set) var refs: [NodeRef?]

  private var old: NodeTree { document.tree }

  /// - Parameter top: the node of the new tree that is the root of the document.
  init(
    document: Document, new: NodeTree, top: NodeTree.Index = NodeTree.root, version: Document? = nil, matches: Matches
  ) {
    (self.document, self.new, self.top, self.version, self.matches) = (document, new, top, version, matches)
    nextNumber = document.nextNumber
    refs = Array(repeating: nil, count: new.storageCount)
  }

  /// Writes all changes.
  mutating func write() {
    /// `isHidden`: whether the node is inside an element whose content is hidden. `shown`: the
    /// first node after the outermost of these elements.
    var (isHidden, shown) = (false, NodeTree.Index?.none)
    for node in new.preorder(from: top) {
      if node == shown { isHidden = false }
      let hidesChildren = isHidden || document.dialect.hidesContent(of: new[node])
      let partner = matches.partner(of: node)
      if let partner {
        refs[Int(node.raw)] = document.ref(partner)
        if !old[partner].isIdentical(to: new[node]) { writeContent(of: partner, as: node, isHidden) }
      }
      if !matches.isKeepingChildren(node) {
        if let partner {
          reserve(under: partner, node, hidesChildren)
          writeRemovals(under: partner, hidesChildren)
        }
        writeArrivals(under: node, hidesChildren)
      }
      if hidesChildren, !isHidden {
        (isHidden, shown) = (true, new.successor(of: node, within: top, skippingChildren: true))
      }
    }
  }

  /// Makes room for the changes of the children of a node.
  private mutating func reserve(under partner: NodeTree.Index, _ node: NodeTree.Index, _ isHidden: Bool) {
    let arrivals = new.children(of: node).count { matches.partner(of: $0) == nil }
    let removals = old.children(of: partner).count { !matches.isClaimed($0) }
    if arrivals + removals > 0 { changes.reserve(arrivals + removals, isHidden: isHidden) }
  }

  // MARK: - Kept nodes

  private mutating func writeContent(of partner: NodeTree.Index, as node: NodeTree.Index, _ isHidden: Bool) {
    switch (old[partner], new[node]) {
    case (.text(let before), .text(let after)), (.comment(let before), .comment(let after)):
      if !before.hasSameBytes(as: after) { writeText(of: partner, before, after, isHidden) }
    case (.processingInstruction(let before), .processingInstruction(let after)):
      if before != after { writeText(of: partner, before.data, after.data, isHidden) }
    case (.element(let before), .element(let after)):
      let attributes = before.changes(to: after)
      if attributes.isEmpty { return }
      changes.append(.attributes(node: document.ref(partner), tag: before.tag, attributes), isHidden: isHidden)
    default: return
    }
  }

  private mutating func writeText(of node: NodeTree.Index, _ before: String, _ after: String, _ isHidden: Bool) {
    let ref = document.ref(node)
    let parent = version?.parent(of: ref) ?? old.parent(of: node).map(document.ref) ?? document.root
    changes.append(.text(node: ref, parent: parent, before: before, after: after), isHidden: isHidden)
  }

  // MARK: - Removals

  private mutating func writeRemovals(under parent: NodeTree.Index, _ isHidden: Bool) {
    for (index, child) in old.children(of: parent).enumerated() where !matches.isClaimed(child) {
      let position = Position(parent: document.ref(parent), index: index)
      changes.append(
        .remove(nodes: unclaimed(from: child), from: position, name: DisplayName(old[child])), isHidden: isHidden)
    }
  }

  private func unclaimed(from top: NodeTree.Index) -> [NodeRef] {
    var nodes: [NodeRef] = []
    var node: NodeTree.Index? = top
    while let step = node {
      let lives = matches.isClaimed(step)
      if !lives { nodes.append(document.ref(step)) }
      node = old.successor(of: step, within: top, skippingChildren: lives)
    }
    return nodes
  }

  // MARK: - Additions and moves

  private mutating func writeArrivals(under parent: NodeTree.Index, _ isHidden: Bool) {
    guard let parentRef = refs[Int(parent.raw)] else { return }
    let isParentNew = matches.partner(of: parent) == nil
    for (index, child) in new.children(of: parent).enumerated() {
      let position = Position(parent: parentRef, index: index)
      if let partner = matches.partner(of: child) {
        writeMove(of: partner, to: position, isHidden)
      } else if !isParentNew {
        changes.append(.add(subtree(of: child), at: position), isHidden: isHidden)
      }
    }
  }

  /// - Parameter isHidden: whether the new place is hidden. The move is then one of the hidden
  ///   changes, even if the old place is not hidden.
  private mutating func writeMove(of node: NodeTree.Index, to position: Position, _ isHidden: Bool) {
    guard !matches.isStable(node), let parent = old.parent(of: node) else { return }
    let from = Position(parent: document.ref(parent), index: oldIndex(of: node))
    changes.append(
      .move(node: document.ref(node), name: DisplayName(old[node]), from: from, to: position),
      isHidden: isHidden)
  }

  private mutating func oldIndex(of node: NodeTree.Index) -> Int {
    if matches.position(of: node) == nil, let parent = old.parent(of: node) {
      matches.number(old.children(of: parent))
    }
    return matches.position(of: node) ?? 0
  }

  /// A new node with all new nodes below it. Descendants with a partner are left out: each arrives
  /// by a move of its own.
  private mutating func subtree(of top: NodeTree.Index) -> Subtree {
    var nodes: [Subtree.Node] = []
    var pending: [(node: NodeTree.Index, parent: Int?)] = [(top, nil)]
    while let (node, parent) = pending.popLast() {
      let ref = version?.ref(node) ?? NodeRef(epoch: document.epoch, number: nextNumber)
      nextNumber += 1
      refs[Int(node.raw)] = ref
      nodes.append(Subtree.Node(ref: ref, content: new[node], parent: parent))
      let position = nodes.count - 1
      let open = pending.count
      for child in new.children(of: node) where matches.partner(of: child) == nil { pending.append((child, position)) }
      pending[open...].reverse()
    }
    return Subtree(nodes: nodes)
  }
}

extension ChangeSet {
  /// The changes between two versions of a document with the same epoch, found by comparing node
  /// references.
  ///
  /// - Complexity: O(*n* log *n*), *n* being the number of nodes in both versions.
  package init(from old: Document, to new: Document) {
    var matches = Matches(document: old.tree, page: new.tree)
    for node in new.tree.preorder() {
      if let partner = old.treeIndex(of: new.ref(node)) { matches.pair(partner, node) }
    }
    for node in new.tree.preorder() {
      guard let partner = matches.partner(of: node) else { continue }
      matches.number(old.tree.children(of: partner))
      matches.keepInPlace(Array(new.tree.children(of: node)), under: partner, of: old.tree)
    }
    var writer = ChangeWriter(document: old, new: new.tree, version: new, matches: matches)
    writer.write()
    self = writer.changes
  }
}
