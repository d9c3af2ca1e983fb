public import MarkupDocument

/// What a subscriber of a node is told.
public enum NodeSignal: Sendable, Hashable {
  /// The node itself changed: its attributes, or what its direct children are.
  case changed(NodeRef)
  /// The node left the document, or the document was replaced. Nothing comes after it.
  case finished(NodeRef)
}

/// Who listens, told apart in every count.
public enum SubscriberKind: Sendable, Hashable, CaseIterable {
  /// A view that the mirror mounted.
  case observer
  /// A browser or script.
  case client
}

/// One publisher per node, made when somebody subscribes and gone when nobody does.
///
/// A signal to a node without subscribers is counted and not stored. Subscribers are called in the order in which they
/// subscribed, outside of the lock: they may subscribe, cancel and ask for counts while they are called. Who subscribes
/// meanwhile hears the next signal; who is cancelled hears nothing more, this one included. The mirror's own observers
/// are no subscribers but counters, and count before anybody is called.
public final class NodePublishers: Sendable {
  struct Subscriber: Sendable {
    var id: Int
    var kind: SubscriberKind
    var receiver: Receiver
  }

  /// What is called, until it is cancelled.
  final class Receiver: Sendable {
    /// Never a bare closure in ``Guarded``: reading one through its generic value wraps it in another thunk each time, and
    /// writes it back, so that every call would be slower than the one before.
    private struct Handler: Sendable {
      var call: @Sendable (NodeSignal) -> Void
    }

    private let receive: Guarded<Handler?>

    init(_ receive: @escaping @Sendable (NodeSignal) -> Void) { self.receive = Guarded(Handler(call: receive)) }

    func callAsFunction(_ signal: NodeSignal) { receive.withLock { $0 }?.call(signal) }

    /// Says whether it was not cancelled before. What the closure holds is let go outside of every lock: it may hold
    /// other subscriptions.
    func cancel() -> Bool {
      let cancelled = receive.withLock { receive in
        defer { receive = nil }
        return receive
      }
      return cancelled != nil
    }
  }

  struct State: Sendable {
    var subscribers: [NodeRef: [Subscriber]] = [:]
    /// By epoch and number: how often the mirror's own observer of the node was told. See ``Observer``.
    var observers: [Int: NumberTable] = [:]
    var nextID = 0
    var unheard = 0

    func clients(of node: NodeRef) -> [Subscriber] { subscribers.isEmpty ? [] : subscribers[node] ?? [] }

    /// Takes everybody who listens to a node.
    mutating func end(_ node: NodeRef) -> (subscribers: [Subscriber], count: Int) {
      let ended = subscribers.isEmpty ? [] : subscribers.removeValue(forKey: node) ?? []
      let isMounted = observers[node.epoch]?.remove(node.number) == true
      return (ended, ended.count + (isMounted ? 1 : 0))
    }
  }

  let state = Guarded(State())

  public init() {}

  /// Calls `receive` with every signal of a node until the subscription is cancelled or released.
  ///
  /// - Complexity: O(1).
  public func subscribe(
    to node: NodeRef, as kind: SubscriberKind = .client, receive: @escaping @Sendable (NodeSignal) -> Void
  ) -> Subscription {
    let receiver = Receiver(receive)
    let id = state.withLock { state in
      state.nextID += 1
      state.subscribers[node, default: []].append(Subscriber(id: state.nextID, kind: kind, receiver: receiver))
      return state.nextID
    }
    return Subscription(id: id, node: node, receiver: receiver, publishers: self)
  }

  /// Tells the subscribers of a node that it changed, and says how many there were.
  @discardableResult
  public func send(to node: NodeRef) -> Int {
    let (subscribers, count) = state.withLock { state in
      let subscribers = state.clients(of: node)
      let count = subscribers.count + (state.observers[node.epoch]?.increment(node.number) == true ? 1 : 0)
      if count == 0 { state.unheard += 1 }
      return (subscribers, count)
    }
    for subscriber in subscribers { subscriber.receiver(.changed(node)) }
    return count
  }

