/// A tree of nodes in one contiguous array, linked by index: what a parser makes and what a ``Document`` stands on.
///
/// It knows content and place, nothing of identity: an index is a place in the storage, valid until its node is
/// removed, and then given to another node. ``Document`` adds the ``NodeRef`` that is never given twice.
///
/// The root stands at ``root`` and cannot be removed. Siblings are linked both ways, so every structural edit is O(1);
/// ``NodeTree+Invariants`` says what holds after each of them.
package struct NodeTree: Sendable {
  /// A place in the storage of one tree.
  package struct Index: Hashable, Sendable {
    package let raw: Int32

    package init(raw: Int32) { self.raw = raw }
  }

  struct Record: Sendable {
    var content: NodeContent
    /// Where the node begins in the markup it was parsed from (UTF-8 bytes), or -1.
    var offset: Int32
    var parent: Int32 = none
    var firstChild: Int32 = none
    var lastChild: Int32 = none
    var previous: Int32 = none
    var next: Int32 = none
    var childCount: Int32 = 0
    var isFree = false
  }

  static let none: Int32 = -1

  package static let root = Index(raw: 0)

  private(set) var records: [Record]
  /// Places that hold no node, to be filled again before the array grows.
  private(set) var free: [Int32] = []

  package init() {
    records = [Record(content: .root, offset: 0)]
  }

  package mutating func reserveCapacity(_ nodes: Int) {
    records.reserveCapacity(nodes)
  }

  /// How many nodes there are, attached or not, the root among them.
  package var count: Int { records.count - free.count }

  // MARK: - Reading

  package subscript(node: Index) -> NodeContent {
    get { records[Int(node.raw)].content }
    _modify { yield &records[Int(node.raw)].content }
  }

  package func parent(of node: Index) -> Index? { index(records[Int(node.raw)].parent) }
  package func firstChild(of node: Index) -> Index? { index(records[Int(node.raw)].firstChild) }
  package func lastChild(of node: Index) -> Index? { index(records[Int(node.raw)].lastChild) }
  package func previous(of node: Index) -> Index? { index(records[Int(node.raw)].previous) }
  package func next(of node: Index) -> Index? { index(records[Int(node.raw)].next) }

  package func childCount(of node: Index) -> Int { Int(records[Int(node.raw)].childCount) }

  /// Where the node begins in its markup, in UTF-8 bytes; `nil` for a node that no markup names (an implied `tbody`).
  package func offset(of node: Index) -> Int? {
    let offset = records[Int(node.raw)].offset
    return offset < 0 ? nil : Int(offset)
  }

  private func index(_ raw: Int32) -> Index? { raw == Self.none ? nil : Index(raw: raw) }

  // MARK: - Editing

  /// Makes a node that stands nowhere yet.
  package mutating func make(_ content: NodeContent, offset: Int? = nil) -> Index {
    let record = Record(content: content, offset: offset.map(Int32.init(clamping:)) ?? Self.none)
    if let place = free.popLast() {
      records[Int(place)] = record
      return Index(raw: place)
    }
    records.append(record)
    return Index(raw: Int32(records.count - 1))
  }

  /// Puts a detached node at the end of `parent`'s children.
  package mutating func append(_ node: Index, to parent: Index) {
    insert(node, into: parent, before: nil)
  }

  /// Puts a detached node among `parent`'s children, before `sibling` or, without one, at the end.
  package mutating func insert(_ node: Index, into parent: Index, before sibling: Index?) {
    let n = Int(node.raw), p = Int(parent.raw)
    precondition(records[n].parent == Self.none, "a node must be detached before it is inserted")
    let next = sibling?.raw ?? Self.none
    let previous = next == Self.none ? records[p].lastChild : records[Int(next)].previous
    records[n].parent = parent.raw
    records[n].next = next
    records[n].previous = previous
    if previous == Self.none { records[p].firstChild = node.raw } else { records[Int(previous)].next = node.raw }
    if next == Self.none { records[p].lastChild = node.raw } else { records[Int(next)].previous = node.raw }
    records[p].childCount += 1
  }

  /// Takes a node, with all below it, from its place; it stays in the storage. A detached node stays as it is.
  package mutating func detach(_ node: Index) {
    let n = Int(node.raw)
    let (parent, previous, next) = (records[n].parent, records[n].previous, records[n].next)
    guard parent != Self.none else { return }
    if previous == Self.none { records[Int(parent)].firstChild = next } else { records[Int(previous)].next = next }
    if next == Self.none { records[Int(parent)].lastChild = previous } else { records[Int(next)].previous = previous }
    records[Int(parent)].childCount -= 1
    records[n].parent = Self.none
    records[n].previous = Self.none
    records[n].next = Self.none
  }

  /// Takes a node and all below it out of the storage; their indexes are void from here on.
  ///
  /// - Complexity: O(*nodes removed*).
  package mutating func remove(_ node: Index) {
    precondition(node != Self.root, "the root cannot be removed")
    detach(node)
    var pending = [node.raw]
    while let place = pending.popLast() {
      var child = records[Int(place)].firstChild
      while child != Self.none {
        pending.append(child)
        child = records[Int(child)].next
      }
      records[Int(place)] = Record(content: .text(""), offset: Self.none, isFree: true)
      free.append(place)
    }
  }
}

// MARK: - Walking

extension NodeTree {
  /// The children of a node, first to last.
  package struct Children: Sequence, IteratorProtocol {
    let tree: NodeTree
    var upcoming: Index?

    package mutating func next() -> Index? {
      guard let node = upcoming else { return nil }
      upcoming = tree.next(of: node)
      return node
    }
  }

  package func children(of node: Index) -> Children {
    Children(tree: self, upcoming: firstChild(of: node))
  }

  /// A node and all below it in document order, parents before children.
  package struct Preorder: Sequence, IteratorProtocol {
    let tree: NodeTree
    let top: Index
    var upcoming: Index?

    package mutating func next() -> Index? {
      guard let node = upcoming else { return nil }
      upcoming = tree.successor(of: node, within: top)
      return node
    }
  }

  package func preorder(from top: Index = NodeTree.root) -> Preorder {
    Preorder(tree: self, top: top, upcoming: top)
  }

  /// The node after `node` in document order, without leaving `top`; with `skippingChildren`, the one after its subtree.
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
