public import MarkupDocument

/// One publisher per node, made when somebody subscribes and gone when nobody does.
///
/// A signal to a node without subscribers is counted and not stored. Subscribers are called in the order in which they
/// subscribed, outside of the lock: they may subscribe, cancel and ask for counts while they are called. Who subscribes
/// meanwhile hears the next signal; who is cancelled hears nothing more, this one included; what may not be done at
/// once is put off by ``Publication``. The mirror's own observers are no subscribers but counters, and count before
/// anybody is called.
///
/// ```swift
/// let subscription = publishers.subscribe(to: node) { signal in print(signal) }
/// publishers.send(to: node)   // changed(2)
/// subscription.cancel()
/// ```
public final class NodePublishers: Sendable {
  typealias Board = Switchboard<NodeKey, NodeSignal, MountedCounters>
  typealias Receiver = NodeObservation.Receiver<NodeKey, NodeSignal>

  let switchboard = Board(side: MountedCounters())
  let documentEvents = Relay<DocumentEvent>(keeping: DocumentEvent.newest)

  /// Nobody listens yet.
  public init() {}

  /// Calls `receive` with every signal of a node until the subscription is cancelled or released.
  ///
  /// - Parameters:
  ///   - node: the node; one that is in no document is never told of anything.
  ///   - kind: as what to count it.
  ///   - standingIn: whether it is what the counter that is mounted for the node stands for, so that both are counted as
  ///     one. Where none is mounted it counts as an observer.
  ///   - receive: called on the thread that sends, outside of every lock.
  /// - Complexity: O(1).
  public func subscribe(
    to node: NodeRef, as kind: SubscriberKind = .client, standingIn: Bool = false,
    receive: @escaping @Sendable (NodeSignal) -> Void
  ) -> NodeSubscription {
    let receiver = ClosureReceiver(key: NodeKey(node), flags: .init(kind, standingIn: standingIn), receive)
    switchboard.subscribe(receiver)
    return NodeSubscription(receiver, in: switchboard)
  }

  /// Tells the subscribers of a node that it changed, and says how many there were.
  ///
  /// - Complexity: O(*subscribers of the node*).
  @discardableResult
  public func send(to node: NodeRef) -> Int {
    switchboard.send(.changed(node), to: NodeKey(node)) { line, mounted in
      Self.count(line, isMounted: mounted.increment(node))
    }
  }

  /// Ends the publisher of a node that is gone, and says how many subscribers it had.
  @discardableResult
  public func finish(_ node: NodeRef) -> Int {
    switchboard.finish(NodeKey(node), with: .finished(node)) { line, mounted in
      Self.count(line, isMounted: mounted.remove(node))
    }
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
    let ended = switchboard.withLock { state in
      let ended = state.lines.filter { $0.key.node.epoch < epoch }
      for key in ended.keys { _ = state.takeLine(of: key) }
      state.side.removeAll(before: epoch)
      return ended
    }
    guard !ended.isEmpty else { return }
    Publication.run {
      for (key, line) in ended.sorted(by: { $0.key < $1.key }) { switchboard.finish(line, with: .finished(key.node)) }
    }
  }

  /// Ends everything, ``NodeCoordinator/documentChanged`` too: there will be no document any more.
  public func close() {
    Publication.run {
      finishAll()
      documentEvents.finish()
    }
  }
}

// MARK: - What a coordinator says

extension NodePublishers {
  /// Tells everybody of an update: whose node is gone, then whose node changed, then who looks at the whole document.
  /// One publication.
  ///
  /// - Parameters:
  ///   - notified: as ``ChangeSet/notified(in:)`` gives it, so that the root is first if it is told.
  ///   - epoch: that of the document, if it is another one than before.
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
