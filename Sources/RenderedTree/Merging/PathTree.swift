internal import MirrorSupport

/// A tree of the paths of one update, in which paths share their prefixes. Each node is a step and
/// its parent node. ``TouchedSlots`` stores the paths of its slots in one.
///
/// A node represents the path that ends with it; ``root`` represents the empty path. Equal paths
/// have the same node.
package struct PathTree: Sendable {
  /// The index of a node's entry; -1 for the root.
  package typealias Node = Int32

  package static let root: Node = -1

  private struct Key: Hashable, Sendable {
    var parent: Node
    var step: SlotPath.Step
  }

  private struct Entry: Sendable {
    var key: Key
    var depth: Int32
    /// The child whose step is the largest index. If no step is an index, the child that was added
    /// first; ``root`` if there are no children.
    var last = PathTree.root
  }

  /// A parent comes before its children.
  private var entries: [Entry] = []
  /// The child of the root as in ``Entry/last``.
  private var last = PathTree.root
  /// The nodes by key, of the first `nodes.count` entries. Each search first adds the entries that
  /// are missing.
  private var nodes: [Key: Node] = [:]

  package init() {}

  /// The node of a path with one more step. A new node is added if there is none.
  ///
  /// - Complexity: O(1). A step after the last one under its parent, as most are, needs no search.
  mutating func add(_ step: SlotPath.Step, after parent: Node) -> Node {
    let last = parent == Self.root ? self.last : entries[Int(parent)].last
    let isLast = last == Self.root || step.isAfter(entries[Int(last)].key.step)
    if !isLast {
      if entries[Int(last)].key.step == step { return last }
      if let known = find(Key(parent: parent, step: step)) { return known }
    }
    let node = Node(entries.count)
    entries.appendOrBegin(with: Entry(key: Key(parent: parent, step: step), depth: depth(of: parent) + 1))
    if isLast {
      if parent == Self.root { self.last = node } else { entries[Int(parent)].last = node }
    }
    return node
  }

  private mutating func find(_ key: Key) -> Node? {
    for place in nodes.count..<entries.count { nodes[entries[place].key] = Node(place) }
    return nodes[key]
  }

  private func depth(of node: Node) -> Int32 { node == Self.root ? 0 : entries[Int(node)].depth }

  /// The path that a node represents.
  ///
  /// - Parameter limit: the maximum number of steps, counted from the first.
  /// - Complexity: O(*steps*).
  package func path(to node: Node, atMost limit: Int = .max) -> SlotPath {
    var steps: [SlotPath.Step] = []
    steps.reserveCapacity(min(Int(depth(of: node)), limit))
    var node = node
    while let parent = parent(of: node) {
      if depth(of: node) <= limit { steps.append(entries[Int(node)].key.step) }
      node = parent
    }
    steps.reverse()
    return SlotPath(steps)
  }

  /// The dotted form of the first steps of a path.
  ///
  /// - Complexity: O(*steps*).
  package func dottedPath(to node: Node, atMost limit: Int) -> String {
    // Most paths have one step, for which no array is allocated.
    if limit > 0, depth(of: node) == 1 { return entries[Int(node)].key.step.description }
    return path(to: node, atMost: limit).description
  }

  /// The number of nodes, without the root. A node's parent has a smaller number than the node.
  package var count: Int { entries.count }

  /// The last step of the path that a node represents. The node must not be the root.
  package func step(of node: Node) -> SlotPath.Step { entries[Int(node)].key.step }

  /// The path without its last step; `nil` for the empty path.
  package func parent(of node: Node) -> Node? { node == Self.root ? nil : entries[Int(node)].key.parent }

  /// The longest common prefix of two paths.
  ///
  /// - Complexity: O(*steps that they do not share*).
  package func common(_ one: Node, _ other: Node) -> Node {
    var (one, other) = (one, other)
    while one != other {
      if depth(of: one) >= depth(of: other) {
        one = entries[Int(one)].key.parent
      } else {
        other = entries[Int(other)].key.parent
      }
    }
    return one
  }
}

extension SlotPath.Step {
  /// Whether this is a larger index than another step, or an index and the other one is not.
  fileprivate func isAfter(_ other: SlotPath.Step) -> Bool {
    guard case .index(let index) = self else { return false }
    if case .index(let other) = other { return index > other }
    return true
  }
}
