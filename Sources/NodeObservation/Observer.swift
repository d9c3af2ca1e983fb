public import MarkupDocument

/// What a view would be: it listens to one node for as long as the node lives, and knows how often it was told.
public final class Observer: Sendable {
  public let node: NodeRef
  private let state = Guarded(State())

  private struct State: Sendable {
    var signals = 0
    var isFinished = false
    var subscription: Subscription?
  }

  init(of node: NodeRef, in publishers: NodePublishers) {
    self.node = node
    let subscription = publishers.subscribe(to: node, as: .observer) { [weak self] in self?.receive($0) }
    state.withLock { $0.subscription = subscription }
  }

  /// How often the node has changed since the observer was mounted.
  public var signals: Int { state.withLock { $0.signals } }

  /// Whether the node is gone.
  public var isFinished: Bool { state.withLock { $0.isFinished } }

  private func receive(_ signal: NodeSignal) {
    state.withLock { state in
      switch signal {
      case .changed: state.signals += 1
      case .finished:
        state.isFinished = true
        state.subscription = nil
      }
    }
  }
}
