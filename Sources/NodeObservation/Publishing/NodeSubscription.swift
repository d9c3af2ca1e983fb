#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// A subscription of a node, for as long as it is held.
public final class NodeSubscription: Cancellable, Sendable {
  private let receiver: NodePublishers.Receiver
  private let switchboard: NodePublishers.Board

  init(_ receiver: NodePublishers.Receiver, in switchboard: NodePublishers.Board) {
    self.receiver = receiver
    self.switchboard = switchboard
  }

  /// Does not wait as ``cancel()`` does: nobody knows where the last reference is dropped.
  deinit { switchboard.cancel(receiver, waits: false) }

  /// Ends it; a second time changes nothing. What the closure holds is let go.
  ///
  /// No call begins after this has returned. If the thread is not itself inside of a subscriber, none is in flight
  /// then: one on another thread is waited for. Inside of a subscriber nobody is waited for, since two that cancel each
  /// other would wait for ever.
  public func cancel() { switchboard.cancel(receiver) }
}
