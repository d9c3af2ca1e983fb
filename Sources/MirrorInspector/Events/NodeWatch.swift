internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation

/// The subscription of an event client to one node. ``EventRoutes`` makes one for `?node=`, and
/// ``EventHub`` ends it with the stream. It counts as a subscriber of the node until it ends.
final class NodeWatch: Sendable {
  let node: NodeRef
  private let state: Guarded<State>

  private struct State {
    var subscription: NodeSubscription?
    var isNodeGone = false
  }

  /// - Returns: `nil` if the view was removed, or has no such node now.
  init?(_ node: NodeRef, in view: LiveViewCoordinator) {
    self.node = node
    let state = Guarded(State())
    self.state = state
    let subscription = view.publishers.subscribe(to: node, as: .client) { [weak view] signal in
      // If a `LiveViewCoordinator` that was loaded from the journal replaces this one, the node
      // still exists there, and the event client connects again.
      if case .finished = signal, view?.isReplaced != true { state.withLock { $0.isNodeGone = true } }
    }
    // Checked after the subscription, so a removal in between is not missed.
    guard !view.isRemoved, view.reading({ $0.contains(node) }) == true else {
      subscription.cancel()
      return nil
    }
    state.withLock { $0.subscription = subscription }
  }

  /// The node or its view was removed.
  var isNodeGone: Bool { state.withLock { $0.isNodeGone } }

  func end() {
    let subscription = state.withLock { state in
      defer { state.subscription = nil }
      return state.subscription
    }
    subscription?.cancel()
  }
}
