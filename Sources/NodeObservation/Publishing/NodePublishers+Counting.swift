public import MarkupDocument

extension NodePublishers {
  /// The number of subscribers by kind. The inspector shows this count for each node, as JSON and
  /// in its pages.
  public struct Count: Sendable, Hashable {
    /// The observers that the mirror mounted, and every ``Observer``.
    public var observers = 0
    /// The clients that read an event stream, and all other subscribers.
    public var clients = 0
    /// The subscriptions over HTTP, which count signals.
    public var subscriptions = 0
    /// The number of all subscribers.
    public var total: Int { observers + clients + subscriptions }

    /// Creates a count; zero for each kind that is not given.
    public init(observers: Int = 0, clients: Int = 0, subscriptions: Int = 0) {
      self.observers = observers
      self.clients = clients
      self.subscriptions = subscriptions
    }
  }

  /// The subscribers of a node. A mounted counter and an observer that represents the same view are
  /// counted as one.
  ///
  /// - Complexity: O(*subscribers of the node*).
  public func count(of node: NodeRef) -> Count {
    subscribers.withLock { $0.count(of: node) }
  }

  /// The sum of the subscribers of several nodes. The subscribers of a node that is listed twice
  /// count twice.
  ///
  /// - Complexity: O(*nodes*). Equal nodes in a row need only one look-up.
  package func total(of nodes: [NodeRef]) -> Int { subscribers.withLock { $0.total(of: nodes) } }

  /// The number of subscribers of all nodes, and the number of observers among them.
  ///
  /// - Complexity: O(1).
  package var sums: (all: Int, observers: Int) {
    subscribers.withLock { state in
      let all = state.side.count + state.besides
      return (all, all - state.audience)
    }
  }

  /// The subscribers of every node that has any.
  ///
  /// - Complexity: O(*subscribers*).
  public func counts() -> [NodeRef: Count] {
    subscribers.withLock { state in
      var counts: [NodeRef: Count] = [:]
      counts.reserveCapacity(state.entries.count + state.side.count)
      state.side.forEach { counts[$0] = Count(observers: 1) }
      for node in state.entries.keys { counts[node] = state.count(of: node) }
      return counts
    }
  }

  /// The number of signals that reached no subscriber, plus the number of signals that were not
  /// delivered to a subscriber because it kept triggering itself.
  public var unheard: Int { subscribers.withLock { $0.unheard } }

  /// The number of subscribers in an entry together with the mounted counter of the same node.
  static func count(_ entry: Table.Entry?, isMounted: Bool) -> Int {
    var count = isMounted ? 1 : 0
    switch entry {
    case nil: break
    case .one(let receiver): count += receiver.counts(besideMounted: isMounted) ? 1 : 0
    case .many(let receivers): count += receivers.count { $0.counts(besideMounted: isMounted) }
    }
    return count
  }
}

/// Counts subscribers. Called under the lock of the subscriber table.
extension NodePublishers.Table.State {
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
    // If `besides` is 0, every receiver represents a view that a mounted counter already counts, so
    // only the mounted counter of the node is counted.
    if isMounted, besides == 0 { return NodePublishers.Count(observers: 1) }
    var count = NodePublishers.Count(observers: isMounted ? 1 : 0)
    entries[node]?.forEach { receiver in
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
  /// Whether the receiver is counted: always without a mounted counter for its node, otherwise only
  /// if it does not represent the same view as the counter.
  fileprivate func counts(besideMounted isMounted: Bool) -> Bool { !isMounted || !flags.contains(.countedByMirror) }
}

extension ReceiverFlags {
  init(_ kind: SubscriberKind, isCountedByMirror: Bool = false) {
    self =
      switch kind {
      case _ where isCountedByMirror: .countedByMirror
      case .observer: []
      case .client: .client
      case .subscription: .subscription
      }
  }
}

extension NodePublishers {
  /// The number of subscribers of each node at one moment. A copy, so that many counts can be read
  /// without taking the lock each time.
  package struct Totals: Sendable {
    fileprivate let mounted: MountedCounters
    /// The totals of the nodes with a receiver in the subscriber table. Other nodes have at most a
    /// mounted counter.
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

  /// A number that changes whenever a receiver is added to or removed from the subscriber table. A
  /// result that was computed from ``totals()`` remains valid as long as the generation and the
  /// document are the same.
  package var generation: Int { subscribers.withLock { $0.generation } }
}
