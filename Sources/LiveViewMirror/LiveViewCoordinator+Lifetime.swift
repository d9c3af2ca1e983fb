internal import MirrorSupport
internal import NodeObservation
internal import Synchronization

/// The memory of a view, and its removal. ``LiveViews`` calls
/// ``beginRemoval(because:isFollowed:if:)`` and then ``endRemoval()``. A removal is never taken
/// back, so a view that is mounted again has a new `LiveViewCoordinator`.
extension LiveViewCoordinator {
  /// The removal of a view from ``LiveViews``. From then on, the view refuses updates.
  struct Removal {
    var reason: RemovalReason
    /// Whether the listener has been notified, or need not be.
    var isReported = false
    /// Whether the view is removed from memory only. When it is next used, it is loaded from the
    /// journal into another `LiveViewCoordinator`.
    var isUnloading = false
    /// Whether another mirror has removed the view.
    var isFollowed = false
  }

  // MARK: - Memory

  /// The size of the logs of all readable epochs.
  struct LogUsage {
    var entries = 0
    var bytes = 0
    /// The number of entries that were evicted from the logs of all epochs.
    var evicted = 0
  }

  var logUsage: LogUsage {
    state.withLock {
      LogUsage(
        entries: ($0.view?.log.keptEntryCount ?? 0) + $0.ended.logEntries,
        bytes: ($0.view?.log.keptBytes ?? 0) + $0.ended.logBytes, evicted: $0.evictedEntries)
    }
  }

  /// Estimated memory of the pages of all epochs in bytes: the last version and the oldest one that
  /// is kept, and the drawn views. Measured at the end of each update; views drawn later count from
  /// the next update on. Read without a lock.
  package var pageMemory: Int { accounts.page.bytes }

  /// The last entry of the log of which the listener was notified, or is being notified. Later
  /// entries are still being published.
  package var published: LogPosition? { publishedEntry.withLock { $0.position } }

  /// The time of the last update; `nil` until the view is mounted.
  var lastUpdate: MonotonicTime? { state.withLock { $0.lastUpdate } }

  /// The current join of the topic.
  var join: TopicJoin? { state.withLock { $0.join } }

  /// The epoch and the revision of the last change.
  var end: ViewEnd { state.withLock { ViewEnd(epoch: $0.lastEpoch, revision: $0.progress.revision) } }

  /// Evicts the oldest entries of the log, those of ended epochs first. It may be called at any
  /// time, also while an update of the view is computed or published.
  ///
  /// - Parameter bytes: the memory to free. The newest entry is kept, even if less memory is freed.
  func evictEntries(bytes: Int) {
    // Ended epochs are deallocated only after the lock is released.
    _ = state.withLock { state in
      state.evictEntries(bytes: bytes)
      writeRow(of: &state, isWaitedFor: false)
      return state.takeDropped()
    }
  }

  // MARK: - Removal

  var removalReason: RemovalReason? {
    state.withLock { state in state.removal.flatMap { $0.isUnloading ? nil : $0.reason } }
  }

  /// Whether the view was removed and refuses updates. A new subscriber is then not notified of
  /// anything, not even of the end. Earlier subscribers are notified of the end.
  package var isRemoved: Bool { removalReason != nil }

  /// Refuses updates from now on. An update that is already committed is still published. Then
  /// ``endRemoval()`` notifies the listener.
  ///
  /// - Parameter condition: decides whether to remove the view; called under the lock of the view's
  ///   state.
  /// - Returns: whether this call began the removal.
  func beginRemoval(
    because reason: RemovalReason, isFollowed: Bool = false, if condition: (State) -> Bool
  ) -> Bool {
    let begins = state.withLock { state in
      guard state.removal == nil, condition(state) else { return false }
      // The listener was never notified of a view that was never mounted.
      state.removal = Removal(reason: reason, isReported: state.view == nil, isFollowed: isFollowed)
      state.countMemory()
      return true
    }
    if begins { publishers.close() }
    return begins
  }

  /// Notifies the listener of the removal, once, after all updates of the view. If the view has a
  /// journal, and this mirror has begun the removal, the listener is notified only when the removal
  /// is written.
  ///
  /// - Throws: if an update is running and this thread must not wait for it.
  func endRemoval() throws(UpdateError) {
    try inTurn { () throws(UpdateError) in
      let removal = state.withLock { state -> Removal? in
        guard let removal = state.removal, !removal.isReported else { return nil }
        state.removal?.isReported = true
        if journal != nil, !removal.isFollowed { _ = state.progress.nextRevision() }
        return removal
      }
      guard let removal else { return }
      guard let journal, !removal.isFollowed else { return listener?.removed(id, because: removal.reason) ?? () }
      journal.journal.add(end.removal(of: id, because: removal.reason)) { [listener, id] in
        listener?.removed(id, because: removal.reason)
      }
    }
  }
}
