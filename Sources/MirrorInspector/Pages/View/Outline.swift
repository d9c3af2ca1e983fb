internal import MarkupDocument

/// The nodes of a document that a page shows: all of a small document, and a few hundred of a large
/// one. ``TreePane`` makes one for the shown version.
///
/// The nodes of a large document are chosen in this order, until there is no more room. First come
/// the selected node and the changed ones, each with its ancestors. If a reader has followed a gap,
/// the first children of all shown nodes follow, breadth first. Then come single nodes beside shown
/// ones, and then the other nodes in document order. A shown node has only shown ancestors. The
/// other nodes become gaps that show how many nodes they contain.
struct Outline {
  /// The maximum number of shown nodes. A document with at most as many is shown completely.
  static let limit = 500
  /// The number of shown nodes of a larger document, because a browser's work for an update depends
  /// on all shown lines. If `focus` needs more than half of this number, its nodes and
  /// ``neighbours`` more are shown, up to ``limit``. If a reader has followed a gap, only ``limit``
  /// applies.
  private static let usual = 60
  private static let neighbours = 30
  /// The maximum depth below the top: it bounds the recursion of ``TreePane``.
  static let depthLimit = 100
  /// The maximum number of shown nodes in `focus` and ancestors of such nodes.
  private static let focusLimit = 300
  /// The maximum number of children of one node that the walk in breadth shows.
  private static let childLimit = 50

  enum Item {
    case node(NodeTree.Index)
    /// Consecutive children that are not shown: the position of the first, and the number of nodes.
    case gap(from: Int, nodes: Int, changed: Int)
  }

  let tree: NodeTree
  let top: NodeTree.Index
  /// The number of shown nodes, including the top.
  private(set) var count = 0
  /// The number of nodes at which the choice ends.
  private var room = limit
  private var isShown: [Bool]
  /// By storage index: the number of nodes of a subtree, and how many of them changed.
  private var sizes: [Int32]
  private var changed: [Int32]
  /// The number of nodes that are left out because of `isHidden`.
  private(set) var hidden = 0

  /// - Parameters:
  ///   - first: the position of the first child of `top` to show.
  ///   - focus: the nodes to show first, the most important one first.
  ///   - marked: the nodes to count in gaps.
  ///   - isHidden: whether to leave out a node without children. Gaps do not count such nodes.
  ///   - isClosed: whether to leave out all nodes below a node. Gaps do not count them either.
  /// - Complexity: O(*nodes below the top*).
  init(
    of tree: NodeTree, top: NodeTree.Index, first: Int = 0, focus: [NodeTree.Index] = [],
    marked: [NodeTree.Index] = [], hiding isHidden: (NodeTree.Index) -> Bool = { _ in false },
    closing isClosed: (NodeTree.Index) -> Bool = { _ in false }
  ) {
    self.tree = tree
    self.top = top
    var nodes = [top]
    var next = tree.successor(of: top, within: top)
    while let node = next {
      let isLeaf = tree.firstChild(of: node) == nil
      next = tree.successor(of: node, within: top, skippingChildren: !isLeaf && isClosed(node))
      if isLeaf, isHidden(node) { hidden += 1 } else { nodes.append(node) }
    }
    isShown = Array(repeating: false, count: tree.storageCount)
    sizes = Array(repeating: 0, count: tree.storageCount)
    changed = Array(repeating: 0, count: tree.storageCount)
    for node in marked { changed[Int(node.raw)] = 1 }
    sizes[Int(top.raw)] = 1
    for node in nodes.dropFirst().reversed() {
      sizes[Int(node.raw)] += 1
      guard let parent = tree.parent(of: node) else { continue }
      sizes[Int(parent.raw)] += sizes[Int(node.raw)]
      changed[Int(parent.raw)] += changed[Int(node.raw)]
    }
    show(top)
    for node in focus { showWay(to: node) }
    if total > Self.limit, first == 0 { room = min(Self.limit, max(Self.usual, count + Self.neighbours)) }
    showInBreadth(first: first)
    showLeaves(among: nodes)
    showInOrder(first: first)
  }