  /// Ends the publisher of a node that is gone, and says how many subscribers it had.
  @discardableResult
  public func finish(_ node: NodeRef) -> Int {
    let (subscribers, count) = state.withLock { $0.end(node) }
    for subscriber in subscribers { subscriber.receiver(.finished(node)) }
    return count
  }

  /// Ends the publishers of all nodes that a change set removed.
  package func finish(nodesOf changeSet: ChangeSet) {
    for case .remove(let nodes, _, _) in changeSet.changes {
      for node in nodes { finish(node) }
    }
  }

  /// Ends every publisher, or only those of the epochs before one: the document was replaced.
  ///
  /// - Complexity: O(*subscribers*).
  public func finishAll(before epoch: Int = .max) {
    let ended = state.withLock { state in
      let ended = state.subscribers.filter { $0.key.epoch < epoch }
      for node in ended.keys { state.subscribers[node] = nil }
      for known in state.observers.keys where known < epoch { state.observers[known] = nil }
      return ended
    }
    for (node, subscribers) in ended.sorted(by: { $0.key < $1.key }) {
      for subscriber in subscribers { subscriber.receiver(.finished(node)) }
    }
  }

  func cancel(_ id: Int, of node: NodeRef) {
    state.withLock { state in
      state.subscribers[node]?.removeAll { $0.id == id }
      if state.subscribers[node]?.isEmpty == true { state.subscribers[node] = nil }
    }
  }
}

// MARK: - Counting

extension NodePublishers {
  /// How many listen, by kind.
  public struct Count: Sendable, Hashable {
    public var observers = 0
    public var clients = 0
    public var total: Int { observers + clients }

    public init(observers: Int = 0, clients: Int = 0) {
      self.observers = observers
      self.clients = clients
    }
  }

  public func count(of node: NodeRef) -> Count {
    state.withLock { $0.count(of: node) }
  }

  /// How many listen to any of some nodes, in all.
  package func total(of nodes: [NodeRef]) -> Int {
    state.withLock { state in nodes.reduce(0) { $0 + state.count(of: $1).total } }
  }

  /// Every node that somebody listens to.
  ///
  /// - Complexity: O(*subscribers*).
  public func counts() -> [NodeRef: Count] {
    state.withLock { state in
      var counts: [NodeRef: Count] = [:]
      counts.reserveCapacity(state.observers.values.reduce(state.subscribers.count) { $0 + $1.count })
      for (epoch, table) in state.observers {
        for number in table.numbers { counts[NodeRef(epoch: epoch, number: number)] = Count(observers: 1) }
      }
      for node in state.subscribers.keys { counts[node] = state.count(of: node) }
      return counts
    }
  }

  /// How many signals found nobody.
  public var unheard: Int { state.withLock { $0.unheard } }
}

extension NodePublishers.State {
  fileprivate func count(of node: NodeRef) -> NodePublishers.Count {
    var count = NodePublishers.Count(observers: observers[node.epoch]?.contains(node.number) == true ? 1 : 0)
    for subscriber in clients(of: node) {
      switch subscriber.kind {
      case .observer: count.observers += 1
      case .client: count.clients += 1
      }
    }
    return count
  }
}

/// A subscription, for as long as it is held.
public final class Subscription: Sendable {
  private let id: Int
  private let node: NodeRef
  private let receiver: NodePublishers.Receiver
  private let publishers: NodePublishers

  init(id: Int, node: NodeRef, receiver: NodePublishers.Receiver, publishers: NodePublishers) {
    self.id = id
    self.node = node
    self.receiver = receiver
    self.publishers = publishers
  }

  deinit { cancel() }

  /// Ends it; a second time does nothing.
  public func cancel() {
    if receiver.cancel() { publishers.cancel(id, of: node) }
  }
}
