public import MarkupDocument

/// Observes a node for a view: keeps the element and its children as they were at the last signal.
/// A `ViewTree` has one for each view of an element.
///
/// The element and the children are looked up at the first access, and again at every signal before
/// the view is notified. Between two signals a view therefore always reads the same values, even if
/// the document has already changed. After a signal the view never reads the old values. All
/// property wrappers of a view share one observer and its subscription.
///
/// ```swift
/// let observer = Observer(of: node, in: coordinator) { node in print("changed:", node) }
/// print(observer.element?["class"] ?? "")
/// ```
///
/// The observer is active until it is cancelled or released, or until its node is removed. While it
/// is active, there is a reference cycle between the coordinator and an internal object of the
/// observer. The observer itself is not part of the cycle, so it can be released.
public final class Observer: Sendable, Cancellable {
  let core: ObserverCore

  /// Observes a node. If the node is not in the document, the observer is finished at once.
  ///
  /// - Parameters:
  ///   - node: the node to observe.
  ///   - coordinator: holds the document. The observer retains it.
  ///   - observeChildren: see ``observeChildren()``.
  ///   - onChange: called with the node that changed: the observed node or, with `observeChildren`,
  ///     a direct child of it.
  /// - Complexity: O(1); with `observeChildren` O(*children*).
  public init(
    of node: NodeRef, in coordinator: any NodeCoordinator, observeChildren: Bool = false,
    onChange: (@Sendable (NodeRef) -> Void)? = nil
  ) {
    core =
      onChange.map { ClosureObserverCore(of: node, in: coordinator, $0) } ?? ObserverCore(of: node, in: coordinator)
    core.subscribe()
    core.finishIfGone()
    if observeChildren { core.observeChildren() }
  }

  /// Observes a node for a delegate.
  ///
  /// Whether the node is in the document is not checked before the first look-up.
  ///
  /// - Parameters:
  ///   - node: the node to observe.
  ///   - coordinator: holds the document. The observer retains it.
  ///   - isCountedByMirror: whether the observer stands for a view that the mirror counts already,
  ///     because it has mounted a counter for the node. The observer and the counter then count as
  ///     one subscriber.
  ///   - delegate: the object to notify. It is referenced weakly.
  /// - Complexity: O(1).
  package init(
    of node: NodeRef, in coordinator: any NodeCoordinator, isCountedByMirror: Bool, delegate: any ObserverDelegate
  ) {
    core = DelegateObserverCore(of: node, in: coordinator, isCountedByMirror: isCountedByMirror, delegate)
    core.subscribe()
  }

  private init(constant node: NodeRef, in coordinator: any NodeCoordinator) {
    core = ObserverCore(of: node, in: coordinator, isConstant: true)
  }

  /// An observer that is never notified. It does not subscribe, is not counted, and looks the node
  /// up only once.
  public static func constant(_ node: NodeRef, in coordinator: any NodeCoordinator) -> Observer {
    Observer(constant: node, in: coordinator)
  }

  /// Unlike ``cancel()``, does not wait for calls on other threads: the last reference may be
  /// released on any thread, possibly on one that such a call is waiting for.
  deinit { core.cancel(waits: false) }

  /// The observed node.
  public var node: NodeRef { core.key }

  /// The element as of the last signal, or as of the first access if no signal has arrived since.
  /// `nil` if the node is not an element or has been removed.
  public var element: Element? { core.resolved.element }

  /// The children as of the same moment as ``element``, in document order, including text and
  /// comments.
  public var children: [NodeRef] { core.resolved.children }

  /// Also observes every direct child that is an element, including children that are added later.
  /// This cannot be undone.
  ///
  /// - Complexity: O(*children*).
  public func observeChildren() { core.observeChildren() }

  /// Whether the node has been removed or the document was replaced. A finished observer has no
  /// element and receives no signals.
  public var isFinished: Bool { core.isFinished }

  /// The number of changes of which the observer was notified.
  public var signalCount: Int { core.signalCount }

  /// Publishes each node that changed, after the element and the children were looked up again.
  /// Completes when the node is removed, and at once if the observer is finished or constant. The
  /// publisher and its subscriptions retain the observer.
  ///
  /// While a subscriber has no demand, each changed node is kept once.
  public var changes: RelayPublisher<NodeRef> { RelayPublisher(relay: core.relay, held: self) }

  /// Ends the observation. A second call has no effect. The element and the children keep their
  /// values.
  ///
  /// No notification begins after this method has returned. The method also waits for a
  /// notification in progress on another thread, unless the calling thread is itself inside a
  /// subscriber, see ``NodeSubscription/cancel()``.
  public func cancel() { core.cancel(waits: true) }
}
