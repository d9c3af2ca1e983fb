internal import MirrorSupport
internal import NodeObservation

/// A budget for the children that subscriptions follow, which means that a subscription of a node
/// also receives the signals of its children. Each followed child takes 140 bytes, and every change
/// of the parent visits all of them.
///
/// All children count, including texts, because such a visit passes texts too.
///
/// ``Subscriptions`` checks the budget before it makes a ``Subscription``, which then takes a share
/// and returns it at its end. The sum of all shares never exceeds ``limit``.
final class FollowedNodes: Sendable {
  /// The bound for all subscriptions.
  let limit: Int
  /// The bound for one subscription: a half, so that one subscription cannot use the whole budget.
  let limitOfOne: Int
  private let used = Guarded(0)

  init(limit: Int = 262_144) {
    self.limit = limit
    limitOfOne = (limit + 1) / 2
  }

  /// The number of children that can still be followed.
  var room: Int { max(0, limit - count) }

  var count: Int { used.current }

  /// Gives the share `granted` of a subscription back to the budget, and takes a new share of up to
  /// `wanted` children, as far as the budget and ``limitOfOne`` allow.
  ///
  /// - Returns: the new share.
  func exchange(_ granted: Int, for wanted: Int) -> Int {
    used.withLock { used in
      used -= granted
      let room = max(0, limit - used)
      let taken = min(wanted, limitOfOne, room)
      used += taken
      return taken
    }
  }

  func release(_ granted: Int) { used.withLock { $0 -= granted } }
}
