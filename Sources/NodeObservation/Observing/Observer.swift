public import MarkupDocument

#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// What a view has of its node: the element and its children as they were when the view was last told.
///
/// Both are looked up when they are first asked for, and then anew with every signal, before anybody is told: a view never
/// sees what it was not told of, and never old things after it was. However many property wrappers of a view read them,
/// there is one observer and one subscription.
///
/// ```swift
/// let observer = Observer(of: node, in: coordinator) { node in print("changed:", node) }
/// print(observer.element?["class"] ?? "")
/// ```
///
/// It listens until it is cancelled or released. A cycle of references stands between it and its coordinator until then.
public final class Observer: Sendable, Cancellable {
  let core: ObserverCore

  /// Observes a node; one that is not in the document is finished at once.
  ///
  /// - Parameters:
  ///   - node: the node to observe.
  ///   - coordinator: holds the document. It is kept until this is cancelled or released.
  ///   - observeChildren: see ``observeChildren()``.
  ///   - onChange: called with the node that changed: the own one, or a direct child with `observeChildren`.
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

  /// Observes a node for somebody who need not be asked to, and who is not kept.
  ///
  /// Whether the node is there is found out when it is first looked up.
  ///
  /// - Parameter standingIn: whether it is what the counter that is mounted for the node stands for, so that both are
  ///   counted as one.
  /// - Complexity: O(1).
  package init(
    of node: NodeRef, in coordinator: any NodeCoordinator, standingIn: Bool, delegate: any ObserverDelegate
  ) {
    core = DelegateObserverCore(of: node, in: coordinator, standingIn: standingIn, delegate)
    core.subscribe()
  }

  private init(constant node: NodeRef, in coordinator: any NodeCoordinator) {
    core = ObserverCore(of: node, in: coordinator, isConstant: true)
  }

  /// An observer that is never told: it neither subscribes nor counts, and looks its node up once.
  public static func constant(_ node: NodeRef, in coordinator: any NodeCoordinator) -> Observer {
    Observer(constant: node, in: coordinator)
  }

  /// Does not wait as ``cancel()`` does: nobody knows where the last reference is dropped.
  deinit { core.cancel(waits: false) }

  /// The node that is observed.
  public var node: NodeRef { core.key.node }

  /// The element as it was when this was last told; `nil` where the node is none, or gone.
  public var element: Element? { core.resolved.element }

  /// The children as they were when this was last told, first to last; text and comments among them.
  public var children: [NodeRef] { core.resolved.children }

  /// Observes every direct child of the node too, and follows them as they come and go. It cannot be taken back.
  ///
  /// - Complexity: O(*children*).
  public func observeChildren() { core.observeChildren() }

  /// Whether the node is gone or the document was replaced. There is no element then, and nothing is told any more.
  public var isFinished: Bool { core.isFinished }

  /// How often it was told of a change.
  public var signals: Int { core.signals }

  /// Publishes each node that changed, after the element and the children were looked up anew. Completes when the node
  /// goes; at once where it is gone or constant. Keeps the observer, as a subscription does.
  ///
  /// Of the changes that come while a subscriber wants none, each node is kept once.
  public var changes: RelayPublisher<NodeRef> { RelayPublisher(relay: core.relay, held: self) }

  /// Ends it; a second time changes nothing. Element and children stay as they are.
  ///
  /// Nobody is told after this has returned. If the thread is not itself inside of a subscriber, none is being told
  /// then, see ``NodeSubscription/cancel()``.
  public func cancel() { core.cancel(waits: true) }
}
