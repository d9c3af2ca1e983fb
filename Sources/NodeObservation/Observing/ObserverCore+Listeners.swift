package import MarkupDocument

/// The delegate of an ``Observer``. A view tree has very many observers: a shared delegate avoids a
/// closure for each of them. `ViewTree` conforms to it.
///
/// Both methods are called outside of every lock.
package protocol ObserverDelegate: AnyObject, Sendable {
  /// Called when a node has changed. The observer's element and children are already those after
  /// the change.
  ///
  /// - Parameters:
  ///   - node: the observed node.
  ///   - changed: the observed node or, with `observeChildren`, a direct child of it.
  func observerChanged(node: NodeRef, changed: NodeRef)
  /// Called when the observed node has been removed or the document was replaced. No call follows.
  func observerFinished(node: NodeRef)
}

/// An observer that calls a closure.
final class ClosureObserverCore: ObserverCore, @unchecked Sendable {
  /// `nil` after the end. Guarded by the lock of the subscribers.
  private var listener: (@Sendable (NodeRef) -> Void)?

  init(of node: NodeRef, in coordinator: any NodeCoordinator, _ listener: @escaping @Sendable (NodeRef) -> Void) {
    self.listener = listener
    super.init(of: node, in: coordinator)
  }

  override func notify(_ node: NodeRef) { subscribers.withLock { _ in listener }?(node) }

  override func letGoOfListener() {
    let released = subscribers.withLock { _ in
      defer { listener = nil }
      return listener
    }
    withExtendedLifetime(released) {}
  }
}

/// An observer that calls a delegate, which it references weakly.
final class DelegateObserverCore: ObserverCore, @unchecked Sendable {
  private weak let delegate: (any ObserverDelegate)?

  init(
    of node: NodeRef, in coordinator: any NodeCoordinator, isCountedByMirror: Bool, _ delegate: any ObserverDelegate
  ) {
    self.delegate = delegate
    super.init(of: node, in: coordinator, isCountedByMirror: isCountedByMirror)
  }

  override func notify(_ node: NodeRef) { delegate?.observerChanged(node: key, changed: node) }

  override func notifyOfEnd() { delegate?.observerFinished(node: key) }
}
