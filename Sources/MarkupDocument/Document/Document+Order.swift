// Siblings have ascending ranks with gaps between them, so that two siblings are compared without
// walking from one to the other. This is list labelling (order maintenance) after Bender, Cole,
// Demaine, Farach-Colton and Zito, "Two simplified algorithms for maintaining order in a list" (ESA
// 2002): once a gap is used up, the siblings in the smallest sparse range of ranks around it are
// relabelled. `Document.insert` gives each inserted node its rank, and lists of nodes are sorted by
// rank.
extension Document {
  /// The difference between the ranks of two siblings that were appended one after the other.
  /// Insertions at the same place can halve it 32 times.
  static let rankGap: Int64 = 1 << 32

  /// The given nodes in document order. Nodes that are not in the document are left out.
  ///
  /// - Complexity: O(*k* log *k* · *depth*) for *k* nodes, and never much more than O(*nodes*).
  package func inDocumentOrder(_ nodes: Set<NodeRef>) -> [NodeRef] {
    if nodes.isEmpty { return [] }
    if nodes.count == 1, let node = nodes.first { return contains(node) ? [node] : [] }
    var paths: [(node: NodeRef, ranks: [Int64])] = []
    paths.reserveCapacity(nodes.count)
    // For many or deep nodes, one walk over the whole page is cheaper.
    var steps = 64 + tree.count / 4
    for node in nodes {
      guard let treeIndex = treeIndex(of: node) else { continue }
      guard let ranks = path(to: treeIndex, atMost: &steps) else {
        return tree.preorder().lazy.map(ref).filter(nodes.contains)
      }
      paths.append((node, ranks))
    }
    // A path that is a prefix of another belongs to an ancestor, which sorts first.
    return paths.sorted { $0.ranks.lexicographicallyPrecedes($1.ranks) }.map(\.node)
  }

  /// The ranks on the path from the top down to a node; `nil` if the path has more steps than are
  /// left.
  private func path(to treeIndex: NodeTree.Index, atMost steps: inout Int) -> [Int64]? {
    var ranks: [Int64] = []
    var step = treeIndex
    while let parent = tree.parent(of: step) {
      steps -= 1
      if steps < 0 { return nil }
      ranks.append(self.ranks[Int(step.raw)])
      step = parent
    }
    ranks.reverse()
    return ranks
  }

  /// Assigns a rank to a node that was just inserted among its siblings.
  ///
  /// - Complexity: O(log *siblings*) amortised.
  mutating func rank(_ treeIndex: NodeTree.Index) {
    let before = tree.previous(of: treeIndex).map { ranks[Int($0.raw)] }
    let after = tree.next(of: treeIndex).map { ranks[Int($0.raw)] }
    switch (before, after) {
    case (nil, nil): ranks[Int(treeIndex.raw)] = 0
    case (let before?, nil) where before < Self.outermostRank: ranks[Int(treeIndex.raw)] = before + Self.rankGap
    case (nil, let after?) where after > -Self.outermostRank: ranks[Int(treeIndex.raw)] = after - Self.rankGap
    case (let before?, let after?) where after - before > 1: ranks[Int(treeIndex.raw)] = before + (after - before) / 2
    case (let before?, .some): makeRoom(for: treeIndex, at: before)
    default: rankAll(siblingsOf: treeIndex)
    }
  }

  /// The limit for the outermost ranks, so that the difference of two ranks never overflows.
  private static let outermostRank: Int64 = 1 << 61

  /// Relabels a node and the siblings around it. A range has 2^*i* ranks and is aligned to its
  /// size. The smallest range with fewer than (4/3)^*i* nodes is relabelled, so that it has room
  /// for many insertions before it is full again.
  private mutating func makeRoom(for treeIndex: NodeTree.Index, at rank: Int64) {
    var (first, last, count) = (treeIndex, treeIndex, 1)
    var capacity = 1.0
    for exponent in Int64(1)..<62 {
      capacity *= 4 / 3
      let start = rank & ~((1 << exponent) - 1)
      let end = start + (1 << exponent)
      while let node = tree.previous(of: first), ranks[Int(node.raw)] >= start { (first, count) = (node, count + 1) }
      while let node = tree.next(of: last), ranks[Int(node.raw)] < end { (last, count) = (node, count + 1) }
      guard Double(count) < capacity else { continue }
      let distance = (1 << exponent) / Int64(count)
      var (node, next) = (Optional(first), start)
      while let step = node {
        ranks[Int(step.raw)] = next
        next += distance
        node = step == last ? nil : tree.next(of: step)
      }
      return
    }
    rankAll(siblingsOf: treeIndex)
  }

  private mutating func rankAll(siblingsOf treeIndex: NodeTree.Index) {
    guard let parent = tree.parent(of: treeIndex) else { return }
    var rank: Int64 = 0
    for sibling in tree.children(of: parent) {
      ranks[Int(sibling.raw)] = rank
      rank += Self.rankGap
    }
  }
}
