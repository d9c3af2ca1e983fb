internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// A client's look at one node: counted as its subscriber until it ends.
final class NodeWatch: Sendable {
  let node: NodeRef
  private let state: Guarded<State>

  private struct State {
    var subscription: NodeSubscription?
    var isNodeGone = false
  }

  /// - Returns: `nil` where the view has no such node now, or is gone.
  init?(_ node: NodeRef, in view: LiveViewCoordinator) {
    self.node = node
    let state = Guarded(State())
    self.state = state
    let subscription = view.publishers.subscribe(to: node, as: .client) { signal in
      if case .finished = signal { state.withLock { $0.isNodeGone = true } }
    }
    // Looked for when it would be told already, so that it cannot go unseen in between.
    guard !view.isRemoved, view.reading({ $0.contains(node) }) == true else {
      subscription.cancel()
      return nil
    }
    state.withLock { $0.subscription = subscription }
  }

  /// The node is gone, or its view is.
  var isNodeGone: Bool { state.withLock { $0.isNodeGone } }

  func end() {
    let subscription = state.withLock { state in
      defer { state.subscription = nil }
      return state.subscription
    }
    subscription?.cancel()
  }
}