  /// Whether a node is neither shown nor counted.
  private func isLeftOut(_ node: NodeTree.Index) -> Bool { sizes[Int(node.raw)] == 0 }

  /// The number of nodes below the top, including it.
  var total: Int { Int(sizes[Int(top.raw)]) }

  /// The items below a shown node.
  func items(below node: NodeTree.Index) -> [Item] {
    var items: [Item] = []
    var gap: (from: Int, nodes: Int, changed: Int)?
    for (position, child) in tree.children(of: node).enumerated() {
      if isShown[Int(child.raw)] {
        if let left = gap { items.append(.gap(from: left.from, nodes: left.nodes, changed: left.changed)) }
        gap = nil
        items.append(.node(child))
      } else if !isLeftOut(child) {
        gap = gap ?? (position, 0, 0)
        gap?.nodes += Int(sizes[Int(child.raw)])
        gap?.changed += Int(changed[Int(child.raw)])
      }
    }
    if let left = gap { items.append(.gap(from: left.from, nodes: left.nodes, changed: left.changed)) }
    return items
  }

  // MARK: - Choosing

  private mutating func show(_ node: NodeTree.Index) {
    guard !isShown[Int(node.raw)] else { return }
    isShown[Int(node.raw)] = true
    count += 1
  }

  private mutating func showWay(to place: NodeTree.Index) {
    var way: [NodeTree.Index] = []
    var step: NodeTree.Index? = place
    while let node = step, node != top {
      way.append(node)
      step = tree.parent(of: node)
    }
    guard step == top, way.count < Self.depthLimit, !isLeftOut(place) else { return }
    let missing = way.filter { !isShown[Int($0.raw)] }
    guard count + missing.count <= Self.focusLimit else { return }
    for node in missing { show(node) }
  }

  /// Shows the first children of all shown nodes, breadth first. Leaves room for 60 nodes of the
  /// next two steps, so in a large document this shows nothing unless a reader has followed a gap.
  private mutating func showInBreadth(first: Int) {
    var queue = [(node: top, depth: 0)]
    var position = 0
    while position < queue.count, count + 2 <= room - 60 {
      let (node, depth) = queue[position]
      position += 1
      guard depth + 2 < Self.depthLimit else { continue }
      for child in tree.children(of: node).dropFirst(node == top ? first : 0).prefix(Self.childLimit) {
        guard count + 2 <= room - 60 else { break }
        if isLeftOut(child) { continue }
        show(child)
        if let text = tree.onlyText(of: child), !isLeftOut(text) { show(text) }
        queue.append((child, depth + 1))
      }
    }
  }

  /// Shows single nodes beside shown ones, because a gap of one node takes as much space as the
  /// node itself. Leaves room for 20 nodes of the last step.
  private mutating func showLeaves(among nodes: [NodeTree.Index]) {
    for node in nodes where !isShown[Int(node.raw)] && sizes[Int(node.raw)] == 1 {
      guard count < room - 20 else { return }
      guard let parent = tree.parent(of: node), isShown[Int(parent.raw)] else { continue }
      let neighbours = [tree.previous(of: node), tree.next(of: node)].compactMap { $0 }
      if neighbours.contains(where: { isShown[Int($0.raw)] }) { show(node) }
    }
  }

  private mutating func showInOrder(first: Int) {
    var depth = 0
    var node: NodeTree.Index? = tree.children(of: top).dropFirst(first).first { _ in true }
    if node != nil { depth = 1 }
    while let step = node, count < room {
      if !isLeftOut(step) { show(step) }
      if depth + 1 < Self.depthLimit, let child = tree.firstChild(of: step) {
        (node, depth) = (child, depth + 1)
        continue
      }
      var last: NodeTree.Index? = step
      while let done = last, done != top, tree.next(of: done) == nil {
        last = tree.parent(of: done)
        depth -= 1
      }
      node = last == top ? nil : last.flatMap(tree.next)
    }
  }
}

extension NodeTree {
  /// The text of an element without other children: it is shown in the line of the element.
  func onlyText(of node: Index) -> Index? {
    guard let child = firstChild(of: node), next(of: child) == nil, case .text = self[child] else { return nil }
    return child
  }
}
