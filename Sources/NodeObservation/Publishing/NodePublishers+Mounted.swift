internal import MarkupDocument

extension NodePublishers {
  /// How often the counter of a node was told; `nil` where none is mounted.
  func signals(of node: NodeRef) -> Int? { switchboard.withLock { $0.side[node] } }

  func mount(_ node: NodeRef) { switchboard.withLock { $0.side.mount(node) } }

  struct Followed {
    var mounted = 0
    var unmounted = 0
    /// How many of the nodes that are gone had somebody who listened.
    var finished = 0
  }

  /// Mounts a counter for every element that came and takes away those of nodes that went.
  ///
  /// - Complexity: O(*nodes added and removed*).
  func follow(_ changeSet: ChangeSet) -> Followed {
    switchboard.withLock { state in
      var followed = Followed()
      for change in changeSet.changes {
        switch change {
        case .remove(let nodes, _, _):
          for node in nodes {
            let isMounted = state.side.remove(node)
            if isMounted { followed.unmounted += 1 }
            if isMounted || (!state.lines.isEmpty && state.lines[NodeKey(node)] != nil) { followed.finished += 1 }
          }
        case .add(let subtree, _):
          let elements = subtree.nodes.compactMap { $0.isElement ? $0.ref.number : nil }
          state.side.mount(elements, epoch: subtree.root.epoch)
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
