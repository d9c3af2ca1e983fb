/// A tree of nodes in two contiguous arrays, linked by index. Parsers build it, and a ``Document``
/// stores its nodes in it.
///
/// The tree knows content and structure, not identity. An ``Index`` is valid until its node is
/// removed and is then reused; ``Document`` adds a ``NodeRef``, which is never reused.
///
/// The node at ``root`` cannot be removed. Siblings are doubly linked, so every structural edit is
/// O(1). `checkInvariants` of the tests lists the invariants.
package struct NodeTree: Sendable {
  /// A position in the storage of one tree.
  package struct Index: Hashable, Sendable {
    /// The position in the storage array.
    package let raw: Int32

    /// The index of a position in the storage array.
    package init(raw: Int32) { self.raw = raw }
  }

  /// The place of a node. It is stored apart from the content, so that a walk reads little memory
  /// and copies no strings.
  package struct Links: Sendable {
    /// The offset in the parsed markup (UTF-8 bytes) at which the node begins; -1 if it has none.
    package var offset: Int32
    package var parent: Int32 = none
    package var firstChild: Int32 = none
    package var lastChild: Int32 = none
    package var previous: Int32 = none
    package var next: Int32 = none
    /// -1 for a free position in the storage.
    package var childCount: Int32 = 0

    package var isFree: Bool { childCount < 0 }
  }

  package static let none: Int32 = -1

  /// The index of the root.
  package static let root = Index(raw: 0)

  package private(set) var links: [Links]
  /// For each of the ``links``, what the node is.
  private var contents: [NodeContent]
  /// Free positions in the storage, reused before the array grows.
  package private(set) var free: [Int32] = []

  /// A tree that consists of the root.
  package init() {
    (links, contents) = ([Links(offset: 0)], [.root])
  }

  /// Reserves storage for a number of nodes.
  package mutating func reserveCapacity(_ nodes: Int) {
    links.reserveCapacity(nodes)
    contents.reserveCapacity(nodes)
  }

  /// The number of nodes, attached or detached, the root included.
  package var count: Int { links.count - free.count }

  /// The number of positions in the storage, free ones included: one more than the highest
  /// ``Index/raw``.
  package var storageCount: Int { links.count }

  // MARK: - Reading

  /// The content of a node.
  package subscript(node: Index) -> NodeContent {
    _read { yield contents[Int(node.raw)] }
    _modify { yield &contents[Int(node.raw)] }
  }

  /// The parent; `nil` for the root and for a detached node.
  package func parent(of node: Index) -> Index? { index(links[Int(node.raw)].parent) }
  /// The first child; `nil` for a node without children.
  package func firstChild(of node: Index) -> Index? { index(links[Int(node.raw)].firstChild) }
  /// The last child; `nil` for a node without children.
  package func lastChild(of node: Index) -> Index? { index(links[Int(node.raw)].lastChild) }
  /// The preceding sibling; `nil` for a first child.
  package func previous(of node: Index) -> Index? { index(links[Int(node.raw)].previous) }
  /// The following sibling; `nil` for a last child.
  package func next(of node: Index) -> Index? { index(links[Int(node.raw)].next) }

  /// The number of children.
  package func childCount(of node: Index) -> Int { Int(links[Int(node.raw)].childCount) }

  /// The offset in the parsed markup at which the node begins, in UTF-8 bytes; `nil` for a node
  /// without a tag of its own (an implied `tbody`).
  package func offset(of node: Index) -> Int? {
    let offset = links[Int(node.raw)].offset
    return offset < 0 ? nil : Int(offset)
  }

  /// Replaces the offset of a node.
  mutating func setOffset(_ offset: Int?, of node: Index) {
    links[Int(node.raw)].offset = offset.map(Int32.init(clamping:)) ?? Self.none
  }

  mutating func removeOffsets() {
    for position in links.indices { links[position].offset = Self.none }
  }

  private func index(_ raw: Int32) -> Index? { raw == Self.none ? nil : Index(raw: raw) }

  // MARK: - Editing

  /// Creates a detached node.
  package mutating func make(_ content: NodeContent, offset: Int? = nil) -> Index {
    let link = Links(offset: offset.map(Int32.init(clamping:)) ?? Self.none)
    if let index = free.popLast() {
      (links[Int(index)], contents[Int(index)]) = (link, content)
      return Index(raw: index)
    }
    links.append(link)
    contents.append(content)
    return Index(raw: Int32(links.count - 1))
  }

  /// Appends a detached node to the children of `parent`.
  package mutating func append(_ node: Index, to parent: Index) {
    insert(node, into: parent, before: nil)
  }

  /// Inserts a detached node into the children of `parent`, before `sibling` or, without one, at
  /// the end.
  package mutating func insert(_ node: Index, into parent: Index, before sibling: Index?) {
    let n = Int(node.raw), p = Int(parent.raw)
    precondition(links[n].parent == Self.none, "a node must be detached before it is inserted")
    let next = sibling?.raw ?? Self.none
    let previous = next == Self.none ? links[p].lastChild : links[Int(next)].previous
    links[n].parent = parent.raw
    links[n].next = next
    links[n].previous = previous
    if previous == Self.none { links[p].firstChild = node.raw } else { links[Int(previous)].next = node.raw }
    if next == Self.none { links[p].lastChild = node.raw } else { links[Int(next)].previous = node.raw }
    links[p].childCount += 1
  }

  /// Detaches a node with its descendants from its parent. It stays in the storage. Does nothing if
  /// the node is detached already.
  package mutating func detach(_ node: Index) {
    let n = Int(node.raw)
    let (parent, previous, next) = (links[n].parent, links[n].previous, links[n].next)
    guard parent != Self.none else { return }
    if previous == Self.none { links[Int(parent)].firstChild = next } else { links[Int(previous)].next = next }
    if next == Self.none { links[Int(parent)].lastChild = previous } else { links[Int(next)].previous = previous }
    links[Int(parent)].childCount -= 1
    links[n].parent = Self.none
    links[n].previous = Self.none
    links[n].next = Self.none
  }

  /// Removes a node and its descendants from the storage. Their indexes become invalid.
  ///
  /// - Complexity: O(*nodes removed*).
  package mutating func remove(_ node: Index) {
    precondition(node != Self.root, "the root cannot be removed")
    detach(node)
    var pending = [node.raw]
    while let index = pending.popLast() {
      var child = links[Int(index)].firstChild
      while child != Self.none {
        pending.append(child)
        child = links[Int(child)].next
      }
      (links[Int(index)], contents[Int(index)]) = (Links(offset: Self.none, childCount: -1), .text(""))
      free.append(index)
    }
  }
}

