internal import NodeObservation

/// How many children the subscriptions follow, all together: each takes some 140 bytes, and every change of a parent walks
/// over its followed children.
///
/// Children of every kind are counted, text among them, since the walk passes them too.
final class FollowedNodes: Sendable {
  /// Of all subscriptions together.
  let limit: Int
  /// Of one subscription: a half, so that one cannot take the room of all others.
  let limitOfOne: Int
  private let used = Guarded(0)

  init(limit: Int = 262_144) {
    self.limit = limit
    limitOfOne = (limit + 1) / 2
  }

  /// How many more may be followed.
  var room: Int { max(0, limit - count) }

  var count: Int { used.withLock { $0 } }

  /// Gives back what one subscription has, and takes as much of what it wants as there is room for.
  ///
  /// - Returns: how many it has now.
  func exchange(_ granted: Int, for wanted: Int) -> Int {
    used.withLock { used in
      used -= granted
      let room = max(0, limit - used)
      let taken = min(wanted, limitOfOne, room)
      used += taken
      return taken
    }
  }

  func giveBack(_ granted: Int) { used.withLock { $0 -= granted } }
}
