internal import CLibrary

/// Counts the attempts to apply one update to a view. An attempt fails if the view's
/// `LiveViewCoordinator` was unloaded meanwhile, or if another mirror has changed the view first.
///
/// ``LiveViews`` makes one for each update or mount. ``shouldRetry(after:of:)`` may pause, so the
/// caller must have no lock.
package struct UpdateAttempts {
  private var conflicts = 0
  private var hasCaughtUp = false

  /// The number of conflicts after which an update fails. The pauses between attempts are random,
  /// at most 16 ms, so that mirrors which change the same view all the time let each other through.
  private static let maximumConflicts = 100

  /// Decides after an error whether the update is applied again. Pauses for a random time after a
  /// conflict.
  ///
  /// - Throws: the error of a conflict after too many of them.
  mutating func shouldRetry(after error: UpdateError, of view: LiveViewCoordinator) throws(UpdateError) -> Bool {
    switch error.kind {
    case .unknownView:
      guard view.isReplaced else { return false }
      // Gives the other thread time to list the view's new `LiveViewCoordinator`.
      Self.pause()
      return true
    case .outdated:
      conflicts += 1
      guard conflicts < Self.maximumConflicts else { throw error }
      usleep(UInt32.random(in: 0...min(500 << min(conflicts, 5), 16_000)))
      return true
    default: return false
    }
  }

  /// Pauses for 200 µs, so that another thread can continue.
  package static func pause() { usleep(200) }

  /// Whether the update is applied once more after an error whose cause may be a change by another
  /// mirror. Only the first call returns `true`.
  mutating func mayCatchUp() -> Bool {
    defer { hasCaughtUp = true }
    return !hasCaughtUp
  }
}
