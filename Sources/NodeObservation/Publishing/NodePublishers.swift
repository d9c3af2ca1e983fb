public import MarkupDocument

/// The publishers of all nodes of a coordinator. A node has a publisher while it has subscribers.
/// Every ``NodeCoordinator`` has one such object.
///
/// A signal to a node without subscribers is counted and not stored. Subscribers are called in the
/// order in which they subscribed and outside of the lock, so they may subscribe, cancel and read
/// counts during a call. A subscriber that is added during a signal receives the next one. A
/// subscriber that is cancelled during a signal receives nothing more, including this signal if it
/// has not been called yet. Work that must not run during a signal is deferred by ``Publication``.
/// The observers that the mirror mounts are only counters, which are not called. The counter of a
/// node is incremented before any subscriber of the node is called.
///
/// ```swift
/// let subscription = publishers.subscribe(to: node) { signal in print(signal) }
/// publishers.send(to: node)   // changed(2)
/// subscription.cancel()
/// ```
public final class NodePublishers: Sendable {
  typealias Table = SubscriberTable<NodeRef, NodeSignal, MountedCounters>
  typealias Receiver = NodeObservation.Receiver<NodeRef, NodeSignal>

  let subscribers = Table(side: MountedCounters())
  let documentEvents = Relay<DocumentEvent>(keeping: DocumentEvent.newest)

  /// Publishers without subscribers.
  public init() {}

  /// Calls `receive` with every signal of a node until the subscription is cancelled or released.
  ///
  /// - Parameters:
  ///   - node: the node. A node that is not in the document sends no signals.
  ///   - receive: called on the thread that sends the signal, outside of every lock.
  /// - Returns: the subscription. It ends when it is released.
  /// - Complexity: O(1).
  public func subscribe(to node: NodeRef, receive: @escaping @Sendable (NodeSignal) -> Void) -> NodeSubscription {
    subscribe(to: node, as: .client, receive: receive)
  }

  /// The same as ``subscribe(to:receive:)``, with a subscriber that is counted under a kind.
  ///
  /// - Parameter isCountedByMirror: whether the subscriber stands for a view that the mirror counts
  ///   already, because it has mounted a counter for the node. The subscriber and the counter then
  ///   count as one, and `kind` is ignored. If the node has no mounted counter, the subscriber is
  ///   counted as an observer.
  package func subscribe(
    to node: NodeRef, as kind: SubscriberKind, isCountedByMirror: Bool = false,
    receive: @escaping @Sendable (NodeSignal) -> Void
  ) -> NodeSubscription {
    let receiver = ClosureReceiver(
      key: node, flags: .init(kind, isCountedByMirror: isCountedByMirror), receive)
    subscribers.subscribe(receiver)
    return NodeSubscription(receiver, in: subscribers)
  }

  /// Notifies the subscribers of a node that the node has changed.
  ///
  /// - Returns: the number of subscribers, including the mounted observer.
  /// - Complexity: O(*subscribers of the node*).
  @discardableResult
  public func send(to node: NodeRef) -> Int {
    subscribers.send(.changed(node), to: node) { entry, mounted in
      Self.count(entry, isMounted: mounted.increment(node))
    }
  }

  /// Ends the publisher of a removed node, after a last signal to its subscribers.
  ///
  /// - Returns: the number of subscribers that the node had, including the mounted observer.
  @discardableResult
  public func finish(_ node: NodeRef) -> Int {
    subscribers.finish(node, with: .finished(node)) { entry, mounted in
      Self.count(entry, isMounted: mounted.remove(node))
    }
  }

  /// Ends the publishers of all nodes that a change set has removed.
  package func finish(nodesOf changeSet: ChangeSet) {
    for case .remove(let nodes, _, _) in changeSet.all {
      for node in nodes { finish(node) }
    }
  }

  /// Ends the publishers of the epochs before `epoch`, after the document was replaced. Without
  /// `epoch`, ends every publisher.
  ///
  /// - Parameter epoch: the first epoch whose publishers continue.
  /// - Complexity: O(*subscribers*).
  public func finishAll(before epoch: Int = .max) {
    let ended = subscribers.withLock { state in
      let ended = state.entries.filter { $0.key.epoch < epoch }
      for key in ended.keys { _ = state.takeEntry(of: key) }
      state.side.removeAll(before: epoch)
      return ended
    }
    guard !ended.isEmpty else { return }
    Publication.run {
      for (key, entry) in ended.sorted(by: { $0.key < $1.key }) { subscribers.finish(entry, with: .finished(key)) }
    }
  }

  /// Ends every publisher, including ``NodeCoordinator/documentChanged``. Called when there will be
  /// no further document.
  public func close() {
    Publication.run {
      finishAll()
      documentEvents.finish()
    }
  }
}

// MARK: - Publishing an update

extension NodePublishers {
  /// Notifies the subscribers of an update in one publication: first the subscribers of removed
  /// nodes, then those of changed nodes, then those of the document.
  ///
  /// - Parameters:
  ///   - changeSet: the change set of the update.
  ///   - notified: the result of `ChangeSet/notified(in:)`. If the root is to be notified, it comes
  ///     first.
  ///   - epoch: the new epoch if the document was replaced, otherwise `nil`.
  package func publish(_ changeSet: ChangeSet, notified: [NodeRef], replacing epoch: Int? = nil) {
    Publication.run {
      if let epoch { finishAll(before: epoch) }
      finish(nodesOf: changeSet)
      for node in notified { send(to: node) }
      if let epoch {
        documentEvents.send(.replaced(epoch: epoch))
      } else if let first = notified.first, first.number == Document.rootNumber {
        documentEvents.send(.changed(root: first))
      }
    }
  }
}
