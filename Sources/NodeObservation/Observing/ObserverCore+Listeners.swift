internal import MarkupDocument

/// An observer that calls a closure.
final class ClosureObserverCore: ObserverCore, @unchecked Sendable {
  /// `nil` when nobody is told any more.
  private var listener: (@Sendable (NodeRef) -> Void)?

  init(of node: NodeRef, in coordinator: any NodeCoordinator, _ listener: @escaping @Sendable (NodeRef) -> Void) {
    self.listener = listener
    super.init(of: node, in: coordinator)
  }

  override func notify(_ node: NodeRef) { switchboard.withLock { _ in listener }?(node) }

  override func letGoOfListener() {
    let gone = switchboard.withLock { _ in
      defer { listener = nil }
      return listener
    }
    withExtendedLifetime(gone) {}
  }
}

/// An observer that tells somebody whom it does not keep.
final class DelegateObserverCore: ObserverCore, @unchecked Sendable {
  private weak let delegate: (any ObserverDelegate)?

  init(
    of node: NodeRef, in coordinator: any NodeCoordinator, standingIn: Bool, _ delegate: any ObserverDelegate
  ) {
    self.delegate = delegate
    super.init(of: node, in: coordinator, standingIn: standingIn)
  }

  override func notify(_ node: NodeRef) { delegate?.observerChanged(node: key.node, changed: node) }

  override func notifyOfEnd() { delegate?.observerFinished(node: key.node) }
}
