package import MarkupDocument

/// An object that is subscribed to many nodes at once. A `Subscription` of the inspector uses a
/// follower to observe the children of its node.
package protocol NodeFollower: AnyObject, Sendable {
  /// Called with every signal of a followed node, on the thread that sends the signal and outside
  /// of every lock.
  func receive(_ signal: NodeSignal)
}

/// The subscription of a ``NodeFollower`` to one node. It retains the follower until
/// ``cancel(in:)`` or the node's last signal.
///
/// Intended for subscribers of very many nodes: each subscription needs only one object of 64 bytes
/// and an entry in the table, while ``NodePublishers/subscribe(to:as:isCountedByMirror:receive:)``
/// allocates three objects.
package struct NodeFollowing: Sendable {
  private let receiver: FollowingReceiver

  /// Subscribes a follower to a node.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - publishers: the publishers of the node's document.
  ///   - kind: the kind under which the subscriber is counted.
  ///   - follower: the object to call.
  /// - Complexity: O(1).
  package init(_ node: NodeRef, in publishers: NodePublishers, as kind: SubscriberKind, for follower: any NodeFollower)
  {
    receiver = FollowingReceiver(node, kind, follower)
    publishers.subscribers.subscribe(receiver)
  }

  /// The followed node.
  package var node: NodeRef { receiver.key }

  /// Ends the subscription, with the guarantees of ``NodeSubscription/cancel()``. A second call has
  /// no effect.
  package func cancel(in publishers: NodePublishers) { publishers.subscribers.cancel(receiver) }
}

/// Passes the signals of one node to a ``NodeFollower``. The receiver retains the follower until
/// ``Receiver/releaseCallback()``, which runs when no call is in progress and none will begin. So
/// `follower` needs no lock.
private final class FollowingReceiver: Receiver<NodeRef, NodeSignal>, @unchecked Sendable {
  private var follower: (any NodeFollower)?

  init(_ node: NodeRef, _ kind: SubscriberKind, _ follower: any NodeFollower) {
    self.follower = follower
    super.init(key: node, flags: .init(kind))
  }

  override func receive(_ signal: NodeSignal, flags: Flags) { follower?.receive(signal) }

  override func releaseCallback() { follower = nil }
}
