internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation

/// A subscriber that a client created by `POST`. It is counted as a subscriber of its node, and it
/// counts the signals that it receives. ``Subscriptions`` makes, moves and ends it. A subscription
/// that has ended never follows a node again.
///
/// With children, it also subscribes to every direct child element, and follows added and removed
/// children. The number of followed children is bounded (``FollowedNodes``). If more children are
/// added, it follows the first ones and counts the others as ``notFollowed``, until the budget has
/// room again.
final class Subscription: Sendable {
  let id: Int
  let view: String
  let node: NodeRef
  let label: String?
  let hasChildren: Bool
  let createdAt: Int64
  private let followed: FollowedNodes
  private let state = Guarded(State())

  private struct State {
    var own: NodeSubscription?
    /// The followed children, in document order.
    var family: [NodeFollowing] = []
    var follower: Child?
    /// The number of children that it may follow: its share of ``FollowedNodes``.
    var granted = 0
    var notFollowed = 0
    var received = 0
    /// The versions of the last signals. ``move(to:whenOver:)`` removes those that the journal has
    /// not kept.
    var versions: [Int] = []
    var isOver = false
  }

  init(
    id: Int, of node: NodeRef, in view: String, hasChildren: Bool, label: String?,
    followed: FollowedNodes = FollowedNodes()
  ) {
    self.id = id
    self.view = view
    self.node = node
    self.hasChildren = hasChildren
    self.label = label
    self.followed = followed
    createdAt = WallClock.system.now()
  }

  /// The number of signals that it received, and the version of the last one.
  var received: (count: Int, lastVersion: Int?) { state.withLock { ($0.received, $0.versions.last) } }

  /// The number of nodes that count it as a subscriber.
  var nodes: Int { state.withLock { ($0.own == nil ? 0 : 1) + $0.family.count } }

  /// The number of children, of every kind, that it does not follow because of the bound.
  var notFollowed: Int { state.withLock { $0.notFollowed } }

  /// Subscribes to the node.
  ///
  /// - Parameter whenOver: called once, when the node is removed.
  /// - Returns: whether the view and the node exist.
  func begin(in view: LiveViewCoordinator, whenOver: @escaping @Sendable () -> Void) -> Bool {
    let own = view.publishers.subscribe(to: node, as: .subscription) { [weak self, weak view] signal in
      switch signal {
      case .changed:
        guard let self, let view else { return }
        count(signalOf: view)
        followChildren(in: view)
      case .finished:
        // The subscription continues in the coordinator that replaces `view`.
        if let view, view.isReplaced { return }
        if let self, let view { end(in: view) }
        whenOver()
      }
    }
    let isKept = state.withLock { state in
      if !state.isOver { state.own = own }
      return !state.isOver
    }
    if !isKept { own.cancel() }
    // Subscribes before the look-up, so that a removal in between is not missed.
    guard !view.isRemoved, view.reading({ $0.contains(node) }) == true else {
      end(in: view)
      return false
    }
    followChildren(in: view)
    return true
  }

  /// Subscribes to the same node in `view`, a coordinator that has replaced the earlier one of the
  /// same view. Signals of versions that the new coordinator does not have no longer count.
  ///
  /// - Parameter whenOver: called once, when the node is removed.
  func move(to view: LiveViewCoordinator, whenOver: @escaping @Sendable () -> Void) {
    let version = view.view?.version ?? 0
    state.withLock { state in
      (state.own, state.family, state.follower) = (nil, [], nil)
      while let last = state.versions.last, last > version {
        state.versions.removeLast()
        state.received -= 1
      }
    }
    if !begin(in: view, whenOver: whenOver) { whenOver() }
  }

  /// Cancels the subscription. A second call has no effect.
  ///
  /// - Parameter view: `nil` if the view is not in memory any more.
  func end(in view: LiveViewCoordinator?) {
    let (own, family) = state.withLock { state in
      defer {
        followed.release(state.granted)
        (state.own, state.family, state.granted, state.notFollowed, state.isOver) = (nil, [], 0, 0, true)
      }
      return (state.own, state.family)
    }
    own?.cancel()
    if let view { for child in family { child.cancel(in: view.publishers) } }
  }

  private static let rememberedVersions = 64

  private func count(signalOf view: LiveViewCoordinator) {
    let version = view.view?.version
    state.withLock { state in
      state.received += 1
      if let version { state.versions.append(version) }
      if state.versions.count > Self.rememberedVersions { state.versions.removeFirst() }
    }
  }

  // MARK: - Children

  /// The receiver of the signals of all followed children. A subscription has one for each
  /// coordinator.
  private final class Child: NodeFollower {
    private weak let subscription: Subscription?
    private weak let view: LiveViewCoordinator?

    init(of subscription: Subscription, in view: LiveViewCoordinator) {
      self.subscription = subscription
      self.view = view
    }

    /// Counts a change of a child. A removal is not counted here: it is a change of the parent,
    /// whose signal updates the followed children.
    func receive(_ signal: NodeSignal) {
      if case .changed = signal, let subscription, let view { subscription.count(signalOf: view) }
    }
  }

  /// - Complexity: O(*children*), within the bound.
  private func followChildren(in view: LiveViewCoordinator) {
    guard hasChildren else { return }
    var children: [NodeRef]?
    // Another thread that updates the view may have followed newer children in the meantime, so
    // this thread repeats until the children do not differ.
    while let now = self.children(in: view), now != children {
      follow(now, in: view)
      children = now
    }
  }

  private func children(in view: LiveViewCoordinator) -> [NodeRef]? {
    view.reading { document in
      let count = document.childCount(of: node)
      let granted = state.withLock { state in
        if state.isOver { return 0 }
        state.granted = followed.exchange(state.granted, for: count)
        state.notFollowed = count - state.granted
        return state.granted
      }
      return document.elements(amongFirst: granted, childrenOf: node)
    }
  }

  private func follow(_ children: [NodeRef], in view: LiveViewCoordinator) {
    let strangers = state.withLock { state -> [NodeFollowing] in
      if state.isOver || state.family.lazy.map(\.node).elementsEqual(children) { return [] }
      var known = Dictionary(state.family.map { ($0.node, $0) }, uniquingKeysWith: { first, _ in first })
      let follower = state.follower ?? Child(of: self, in: view)
      state.follower = follower
      state.family = children.map { node in
        known.removeValue(forKey: node)
          ?? NodeFollowing(node, in: view.publishers, as: .subscription, for: follower)
      }
      return Array(known.values)
    }
    for stranger in strangers { stranger.cancel(in: view.publishers) }
  }
}
