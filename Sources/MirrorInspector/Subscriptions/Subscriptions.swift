internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// All subscriptions that were asked for and are not over, of all views.
final class Subscriptions: Sendable {
  /// How many there may be.
  let limit: Int
  /// How many children they follow, all together.
  let followed: FollowedNodes
  private let state = Guarded(State())

  private struct State {
    var byView: [String: [Int: (subscription: Subscription, coordinator: LiveViewCoordinator)]] = [:]
    var count = 0
    var last = 0
  }

  init(limit: Int = 1_000, followed: FollowedNodes = FollowedNodes()) {
    self.limit = limit
    self.followed = followed
  }

  enum Refusal: Error, Hashable {
    /// There are as many as there may be.
    case full
    /// The view has no such node.
    case unknownNode
    /// The node has more children than one subscription may follow.
    case tooManyChildren(Int)
    /// The others follow so many children that there is no room for these.
    case noRoomForChildren(Int)
  }

  var count: Int { state.withLock { $0.count } }
  var countsByView: [String: Int] { state.withLock { $0.byView.mapValues(\.count) } }
  func count(of view: String) -> Int { state.withLock { $0.byView[view]?.count ?? 0 } }

  /// Those of a view, oldest first.
  func all(of view: String) -> [Subscription] {
    state.withLock { ($0.byView[view] ?? [:]).values.map(\.subscription) }.sorted { $0.id < $1.id }
  }

  func find(_ id: Int, of view: String) -> Subscription? { state.withLock { $0.byView[view]?[id]?.subscription } }

  func add(
    to node: NodeRef, in view: LiveViewCoordinator, hasChildren: Bool, label: String?
  ) throws(Refusal) -> Subscription {
    // Refused here, a subscription costs nothing; children that arrive from now on are found below.
    let children = hasChildren ? view.reading { $0.childCount(of: node) } ?? 0 : 0
    if children > followed.limitOfOne { throw .tooManyChildren(children) }
    if children > followed.room { throw .noRoomForChildren(children) }
    // Its place is taken before it listens: it may be over before this returns.
    let subscription = try state.withLock { state throws(Refusal) in
      guard state.count < limit else { throw .full }
      state.last += 1
      let subscription = Subscription(
        id: state.last, of: node, in: view.id, hasChildren: hasChildren, label: label, followed: followed)
      state.byView[view.id, default: [:]][state.last] = (subscription, view)
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

  /// Ends one.
  ///
  /// - Returns: whether there was one.
  func remove(_ id: Int, of view: String) -> Bool {
    guard let (subscription, coordinator) = take(id, of: view) else { return false }
    subscription.end(in: coordinator)
    return true
  }

  private func take(
    _ id: Int, of view: String
  ) -> (subscription: Subscription, coordinator: LiveViewCoordinator)? {
    state.withLock { state in
      guard let subscription = state.byView[view]?.removeValue(forKey: id) else { return nil }
      if state.byView[view]?.isEmpty == true { state.byView[view] = nil }
      state.count -= 1
      return subscription
    }
  }
}
