/// Pairs of a node of the document and a node of the page with the same identity: written by the
/// ``Matcher``, read by the ``ChangeWriter``.
struct Matches {
  /// Per storage index of the page: the storage index of the partner in the document.
  private var partners: [Int32]
  /// Per storage index of the document: whether the node has a partner.
  private var claimed: [Bool]
  /// Per storage index of the document: whether the node keeps its place among its siblings.
  private var stable: [Bool]
  /// Per storage index of the page: whether the children of the node and of its partner are
  /// partners one by one.
  private var keepsChildren: [Bool]
  /// Per storage index of the document: the index among the siblings. Filled for the children of
  /// every matched node.
  private var positions: [Int32]

  init(document: NodeTree, page: NodeTree) {
    partners = Array(repeating: NodeTree.none, count: page.storageCount)
    claimed = Array(repeating: false, count: document.storageCount)
    stable = claimed
    keepsChildren = Array(repeating: false, count: page.storageCount)
    positions = Array(repeating: NodeTree.none, count: document.storageCount)
  }

  mutating func pair(_ old: NodeTree.Index, _ new: NodeTree.Index) {
    partners[Int(new.raw)] = old.raw
    claimed[Int(old.raw)] = true
  }

  func partner(of new: NodeTree.Index) -> NodeTree.Index? {
    let raw = partners[Int(new.raw)]
    return raw == NodeTree.none ? nil : NodeTree.Index(raw: raw)
  }

  func isClaimed(_ old: NodeTree.Index) -> Bool { claimed[Int(old.raw)] }

  /// Whether a kept node stays in place, without a move.
  func isStable(_ old: NodeTree.Index) -> Bool { stable[Int(old.raw)] }
  mutating func setStable(_ old: NodeTree.Index) { stable[Int(old.raw)] = true }

  /// Whether no child of a node of the page arrives, leaves or moves.
  func isKeepingChildren(_ new: NodeTree.Index) -> Bool { keepsChildren[Int(new.raw)] }

  /// Pairs the children of two partners one by one. All of them stay in place.
  ///
  /// - Parameter parent: the node of the page.
  mutating func keepChildren(_ old: NodeTree.Children, as new: NodeTree.Children, of parent: NodeTree.Index) {
    for (old, new) in zip(old, new) {
      pair(old, new)
      setStable(old)
    }
    keepsChildren[Int(parent.raw)] = true
  }

  /// The index of a node among its siblings, if it was filled in.
  func position(of old: NodeTree.Index) -> Int? {
    let position = positions[Int(old.raw)]
    return position == NodeTree.none ? nil : Int(position)
  }
  /// Fills in the indexes of all children of one node.
  mutating func number(_ siblings: NodeTree.Children) {
    for (position, sibling) in siblings.enumerated() { positions[Int(sibling.raw)] = Int32(position) }
  }

  /// Decides which of the kept children of one node stay in place, so that as few as possible move.
  /// The caller must have called ``number(_:)`` for the siblings before.
  ///
  /// - Parameters:
  ///   - children: the children in the page.
  ///   - parent: their parent's partner, in `tree`.
  /// - Returns: the indexes of the children that stay, in the page and in the document, ascending.
  @discardableResult
  mutating func keepInPlace(
    _ children: [NodeTree.Index], under parent: NodeTree.Index, of tree: NodeTree
  ) -> [(place: Int, position: Int)] {
    var candidates: [(child: NodeTree.Index, place: Int, position: Int)] = []
    for (place, child) in children.enumerated() {
      guard let partner = partner(of: child), tree.parent(of: partner) == parent, let position = position(of: partner)
      else { continue }
      candidates.append((partner, place, position))
    }
    let anchors = longestIncreasingSubsequence(of: candidates.map(\.position)) {
      candidates[$0].place == candidates[$0].position
    }
    return anchors.map { anchor in
      setStable(candidates[anchor].child)
      return (candidates[anchor].place, candidates[anchor].position)
    }
  }
}
