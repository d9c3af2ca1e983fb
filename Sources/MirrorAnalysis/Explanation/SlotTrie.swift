internal import LiveViewMirror

/// The slot paths that a change record names, as a tree of their steps, with the changes that each
/// slot caused. ``DiffExplanation`` makes one for its ``PartList``.
struct SlotTrie {
  typealias Node = Int

  private struct Key: Hashable {
    var parent: Node
    var step: Substring
  }

  static let root: Node = 0

  private var nodes: [Key: Node] = [:]
  /// The parent of each node, indexed by node. A parent comes before its children, and the root is
  /// its own parent.
  private(set) var parents: [Node] = [root]
  /// Indexed by node: the indexes of the changes that the node's slot caused, ascending.
  private(set) var changes: [[Int]] = [[]]
  /// The slots whose values were sent without a change.
  private(set) var waste: Set<Node> = []

  /// Changes for which the record names no slot belong to the root.
  ///
  /// - Complexity: O(*bytes of all paths* + *changes*).
  init(of record: ChangeRecord) {
    for (change, slotPaths) in record.slots.enumerated() {
      if slotPaths.isEmpty { changes[Self.root].append(change) }
      for path in slotPaths { changes[add(path)].append(change) }
    }
    for name in record.waste.slots { waste.insert(add(name)) }
  }

  private mutating func add(_ name: String) -> Node {
    var node = Self.root
    for step in name.split(separator: ".") {
      let key = Key(parent: node, step: step)
      if let known = nodes[key] {
        node = known
        continue
      }
      parents.append(node)
      changes.append([])
      node = parents.count - 1
      nodes[key] = node
    }
    return node
  }

  /// The node to which `steps` lead from `node`; `nil` if no path has these steps.
  func node(_ steps: [String], below node: Node?) -> Node? {
    var node = node
    for step in steps { node = node.flatMap { nodes[Key(parent: $0, step: step[...])] } }
    return node
  }
}
