internal import MarkupDocument

/// A node as the key of a table. Number and epoch are hashed in one step, because the look-up dominates the cost of a signal.
struct NodeKey: Hashable, Sendable, Comparable {
  let node: NodeRef

  init(_ node: NodeRef) { self.node = node }

  static func == (a: Self, b: Self) -> Bool { a.node.number == b.node.number && a.node.epoch == b.node.epoch }

  static func < (a: Self, b: Self) -> Bool { a.node < b.node }

  func hash(into hasher: inout Hasher) {
    hasher.combine(node.number ^ node.epoch << 40)
  }
}
