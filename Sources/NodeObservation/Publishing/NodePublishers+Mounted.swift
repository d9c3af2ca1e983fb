package import MarkupDocument

/// Access to the mounted counters. ``MountedObservers`` adds and removes counters, and the
/// inspector shows the number of signals in them.
extension NodePublishers {
  /// The number of signals in the counter of a node; `nil` if no counter is mounted.
  package func signalCount(of node: NodeRef) -> Int? { subscribers.withLock { $0.side[node] } }

  /// Mounts a counter for a node.
  func mount(_ node: NodeRef) { subscribers.withLock { $0.side.mount(node) } }

  /// - Parameter numbers: the numbers of the nodes, in ascending order.
  func mount(_ numbers: [Int], epoch: Int) { subscribers.withLock { $0.side.mount(numbers, epoch: epoch) } }

  /// The counters that ``follow(_:)`` has mounted and removed.
  struct Followed {
    var mounted = 0
    var unmounted = 0
    /// The number of removed nodes with a counter or a subscriber. Nodes in the content of portals'
    /// templates (`ChangeSet/hidden`) do not count.
    var finished = 0
  }

  /// Mounts a counter for every added element, and removes the counters of removed nodes.
  ///
  /// - Complexity: O(*nodes added and removed*).
  func follow(_ changeSet: ChangeSet) -> Followed {
    subscribers.withLock { state in
      var followed = Followed()
      for (position, change) in changeSet.all.enumerated() {
        switch change {
        case .remove(let nodes, _, _):
          let isShown = position < changeSet.changes.count
          for node in nodes {
            let isMounted = state.side.remove(node)
            if isMounted { followed.unmounted += 1 }
            guard isShown else { continue }
            if isMounted || (!state.entries.isEmpty && state.entries[node] != nil) { followed.finished += 1 }
          }
        case .add(let subtree, _):
          let elements = subtree.nodes.compactMap { $0.content.element == nil ? nil : $0.ref.number }
          state.side.mount(elements, epoch: subtree.root.epoch)
          followed.mounted += elements.count
        case .text, .attributes, .move: break
        }
      }
      return followed
    }
  }
}
