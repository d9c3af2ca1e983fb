internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation

/// All subscriptions of all views that were made over HTTP and have not ended.
/// ``SubscriptionRoutes`` adds and removes them. ``Inspector`` moves them to the new coordinator
/// when their view is loaded again, and removes them with their view.
///
/// The lock is not held while a subscription begins or ends, because the end of a subscription
/// calls `take(_:of:)`, which acquires the lock.
final class Subscriptions: Sendable {
  /// The maximum number of subscriptions.
  let limit: Int
  /// The budget for the children that all subscriptions follow.
  let followed: FollowedNodes
  private let state = Guarded(State())

  private struct State {
    var byView: [String: [Int: Entry]] = [:]
    var count = 0
    var last = 0
  }

  private struct Entry {
    let subscription: Subscription
    /// Weak, because a view that is unloaded must not stay in memory.
    weak var coordinator: LiveViewCoordinator?
  }

  /// - Parameter first: the id of the first subscription. Mirrors that share a journal need
  ///   different first ids.
  init(limit: Int = 1_000, followed: FollowedNodes = FollowedNodes(), first: Int = 1) {
    self.limit = limit
    self.followed = followed
    state.withLock { $0.last = first - 1 }
  }

  enum Refusal: Error, Hashable {
    /// The maximum number of subscriptions is reached.
    case full
    /// The view has no such node.
    case unknownNode
    /// The node has more children than one subscription may follow.
    case tooManyChildren(Int)
    /// The remaining budget for children is too small.
    case noRoomForChildren(Int)
  }

  var count: Int { state.withLock { $0.count } }
  var countsByView: [String: Int] { state.withLock { $0.byView.mapValues(\.count) } }
  func count(of view: String) -> Int { state.withLock { $0.byView[view]?.count ?? 0 } }

  /// The subscriptions of a view, oldest first.
  func all(of view: String) -> [Subscription] {
    state.withLock { ($0.byView[view] ?? [:]).values.map(\.subscription) }.sorted { $0.id < $1.id }
  }

  func find(_ id: Int, of view: String) -> Subscription? { state.withLock { $0.byView[view]?[id]?.subscription } }

  /// Adds a subscription to a node, and begins it. If an error is thrown, no subscription is left.
  func add(
    to node: NodeRef, in view: LiveViewCoordinator, hasChildren: Bool, label: String?
  ) throws(Refusal) -> Subscription {
    // Most refusals are made here, before anything is registered. Children that are added later
    // are left to the subscription, which counts them as not followed if the budget is exceeded.
    let children = hasChildren ? view.reading { $0.childCount(of: node) } ?? 0 : 0
    if children > followed.limitOfOne { throw .tooManyChildren(children) }
    if children > followed.room { throw .noRoomForChildren(children) }
    // The entry is added before the subscription begins, because the subscription may end, and
    // remove the entry, before this function returns.
    let subscription = try state.withLock { state throws(Refusal) in
      guard state.count < limit else { throw .full }
      state.last += 1
      let subscription = Subscription(
        id: state.last, of: node, in: view.id, hasChildren: hasChildren, label: label, followed: followed)
      state.byView[view.id, default: [:]][state.last] = Entry(subscription: subscription, coordinator: view)
      state.count += 1
      return subscription
    }
    let (id, name) = (subscription.id, view.id)
    let isThere = subscription.begin(in: view) { [weak self] in _ = self?.take(id, of: name) }
    guard isThere else {
      _ = take(id, of: name)
      throw .unknownNode
    }
    let missing = subscription.notFollowed
    guard missing == 0 else {
      let children = view.reading { $0.childCount(of: node) } ?? missing
      _ = remove(id, of: name)
      throw children > followed.limitOfOne ? .tooManyChildren(children) : .noRoomForChildren(children)
    }
    return subscription
  }

  /// Moves the subscriptions of a view to `view`, the coordinator that replaced the earlier one.
  func move(to view: LiveViewCoordinator) {
    let name = view.id
    let moved = state.withLock { state in
      for id in state.byView[name]?.keys.sorted() ?? [] { state.byView[name]?[id]?.coordinator = view }
      return state.byView[name] ?? [:]
    }
    for (id, entry) in moved {
      entry.subscription.move(to: view) { [weak self] in _ = self?.take(id, of: name) }
    }
  }

  /// Ends a subscription.
  ///
  /// - Returns: whether it existed.
  func remove(_ id: Int, of view: String) -> Bool {
    guard let entry = take(id, of: view) else { return false }
    entry.subscription.end(in: entry.coordinator)
    return true
  }

  /// Ends the subscriptions of a view that was removed. A view that was in memory has ended them
  /// already, so this matters for a view that was only in the journal.
  func removeAll(of view: String) { for subscription in all(of: view) { _ = remove(subscription.id, of: view) } }

  private func take(_ id: Int, of view: String) -> Entry? {
    state.withLock { state in
      guard let subscription = state.byView[view]?.removeValue(forKey: id) else { return nil }
      if state.byView[view]?.isEmpty == true { state.byView[view] = nil }
      state.count -= 1
      return subscription
    }
  }
}
