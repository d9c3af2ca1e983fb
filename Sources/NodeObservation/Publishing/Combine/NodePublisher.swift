public import MarkupDocument

#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

extension NodeCoordinator {
  /// The changes of one node: its attributes, or what its direct children are.
  ///
  /// ```swift
  /// let cancellable = coordinator.elementChanged(node).sink { node in print("changed:", node) }
  /// ```
  ///
  /// - Parameters:
  ///   - node: a node of the document; for one that is not there the publisher completes at once.
  ///   - kind: as what to count the subscribers.
  public func elementChanged(_ node: NodeRef, as kind: SubscriberKind = .client) -> NodePublisher {
    NodePublisher(node: node, kind: kind, coordinator: self)
  }

  /// What concerns the document as a whole: see ``DocumentEvent``. Completes when the coordinator is closed.
  public var documentChanged: DocumentPublisher { DocumentPublisher(events: publishers.documentEvents) }
}

/// Publishes a node each time it changed.
///
/// Subscribes where the changes come from when somebody subscribes to it, and not before. Completes when the node left
/// the document or the document was replaced; at once for a node that is not there. Subscribers are called on the thread
/// that updates the document, with the guarantees of ``NodePublishers``: none after it was cancelled. A change that comes
/// while a subscriber wants none is kept, as one however many there were, and passed on with the next demand.
public struct NodePublisher: Publisher, Sendable {
  public typealias Output = NodeRef
  public typealias Failure = Never

  /// The node whose changes are published.
  public let node: NodeRef
  /// As what its subscribers are counted.
  public let kind: SubscriberKind
  let coordinator: any NodeCoordinator

  /// Subscribes in the coordinator's registry; completes at once for a node that is not there.
  ///
  /// - Complexity: O(1).
  public func receive<Downstream: Subscriber>(
    subscriber: Downstream
  ) where Downstream.Input == NodeRef, Downstream.Failure == Never {
    let switchboard = coordinator.publishers.switchboard
    let receiver = NodeCombineReceiver(
      subscriber, key: NodeKey(node), in: switchboard, flags: .init(kind), backlog: Backlogs.newest)
    // First subscribe, then look: a node that goes in between is noticed by the one or by the other.
    switchboard.subscribe(receiver)
    let isThere = coordinator.reading { $0.contains(node) } == true
    if !isThere { switchboard.withLock { $0.remove(receiver) } }
    receiver.start(isFinished: !isThere)
  }
}

private final class NodeCombineReceiver: CombineReceiver<NodeKey, NodeSignal, MountedCounters>, @unchecked Sendable {
  override func receive(_ signal: NodeSignal, flags: Flags) { take(signal) }
}
