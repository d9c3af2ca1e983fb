public import MarkupDocument

extension NodePublishers {
  /// How many listen, by kind.
  public struct Count: Sendable, Hashable {
    /// Views that the mirror mounted, and those who listen as an ``Observer`` does.
    public var observers = 0
    /// Those who read an event stream, and all who did not say what they are.
    public var clients = 0
    /// Those that were asked for, and hear nothing.
    public var subscriptions = 0
    /// All of them.
    public var total: Int { observers + clients + subscriptions }

    /// Nobody, unless it is said.
    public init(observers: Int = 0, clients: Int = 0, subscriptions: Int = 0) {
      self.observers = observers
      self.clients = clients
      self.subscriptions = subscriptions
    }
  }

  /// How many listen to a node. A mounted counter, and an observer that stands in for it, are one.
  ///
  /// - Complexity: O(*subscribers of the node*).
  public func count(of node: NodeRef) -> Count {
    switchboard.withLock { $0.count(of: node) }
  }

  /// How many listen to any of some nodes, in all: to one that stands there twice, twice as many.
  ///
  /// - Complexity: O(*nodes*), with one look-up for those that are the same one after the other.
  package func total(of nodes: [NodeRef]) -> Int { switchboard.withLock { $0.total(of: nodes) } }

  /// How many listen besides the mounted counters, when a change set will have been published: who listens to a node
  /// that is gone does not any more.
  ///
  /// - Parameter epoch: that of the document, if it is another one than before.
  /// - Complexity: O(1), while nobody does; else O(*nodes removed*), and O(*subscribers*) in a new epoch.
  package func besideMounted(after changeSet: ChangeSet, replacing epoch: Int? = nil) -> Int {
    switchboard.withLock { state in
      guard state.besides > 0 else { return 0 }
      if let epoch {
        return state.lines.reduce(0) { $0 + ($1.key.node.epoch < epoch ? 0 : $1.value.besides) }
      }
      var count = state.besides
      for case .remove(let nodes, _, _) in changeSet.changes {
        for node in nodes { count -= state.lines[NodeKey(node)]?.besides ?? 0 }
      }
      return count
    }
  }

  /// Every node that somebody listens to.
  ///
  /// - Complexity: O(*subscribers*).
  public func counts() -> [NodeRef: Count] {
    switchboard.withLock { state in
      var counts: [NodeRef: Count] = [:]
      counts.reserveCapacity(state.lines.count + state.side.count)
      state.side.forEach { counts[$0] = Count(observers: 1) }
      for key in state.lines.keys { counts[key.node] = state.count(of: key.node) }
      return counts
    }
  }

  /// How many signals found nobody.
  public var unheard: Int { switchboard.withLock { $0.unheard } }

  /// How many a line and a mounted counter are together.
  static func count(_ line: Board.Line?, isMounted: Bool) -> Int {
    var count = isMounted ? 1 : 0
    switch line {
    case nil: break
    case .one(let receiver): count += receiver.counts(besideMounted: isMounted) ? 1 : 0
    case .many(let receivers): count += receivers.count { $0.counts(besideMounted: isMounted) }
    }
    return count
  }
}

extension NodePublishers.Board.State {
  func total(of nodes: some Sequence<NodeRef>) -> Int {
    var (total, last) = (0, (node: NodeRef?.none, count: 0))
    for node in nodes {
      if node != last.node { last = (node, count(of: node).total) }
      total += last.count
    }
    return total
  }

  func count(of node: NodeRef) -> NodePublishers.Count {
    let isMounted = side.contains(node)
    // Whoever listens stands in for a counter.
    if isMounted, besides == 0 { return NodePublishers.Count(observers: 1) }
    var count = NodePublishers.Count(observers: isMounted ? 1 : 0)
    lines[NodeKey(node)]?.forEach { receiver in
      guard receiver.counts(besideMounted: isMounted) else { return }
      if receiver.flags.contains(.client) {
        count.clients += 1
      } else if receiver.flags.contains(.subscription) {
        count.subscriptions += 1
      } else {
        count.observers += 1
      }
    }
    return count
  }
}

extension Receiver {
  /// Whether it is one more than the counter of its node.
  fileprivate func counts(besideMounted isMounted: Bool) -> Bool { !isMounted || !flags.contains(.standsIn) }
}

extension ReceiverFlags {
  init(_ kind: SubscriberKind, standingIn: Bool = false) {
    self =
      switch kind {
      case _ where standingIn: .standsIn
      case .observer: []
      case .client: .client
      case .subscription: .subscription
      }
  }
}
