/// The current place of a ``Merger`` in its update: the steps to the place. Also the node of a
/// ``PathTree`` that was made last, from which the next node is reached in few steps.
struct MergePath {
  private(set) var steps: [SlotPath.Step] = []
  /// The last node that was made, and its depth. The first ``shared`` steps of the node's path are
  /// those of the current path.
  private var (noted, depth) = (PathTree.root, 0)
  private var shared = 0

  mutating func append(_ step: SlotPath.Step) { steps.append(step) }

  mutating func removeLast(_ count: Int = 1) {
    steps.removeLast(count)
    shared = min(shared, steps.count)
  }

  var count: Int { steps.count }

  /// The node of the current path, which is made if it does not exist.
  ///
  /// - Complexity: O(*steps appended or removed since the last call*).
  mutating func node(in tree: inout PathTree) -> PathTree.Node {
    while depth > shared {
      noted = tree.parent(of: noted) ?? PathTree.root
      depth -= 1
    }
    while depth < steps.count {
      noted = tree.add(steps[depth], after: noted)
      depth += 1
    }
    shared = depth
    return noted
  }
}
