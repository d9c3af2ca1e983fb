public import MarkupDocument

extension NodeCoordinator {
  /// The changes of one node: its attributes, the list of its direct children, or a direct text or
  /// comment. Programs subscribe to them with Combine.
  ///
  /// ```swift
  /// let cancellable = coordinator.elementChanged(node).sink { node in print("changed:", node) }
  /// ```
  ///
  /// - Parameter node: the node. If it is not in the document, the publisher completes at once.
  public func elementChanged(_ node: NodeRef) -> NodePublisher { elementChanged(node, as: .client) }

  /// The same as ``elementChanged(_:)``. `kind` is the kind under which the subscribers are
  /// counted.
  package func elementChanged(_ node: NodeRef, as kind: SubscriberKind) -> NodePublisher {
    NodePublisher(node: node, kind: kind, coordinator: self)
  }

  /// The events that concern the document as a whole: see ``DocumentEvent``. Completes when the
  /// coordinator is closed.
  public var documentChanged: DocumentPublisher { DocumentPublisher(events: publishers.documentEvents) }
}

/// Publishes a node each time the node has changed.
///
/// A Combine subscriber counts as a subscriber of the node from the moment when it subscribes to
/// this publisher. The publisher completes when the node is removed or the document is replaced,
/// and at once if the node is not in the document. Subscribers are called on the thread that
/// updates the document, with the guarantees of ``NodePublishers``: a cancelled subscriber is not
/// called any more. If the node changes several times while a subscriber has no demand, the
/// subscriber is called once, at its next demand.
public struct NodePublisher: Publisher, Sendable {
  /// The node that changed.
  public typealias Output = NodeRef
  /// The publisher never fails.
  public typealias Failure = Never

  /// The node whose changes are published.
  public let node: NodeRef
  /// The kind under which the subscribers are counted.
  let kind: SubscriberKind
  let coordinator: any NodeCoordinator

  /// Subscribes to the node. Completes at once if the node is not in the document.
  ///
  /// - Complexity: O(1).
  public func receive<Downstream: Subscriber>(
    subscriber: Downstream
  ) where Downstream.Input == NodeRef, Downstream.Failure == Never {
    let subscribers = coordinator.publishers.subscribers
    let receiver = NodeCombineReceiver(
      subscriber, key: node, in: subscribers, flags: .init(kind), backlog: Backlogs.newest)
    // The receiver subscribes before the look-up, so that a removal of the node at any moment is
    // noticed either by the signal or by the look-up.
    subscribers.subscribe(receiver)
    let isThere = coordinator.reading { $0.contains(node) } == true
    if !isThere { subscribers.withLock { $0.remove(receiver) } }
    receiver.start(isFinished: !isThere)
  }
}

/// Receives the signals of one node for one subscriber of a ``NodePublisher``. The subclass names
/// concrete types, for which the compiler specialises ``CombineReceiver``. It has no state of its
/// own, so it is as safe to share as that class.
private final class NodeCombineReceiver: CombineReceiver<NodeRef, NodeSignal, MountedCounters>, @unchecked Sendable {
  override func receive(_ signal: NodeSignal, flags: Flags) { take(signal) }
}

/// An event that concerns the document as a whole.
public enum DocumentEvent: Sendable, Hashable {
  /// The top-level nodes of the document changed.
  case changed(root: NodeRef)
  /// The document was replaced. All nodes have new references, and the publishers of the old nodes
  /// have finished.
  case replaced(epoch: Int)

  /// A ``Backlog`` that keeps the newest event. A `changed` does not displace a waiting `replaced`,
  /// because after a replacement the subscriber reads the whole document anyway.
  static func newest(_ waiting: inout [Self], _ event: Self) {
    if case .changed = event, case .replaced = waiting.first { return }
    waiting = [event]
  }
}

/// Publishes the events that concern the document as a whole. Continues when the document is
/// replaced, and completes when the coordinator is closed.
public struct DocumentPublisher: Publisher, Sendable {
  /// The events of the document.
  public typealias Output = DocumentEvent
  /// The publisher never fails.
  public typealias Failure = Never

  let events: Relay<DocumentEvent>

  /// Subscribes to the events. Completes at once if the coordinator is closed. While a subscriber
  /// has no demand, one event is kept: a replacement of the document if there was one, otherwise
  /// the newest event.
  public func receive<Downstream: Subscriber>(
    subscriber: Downstream
  ) where Downstream.Input == DocumentEvent, Downstream.Failure == Never {
    events.attach(subscriber)
  }
}
