/// A subscription to a node. It ends when it is cancelled or released.
public final class NodeSubscription: Cancellable, Sendable {
  private let receiver: NodePublishers.Receiver
  private let subscribers: NodePublishers.Table

  init(_ receiver: NodePublishers.Receiver, in subscribers: NodePublishers.Table) {
    self.receiver = receiver
    self.subscribers = subscribers
  }

  /// Unlike ``cancel()``, does not wait for calls on other threads: the last reference may be released on any thread, possibly
  /// on one that such a call is waiting for.
  deinit { subscribers.cancel(receiver, waits: false) }

  /// Ends the subscription. A second call has no effect. The closure is released when no call is in progress.
  ///
  /// No call begins after this method has returned. It also waits for a call in progress on another thread, unless the calling
  /// thread is itself inside a subscriber. There it does not wait, because two subscribers that cancel each other would deadlock.
  public func cancel() { subscribers.cancel(receiver) }
}
