package import MarkupDocument

/// The delegate of an ``Observer``. A view tree has very many observers, and one shared delegate
/// avoids a closure for each observer. `ViewTree` conforms to it.
///
/// Both methods are called outside of every lock.
package protocol ObserverDelegate: AnyObject, Sendable {
  /// Called when a node has changed. The observer already returns the element and the children
  /// after the change.
  ///
  /// - Parameters:
  ///   - node: the observed node.
  ///   - changed: the observed node or, with `observeChildren`, a direct child of it.
  func observerChanged(node: NodeRef, changed: NodeRef)
  /// Called when the observed node has been removed or the document was replaced. No further call
  /// follows.
  func observerFinished(node: NodeRef)
}

/// The core of an observer that calls a closure. ``Observer`` creates one if it has an `onChange`.
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

/// The core of an observer that calls a delegate. The reference to the delegate is weak, so the
/// observers of a view tree do not retain the tree.
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
