package import MarkupDocument

extension NodePublishers {
  /// How many listened to each node at one moment: a copy, so that whoever reads many counts holds no lock.
  package struct Totals: Sendable {
    fileprivate let mounted: MountedCounters
    /// Of the nodes that have more than a mounted counter, or none.
    fileprivate var lines: [NodeRef: Int] = [:]

    package subscript(node: NodeRef) -> Int {
      if !lines.isEmpty, let total = lines[node] { return total }
      return mounted.contains(node) ? 1 : 0
    }
  }

  /// - Complexity: O(*nodes with a subscriber besides the mounted counter*).
  package func totals() -> Totals {
    switchboard.withLock { state in
      var totals = Totals(mounted: state.side)
      for key in state.lines.keys { totals.lines[key.node] = state.count(of: key.node).total }
      return totals
    }
  }

  /// Changes whenever a subscriber comes or goes: what was made of ``totals()`` holds while it is the same, and the
  /// document is.
  package var generation: Int { switchboard.withLock { $0.generation } }
}
