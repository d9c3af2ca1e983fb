/// A tree whose elements a ``Selector`` can match. ``DocumentElements`` and ``PatchedElements``
/// conform to it.
protocol SelectableTree {
  associatedtype Node: Hashable

  /// The node above all elements; it matches no selector.
  var top: Node { get }
  func element(_ node: Node) -> Element?
  func parent(of node: Node) -> Node?
  /// The child elements, first to last, without the content of a `template`.
  func elements(in node: Node) -> [Node]
  /// Whether a node has neither child elements nor texts.
  func isEmpty(_ node: Node) -> Bool
}

extension SelectableTree {
  /// The elements that a selector matches, in document order.
  ///
  /// - Parameters:
  ///   - inside: only the descendants of this node are returned; `nil` for all elements.
  ///   - limit: the search ends after this number of matches.
  /// - Complexity: O(*nodes* · *compounds*), for any selector.
  func nodes(matching selector: Selector, inside: Node? = nil, limit: Int = .max) -> [Node] {
    var found: [Node] = []
    var levels: [SelectorLevel<Node>] = [SelectorLevel(of: elements(in: top), below: selector.outside, in: self)]
    /// The number of levels while the children of `inside` are walked: with fewer levels, the walk
    /// has left `inside`. `nil` until the walk has reached `inside`.
    var depth: Int? = inside == nil || inside == top ? 0 : nil
    while found.count < limit, let level = levels.indices.last {
      guard let (node, ends, reach) = levels[level].next(matching: selector, in: self) else {
        levels.removeLast()
        if let entered = depth, entered > levels.count { return found }
        continue
      }
      if depth != nil, selector.isMatch(ends) { found.append(node) }
      levels.append(SelectorLevel(of: elements(in: node), below: reach, in: self))
      if node == inside { depth = levels.count }
    }
    return found
  }

  /// The node itself if a selector matches it, otherwise its nearest matching ancestor.
  ///
  /// - Complexity: O(*depth* · *siblings* · *compounds*).
  func closest(_ selector: Selector, from node: Node) -> Node? {
    let path = Array(sequence(first: node) { parent(of: $0) }.prefix { $0 != top }).reversed()
    var (reach, nearest) = (selector.outside, Node?.none)
    for step in path {
      var level = SelectorLevel(of: elements(in: parent(of: step) ?? top), below: reach, in: self)
      while let (node, ends, inner) = level.next(matching: selector, in: self) {
        guard node == step else { continue }
        if selector.isMatch(ends) { nearest = node }
        reach = inner
        break
      }
    }
    return nearest
  }
}
