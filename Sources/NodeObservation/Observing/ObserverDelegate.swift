package import MarkupDocument

/// The delegate of an ``Observer``. A view tree has very many observers: a shared delegate avoids a closure for each of them.
///
/// Both methods are called outside of every lock.
package protocol ObserverDelegate: AnyObject, Sendable {
  /// Called when a node has changed. The observer's element and children are already those after the change.
  ///
  /// - Parameters:
  ///   - node: the observed node.
  ///   - changed: the observed node or, with `observeChildren`, a direct child of it.
  func observerChanged(node: NodeRef, changed: NodeRef)
  /// Called when the observed node has been removed or the document was replaced. No call follows.
  func observerFinished(node: NodeRef)
}
