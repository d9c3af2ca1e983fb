package import MarkupDocument

/// An object that listens to many nodes at once.
package protocol NodeFollower: AnyObject, Sendable {
  /// Called with every signal of a followed node, as a subscriber is: on the thread that sends, outside of every lock.
  func receive(_ signal: NodeSignal)
}

/// One node that a ``NodeFollower`` listens to. It holds the follower until ``cancel(in:)`` or the node's last signal.
///
/// For subscribers of very many nodes: one object of 64 bytes and an entry in the table, where
/// ``NodePublishers/subscribe(to:as:standingIn:receive:)`` makes three objects.
package struct NodeFollowing: Sendable {
  private let receiver: FollowingReceiver

  /// Starts to listen.
  ///
  /// - Complexity: O(1).
  package init(_ node: NodeRef, in publishers: NodePublishers, as kind: SubscriberKind, for follower: any NodeFollower)
  {
    receiver = FollowingReceiver(node, kind, follower)
    publishers.switchboard.subscribe(receiver)
  }

  package var node: NodeRef { receiver.key.node }

  /// Ends it, with the guarantees of ``NodeSubscription/cancel()``; a second time changes nothing.
  package func cancel(in publishers: NodePublishers) { publishers.switchboard.cancel(receiver) }
}

private final class FollowingReceiver: Receiver<NodeKey, NodeSignal>, @unchecked Sendable {
  private var follower: (any NodeFollower)?

  init(_ node: NodeRef, _ kind: SubscriberKind, _ follower: any NodeFollower) {
    self.follower = follower
    super.init(key: NodeKey(node), flags: .init(kind))
  }

  override func receive(_ signal: NodeSignal, flags: Flags) { follower?.receive(signal) }

  override func letGo() { follower = nil }
}
