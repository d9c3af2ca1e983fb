// Siblings have ranks that ascend, with gaps between them: so two nodes are compared without a walk from one to the
// other. (Dietz's list labelling, in its simplest form: where a gap is used up, all siblings get new ranks.)
extension Document {
  /// The distance of two ranks that were given one after the other: some thirty nodes can be put into one place.
  static let rankGap: Int64 = 1 << 32

  /// Nodes in document order, each once; those that are not in the document are left out.
  ///
  /// - Complexity: O(*k* log *k* · *depth*) for *k* nodes, and never much more than O(*nodes*).
  package func inDocumentOrder(_ nodes: Set<NodeRef>) -> [NodeRef] {
    if nodes.count <= 1 { return nodes.filter(contains) }
    var ways: [(node: NodeRef, ranks: [Int64])] = []
    ways.reserveCapacity(nodes.count)
    // Many nodes, or deep ones, are found sooner by one walk over the page.
    var steps = 64 + tree.count / 4
    for node in nodes {
      guard let place = place(of: node) else { continue }
      guard let ranks = way(to: place, atMost: &steps) else {
        return tree.preorder().lazy.map(ref).filter(nodes.contains)
      }
      ways.append((node, ranks))
    }
    // A way that is the beginning of another leads to one above.
    return ways.sorted { $0.ranks.lexicographicallyPrecedes($1.ranks) }.map(\.node)
  }

  /// The ranks from the top down to a node; `nil` where that takes more steps than are left.
  private func way(to place: NodeTree.Index, atMost steps: inout Int) -> [Int64]? {
    var ranks: [Int64] = []
    var step = place
    while let parent = tree.parent(of: step) {
      steps -= 1
      if steps < 0 { return nil }
      ranks.append(self.ranks[Int(step.raw)])
      step = parent
    }
    ranks.reverse()
    return ranks
  }

  /// Gives a node that was put among siblings its rank.
  ///
  /// - Complexity: O(1); where a gap is used up, O(*siblings*).
  mutating func rank(_ place: NodeTree.Index) {
    let before = tree.previous(of: place).map { ranks[Int($0.raw)] }
    let after = tree.next(of: place).map { ranks[Int($0.raw)] }
    switch (before, after) {
    case (nil, nil): ranks[Int(place.raw)] = 0
    case (let before?, nil): ranks[Int(place.raw)] = before + Self.rankGap
    case (nil, let after?): ranks[Int(place.raw)] = after - Self.rankGap
    case (let before?, let after?) where after - before > 1: ranks[Int(place.raw)] = before + (after - before) / 2
    default:
      guard let parent = tree.parent(of: place) else { return }
      var rank: Int64 = 0
      for sibling in tree.children(of: parent) {
        ranks[Int(sibling.raw)] = rank
        rank += Self.rankGap
      }
    }
  }
}
