package import MarkupDocument

/// What an ``Observer`` of the view tree tells, without a closure for each of very many.
package protocol ObserverDelegate: AnyObject, Sendable {
  /// A node changed: the observed one or, with `observeChildren`, a direct child of it. The observer's element and
  /// children are those after the change. Called outside of every lock.
  func observerChanged(node: NodeRef, changed: NodeRef)
  /// The observed node is gone, or the document was replaced. Nothing comes after it.
  func observerFinished(node: NodeRef)
}
