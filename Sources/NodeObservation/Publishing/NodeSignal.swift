public import MarkupDocument

/// A signal to the subscribers of a node. ``NodePublishers`` sends it.
public enum NodeSignal: Sendable, Hashable {
  /// The node itself changed: its attributes, the list of its direct children, or a direct text or
  /// comment.
  case changed(NodeRef)
  /// The node was removed, or the document was replaced. No signal follows.
  case finished(NodeRef)
}

/// The kind of a subscriber. Each kind has its own count.
package enum SubscriberKind: Sendable, Hashable, CaseIterable {
  /// A view that the mirror mounted, or an ``Observer``.
  case observer
  /// A browser or script that reads an event stream, or other code that subscribes.
  case client
  /// A subscription over HTTP, which counts the signals of a node.
  case subscription
}

/// A subscription to a node, made by ``NodePublishers``. It ends when it is cancelled or released.
public final class NodeSubscription: Cancellable, Sendable {
  private let receiver: NodePublishers.Receiver
  private let subscribers: NodePublishers.Table

  init(_ receiver: NodePublishers.Receiver, in subscribers: NodePublishers.Table) {
    self.receiver = receiver
    self.subscribers = subscribers
  }

  /// Unlike ``cancel()``, does not wait for calls on other threads: the last reference may be
  /// released on any thread, possibly on one that such a call is waiting for.
  deinit { subscribers.cancel(receiver, waits: false) }

  /// Ends the subscription. A second call has no effect. The closure is released when no call is in
  /// progress.
  ///
  /// No call begins after this method has returned. The method also waits for a call in progress on
  /// another thread, unless the calling thread is itself inside a subscriber. Inside a subscriber
  /// the method does not wait, because two subscribers that cancel each other would deadlock.
  public func cancel() { subscribers.cancel(receiver) }
}
