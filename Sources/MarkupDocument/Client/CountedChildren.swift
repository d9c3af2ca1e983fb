/// The ordered children of several parents, with lookups of a child by index and of an index by
/// child. Each parent has a treap (Seidel and Aragon, 1996) whose nodes store the sizes of their
/// subtrees. ``PatchTree`` uses it for the indexes of stream inserts.
///
/// A node is a child of at most one parent, so all treaps share one array. Priorities are random
/// and differ from run to run, so no input can force a deep tree. The order of the children does
/// not depend on the priorities.
///
/// Only parents for which ``count(_:of:)`` was called have a treap. The caller checks
/// ``counts(_:)`` before it inserts or removes a child.
struct CountedChildren {
  private struct Node {
    var parent = none
    var left = none
    var right = none
    /// The number of nodes in the subtree.
    var size: Int32 = 0
    var priority: UInt64 = 0
  }

  private static let none: Int32 = -1

  /// Indexed by child.
  private var nodes: [Node] = []
  /// The root of each parent's treap; -1 for a parent without children.
  private var roots: [Int32: Int32] = [:]
  private var random = SystemRandomNumberGenerator()

  /// Whether a parent has a treap.
  func counts(_ parent: Int32) -> Bool { !roots.isEmpty && roots[parent] != nil }

  /// Builds the treap of a parent.
  ///
  /// - Complexity: O(*n* log *n*) expected.
  mutating func count(_ children: some Sequence<Int32>, of parent: Int32) {
    roots[parent] = Self.none
    for child in children { insert(child, before: nil, in: parent) }
  }

  /// Inserts a node into the treap of a parent, before the child `next`, or at the end if `next` is
  /// `nil`. The node must not be in any treap.
  ///
  /// - Complexity: O(log *n*) expected.
  mutating func insert(_ node: Int32, before next: Int32?, in parent: Int32) {
    if node >= nodes.count { nodes.append(contentsOf: repeatElement(Node(), count: Int(node) + 1 - nodes.count)) }
    nodes[Int(node)] = Node(size: 1, priority: random.next())
    guard let root = roots[parent], root != Self.none else {
      roots[parent] = node
      return
    }
    if let next, nodes[Int(next)].left == Self.none {
      attach(node, to: next, asLeft: true)
    } else {
      // The last node of the subtree before `next`, or of the whole treap.
      var last = next.map { nodes[Int($0)].left } ?? root
      while nodes[Int(last)].right != Self.none { last = nodes[Int(last)].right }
      attach(node, to: last, asLeft: false)
    }
    while case let above = nodes[Int(node)].parent, above != Self.none,
      nodes[Int(above)].priority < nodes[Int(node)].priority
    {
      rotateUp(node, in: parent)
    }
  }

  /// Removes a child of a counted parent.
  ///
  /// - Complexity: O(log *n*) expected.
  mutating func remove(_ node: Int32, from parent: Int32) {
    while let child = preferredChild(of: node) { rotateUp(child, in: parent) }
    let above = nodes[Int(node)].parent
    replaceChild(node, of: above, by: Self.none, in: parent)
    var step = above
    while step != Self.none {
      nodes[Int(step)].size -= 1
      step = nodes[Int(step)].parent
    }
  }

  /// The child at an index; `nil` if the index is too large.
  ///
  /// - Complexity: O(log *n*) expected.
  func child(at index: Int, of parent: Int32) -> Int32? {
    var (node, index) = (roots[parent] ?? Self.none, Int32(clamping: index))
    while node != Self.none {
      let before = size(nodes[Int(node)].left)
      if index == before { return node }
      if index < before {
        node = nodes[Int(node)].left
      } else {
        index -= before + 1
        node = nodes[Int(node)].right
      }
    }
    return nil
  }

  /// The index of a child of a counted parent.
  ///
  /// - Complexity: O(log *n*) expected.
  func index(of node: Int32) -> Int {
    var index = size(nodes[Int(node)].left)
    var step = node
    while case let above = nodes[Int(step)].parent, above != Self.none {
      if nodes[Int(above)].right == step { index += size(nodes[Int(above)].left) + 1 }
      step = above
    }
    return Int(index)
  }

  // MARK: - Treaps

  private func size(_ node: Int32) -> Int32 { node == Self.none ? 0 : nodes[Int(node)].size }

  /// Attaches a new leaf below a node with a free child slot, and updates the sizes.
  private mutating func attach(_ node: Int32, to above: Int32, asLeft: Bool) {
    if asLeft { nodes[Int(above)].left = node } else { nodes[Int(above)].right = node }
    nodes[Int(node)].parent = above
    var step = above
    while step != Self.none {
      nodes[Int(step)].size += 1
      step = nodes[Int(step)].parent
    }
  }

  private func preferredChild(of node: Int32) -> Int32? {
    let (left, right) = (nodes[Int(node)].left, nodes[Int(node)].right)
    if left == Self.none { return right == Self.none ? nil : right }
    if right == Self.none { return left }
    return nodes[Int(left)].priority > nodes[Int(right)].priority ? left : right
  }

  private mutating func replaceChild(_ child: Int32, of above: Int32, by other: Int32, in parent: Int32) {
    if above == Self.none {
      roots[parent] = other
    } else if nodes[Int(above)].left == child {
      nodes[Int(above)].left = other
    } else {
      nodes[Int(above)].right = other
    }
    if other != Self.none { nodes[Int(other)].parent = above }
  }

  /// Rotates a node above its parent in the treap. The order of the children does not change.
  private mutating func rotateUp(_ node: Int32, in parent: Int32) {
    let (n, above) = (Int(node), nodes[Int(node)].parent)
    let a = Int(above)
    replaceChild(above, of: nodes[a].parent, by: node, in: parent)
    let inner: Int32
    if nodes[a].left == node {
      inner = nodes[n].right
      nodes[a].left = inner
      nodes[n].right = above
    } else {
      inner = nodes[n].left
      nodes[a].right = inner
      nodes[n].left = above
    }
    if inner != Self.none { nodes[Int(inner)].parent = above }
    nodes[a].parent = node
    nodes[n].size = nodes[a].size
    nodes[a].size = 1 + size(nodes[a].left) + size(nodes[a].right)
  }
}
