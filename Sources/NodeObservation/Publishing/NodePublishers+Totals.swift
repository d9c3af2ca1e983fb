package import MarkupDocument

extension NodePublishers {
  /// The number of subscribers of each node at one moment. A copy, so that reading many counts needs no lock.
  package struct Totals: Sendable {
    fileprivate let mounted: MountedCounters
    /// The totals of the nodes with a receiver in the subscriber table. Other nodes have at most a mounted counter.
    fileprivate var entries: [NodeRef: Int] = [:]

    /// The number of subscribers of a node.
    package subscript(node: NodeRef) -> Int {
      if !entries.isEmpty, let total = entries[node] { return total }
      return mounted.contains(node) ? 1 : 0
    }
  }

  /// Copies the number of subscribers of each node.
  ///
  /// - Complexity: O(*nodes with a receiver in the subscriber table*).
  package func totals() -> Totals {
    subscribers.withLock { state in
      var totals = Totals(mounted: state.side)
      for node in state.entries.keys { totals.entries[node] = state.count(of: node).total }
      return totals
    }
  }

  /// Changes whenever a subscriber is added or removed. A result that was computed from ``totals()`` remains valid as long as the
  /// generation and the document are the same.
  package var generation: Int { subscribers.withLock { $0.generation } }
}
