internal import MarkupDocument

/// The mirror's own observers: every element has one, so each is no more than a number, how often its node was told.
extension NodePublishers {
  /// How often the observer of a node was told; `nil` where none is mounted.
  func signals(of node: NodeRef) -> Int? {
    state.withLock { $0.observers[node.epoch]?[node.number] }.map(Int.init)
  }

  func mount(_ node: NodeRef) {
    state.withLock { $0.observers[node.epoch, default: NumberTable()][node.number] = 0 }
  }

  struct Followed {
    var mounted = 0
    var unmounted = 0
    /// How many of the nodes that are gone had somebody who listened.
    var finished = 0
  }

  /// Mounts an observer for every element that came and takes away those of nodes that went.
  ///
  /// - Complexity: O(*nodes added and removed*).
  func follow(_ changeSet: ChangeSet) -> Followed {
    state.withLock { state in
      var followed = Followed()
      for change in changeSet.changes {
        switch change {
        case .remove(let nodes, _, _):
          for node in nodes {
            let isMounted = state.observers[node.epoch]?.remove(node.number) == true
            if isMounted { followed.unmounted += 1 }
            if isMounted || !state.clients(of: node).isEmpty { followed.finished += 1 }
          }
        case .add(let subtree, _):
          let elements = subtree.nodes.compactMap { $0.isElement ? $0.ref.number : nil }
          state.observers[subtree.root.epoch, default: NumberTable()].insert(elements, value: 0)
          followed.mounted += elements.count
        case .text, .attributes, .move: break
        }
      }
      return followed
    }
  }
}

extension Subtree.Node {
  fileprivate var isElement: Bool { if case .element = content { true } else { false } }
}
