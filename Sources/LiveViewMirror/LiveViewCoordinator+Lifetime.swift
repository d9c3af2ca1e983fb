internal import NodeObservation
internal import Synchronization

extension LiveViewCoordinator {
  struct Held {
    /// `nil` until it is mounted.
    var view: ViewState?
    var bounds: LogBounds
    /// That of the last mount.
    var lastEpoch: Int
    /// The current join of the topic; `nil` where no frame of the client or the server named one.
    var join: TopicJoin?
    /// When an update was last put in place, or its subscribers were last notified, by a ``Stopwatch``. No setting of the
    /// wall clock changes its order.
    var lastUpdate: Int?
    /// The last entry that is complete: what the listener has been told of, or is told of next.
    var published: ChangeLog.Place?
    /// Entries of all its logs that were let go.
    var evictedEntries = 0
    var removal: Removal?
  }

  /// The end of a view among ``LiveViews``: it takes no update from then on.
  struct Removal {
    var reason: RemovalReason
    var isTold = false
  }

  // MARK: - What is kept

  /// What its log takes.
  struct LogUsage {
    var entries = 0
    var bytes = 0
    /// Entries of all its logs that were let go.
    var evicted = 0
  }

  var logUsage: LogUsage {
    held.withLock {
      LogUsage(
        entries: $0.view?.log.keptEntries ?? 0, bytes: $0.view?.log.keptBytes ?? 0, evicted: $0.evictedEntries)
    }
  }

  /// Estimated memory of the page in bytes: the current version, the oldest version that is kept, and the drawn views.
  /// Measured at the end of each update; views drawn later count from the next update on. Read without a lock.
  package var pageMemory: Int { measuredMemory.load(ordering: .relaxed) }

  /// Measured: a drawn list item with its text takes 700 bytes.
  static let memoryOfDrawnView = 700

  /// How far its log has been told of, or is being told of: what stands behind this in the log is not complete yet.
  package var published: ChangeLog.Place? { held.withLock { $0.published } }

  /// When it was last updated, by a ``Stopwatch``; `nil` until it is mounted.
  var lastUpdate: Int? { held.withLock { $0.lastUpdate } }

  /// The current join of the topic.
  var join: TopicJoin? { held.withLock { $0.join } }

  var lastEpoch: Int { held.withLock { $0.lastEpoch } }

  /// Lets go at once what its log has too much then.
  ///
  /// - Parameter bounds: asked for under the lock of the view.
  func keep(within bounds: () -> LogBounds) {
    held.withLock { held in
      held.bounds = bounds()
      held.view?.bounds = held.bounds
      held.evictedEntries += held.view?.trimLog() ?? 0
    }
  }

  // MARK: - Its end

  var removalReason: RemovalReason? { held.withLock { $0.removal?.reason } }

  /// Whether it takes no update any more. Who begins to listen then is told of nothing, not even of the end; who began
  /// before this was false is.
  package var isRemoved: Bool { removalReason != nil }

  /// From now on no update is taken. One that was put in place already is told of, and then ``endRemoval()`` that the view
  /// is gone.
  ///
  /// - Parameter condition: of what it holds, under its lock.
  /// - Returns: whether this call removed it.
  func beginRemoval(because reason: RemovalReason, if condition: (Held) -> Bool) -> Bool {
    let begins = held.withLock { held in
      guard held.removal == nil, condition(held) else { return false }
      // Nobody has heard of a view that was never mounted.
      held.removal = Removal(reason: reason, isTold: held.view == nil)
      return true
    }
    if begins { publishers.close() }
    return begins
  }

  /// Tells that the view is gone, once, behind everything that was told of it.
  ///
  /// - Throws: where an update of it runs that this thread must not wait for.
  func endRemoval() throws(UpdateError) {
    try inTurn { () throws(UpdateError) in
      let reason = held.withLock { held -> RemovalReason? in
        guard let removal = held.removal, !removal.isTold else { return nil }
        held.removal?.isTold = true
        return removal.reason
      }
      if let reason { listener?.removed(id, because: reason) }
    }
  }
}