// MARK: - Walking

extension NodeTree {
  /// The children of a node, first to last.
  package struct Children: Sequence, IteratorProtocol {
    // Only the links, because a sequence retains what it holds. A change of content during the walk
    // would otherwise copy all contents.
    let links: [Links]
    var upcoming: Int32

    /// The next child.
    package mutating func next() -> Index? {
      if upcoming == NodeTree.none { return nil }
      defer { upcoming = links[Int(upcoming)].next }
      return Index(raw: upcoming)
    }
  }

  /// The children of a node, first to last.
  package func children(of node: Index) -> Children {
    Children(links: links, upcoming: links[Int(node.raw)].firstChild)
  }

  /// A node and its descendants in document order, parents before children.
  package struct Preorder: Sequence, IteratorProtocol {
    let tree: NodeTree
    let top: Index
    var upcoming: Index?

    /// The next node in document order.
    package mutating func next() -> Index? {
      guard let node = upcoming else { return nil }
      upcoming = tree.successor(of: node, within: top)
      return node
    }
  }

  /// A node and its descendants in document order.
  package func preorder(from top: Index = NodeTree.root) -> Preorder {
    Preorder(tree: self, top: top, upcoming: top)
  }

  /// A node, its parent and so on up to the topmost node.
  package func chain(from node: Index) -> some Sequence<Index> { sequence(first: node) { parent(of: $0) } }

  /// The next node in document order within `top`; with `skippingChildren`, the next node after the
  /// subtree of `node`.
  package func successor(of node: Index, within top: Index, skippingChildren: Bool = false) -> Index? {
    if !skippingChildren, let child = firstChild(of: node) { return child }
    var node = node
    while node != top {
      if let sibling = next(of: node) { return sibling }
      guard let parent = parent(of: node) else { return nil }
      node = parent
    }
    return nil
  }
}

/// Equality of the content of trees, whatever their storage.
extension NodeTree {
  /// Whether two trees have the same nodes in the same order. The order of attributes and the
  /// offsets are ignored.
  ///
  /// - Complexity: O(*nodes*).
  package func isEqual(to other: NodeTree, ignoringComments: Bool = false) -> Bool {
    isEqual(Self.root, to: Self.root, of: other, ignoringComments: ignoringComments)
  }

  /// Whether the subtree of a node equals a subtree of another tree.
  package func isEqual(_ node: Index, to otherNode: Index, of other: NodeTree, ignoringComments: Bool = false) -> Bool {
    firstDifference(from: node, to: otherNode, of: other, ignoringComments: ignoringComments) == nil
  }

  /// The first nodes in document order in which two trees differ; the result is `nil` if the trees
  /// are equal. `mine` or `theirs` is `nil` if that tree ends before the difference.
  ///
  /// - Complexity: O(*nodes*).
  package func firstDifference(
    from node: Index = root, to otherNode: Index = root, of other: NodeTree, ignoringComments: Bool = false
  ) -> (mine: Index?, theirs: Index?)? {
    var mine: Step? = Step(node: node, depth: 0)
    var theirs: Step? = Step(node: otherNode, depth: 0)
    while let left = mine, let right = theirs {
      guard left.depth == right.depth, self[left.node].isEqual(to: other[right.node]) else {
        return (left.node, right.node)
      }
      mine = step(after: left, within: node, ignoringComments: ignoringComments)
      theirs = other.step(after: right, within: otherNode, ignoringComments: ignoringComments)
    }
    return mine == nil && theirs == nil ? nil : (mine?.node, theirs?.node)
  }

  /// A node during a walk in document order, and its depth below the node where the walk began.
  struct Step {
    var node: Index
    var depth: Int
  }

  /// The next step of a walk in document order within `top`.
  func step(after step: Step, within top: Index, ignoringComments: Bool = false) -> Step? {
    var step = step
    repeat {
      if let child = firstChild(of: step.node) {
        step = Step(node: child, depth: step.depth + 1)
      } else {
        while step.node != top, next(of: step.node) == nil {
          guard let parent = parent(of: step.node) else { return nil }
          step = Step(node: parent, depth: step.depth - 1)
        }
        guard step.node != top, let sibling = next(of: step.node) else { return nil }
        step.node = sibling
      }
    } while ignoringComments && isComment(step.node)
    return step
  }

  private func isComment(_ node: Index) -> Bool {
    if case .comment = self[node] { true } else { false }
  }
}

extension NodeContent {
  /// Equality that ignores the order of attributes.
  package func isEqual(to other: NodeContent) -> Bool {
    guard case .element(let mine) = self, case .element(let theirs) = other else {
      return isIdentical(to: other)
    }
    return mine.tag == theirs.tag && mine.namespace == theirs.namespace && mine.sameAttributes(as: theirs)
  }
}
