internal import MirrorSupport
internal import NodeObservation

extension LiveViews {
  struct Listed {
    /// The views by id. A view that is being mounted for the first time is included, but readers do not see it.
    var views: [String: LiveViewCoordinator] = [:]
    /// The views that only the journal has.
    var unloaded: [String: UnloadedView] = [:]
    /// The views whose rows could not be read when the journal failed. They are read when it recovers.
    var unread: Set<String> = []
    /// Removed views, until the listener has been notified. Only then can another view with the same id be mounted.
    var leaving: [String: Leaving] = [:]
    /// What removed views had reached. A later view with the same id continues from there, so an event, a link or a node number of the
    /// earlier view never refers to something in the later one.
    var ends = RecentValues<ViewEnd>()
    /// The views that were evicted, until they are mounted again.
    var evicted = RecentValues<Eviction>()
    /// Joins that clients pushed for topics without a view.
    var joins = RecentValues<TopicJoin>()
    /// The pages, and the status of their views.
    var pages: PageTable
    /// The rows of pages that are being written to a shared journal, each with the number of its last write.
    var written: [String: Int] = [:]
    var lastWrite = 0
    /// The number of times that rows of pages were read from a shared journal.
    var adoptions = 0
    /// See ``LiveViews/lastRejectedFeed``.
    var rejectedFeed: RejectedFeed?
    /// Frames that were ignored because they belong to another join than the current one, since the start.
    var staleFrames = 0
    /// The number of removed views by reason.
    var removed: [RemovalReason: Int] = [:]
    /// The number of entries that were evicted from the logs of views that are removed now.
    var evictedEntries = 0

    struct Leaving {
      var view: LiveViewCoordinator
      var reason: RemovalReason
    }

    /// Whether there is a view with an id, or it is known what a removed one had reached.
    func knows(_ id: String) -> Bool {
      views[id] != nil || unloaded[id] != nil || leaving[id] != nil || ends[id] != nil
    }

    /// Moves a view from ``views`` to ``leaving``.
    ///
    /// - Returns: whether the view was listed.
    mutating func unlist(_ view: LiveViewCoordinator, because reason: RemovalReason) -> Bool {
      guard views[view.id] === view else { return false }
      views[view.id] = nil
      pages.remove(view.id)
      // The memory counts as free at once, so that no other view is evicted for it. The removal begins after this.
      view.accounts.page.set(0)
      view.accounts.log.set(0)
      leaving[view.id] = Leaving(view: view, reason: reason)
      removed[reason, default: 0] += 1
      return true
    }
  }

  // MARK: - Removing

  /// Removes a view. Its publishers finish.
  ///
  /// If an update of the view is running, it is still published if it is already committed, and refused otherwise. A view that is
  /// mounted later with the same id continues with the next epoch, as after a remount.
  ///
  /// - Returns: whether there was such a view.
  public func remove(_ id: String) -> Bool {
    while true {
      guard let view = listed.withLock({ $0.views[id] }) else { return removeUnloaded(id, because: .deleted) }
      if remove(view, because: .deleted, if: { $0.view != nil }) { return true }
      guard view.isReplaced else { return false }
      UpdateAttempts.pause()
    }
  }

  /// Removes a view that is not loaded.
  ///
  /// - Parameter condition: decides whether to remove it; called under the lock of the list.
  /// - Returns: whether there was such a view.
  @discardableResult
  func removeUnloaded(
    _ id: String, because reason: RemovalReason, if condition: (Listed) -> Bool = { _ in true }
  ) -> Bool {
    var eviction: Eviction?
    let isRemoved = listed.withLock { listed in
      guard condition(listed), let view = listed.unloaded.removeValue(forKey: id) else { return false }
      listed.pages.remove(id)
      listed.removed[reason, default: 0] += 1
      let end = ViewEnd(epoch: view.row.lastEpoch, revision: view.revision + 1)
      listed.ends.remember(end, of: id)
      if reason == .evicted { eviction = note(evictionOf: id, over: .views, in: &listed) }
      view.account.set(0)
      journal?.add(end.removal(of: id, because: reason)) { [listener] in
        listener?.removed(id, because: reason)
      }
      writePages(of: &listed)
      return true
    }
    if let eviction { whenEvicted.current(eviction) }
    return isRemoved
  }

  /// Removes the views that were not updated for the time of ``MirrorLimits/expiry``.
  ///
  /// - Parameter later: a time that is added to the present, so that a test need not wait.
  /// - Returns: the ids of the removed views.
  @discardableResult
  package func removeIdle(after later: Duration = .zero) -> [String] {
    guard let expiry = limits.expiry else { return [] }
    // Each summand is at most half the range, so the sums do not overflow.
    let oldest = MonotonicTime(
      nanoseconds: min(Int64(later.nanoseconds), .max / 2) + MonotonicTime.now.nanoseconds
        - min(Int64(expiry.nanoseconds), .max / 2))
    let (views, unloaded) = listed.withLock { (Array($0.views.values), $0.unloaded) }
    let removed = views.filter { view in
      // A view that is updated meanwhile stays.
      remove(view, because: .expired) { state in state.lastUpdate.map { $0 < oldest } ?? false }
    }.map(\.id)
    let idle = unloaded.filter { $0.value.lastUpdate < oldest }.keys
    return
      (removed
      + idle.filter { id in
        removeUnloaded(id, because: .expired) { $0.unloaded[id].map { $0.lastUpdate < oldest } == true }
      }).sorted()
  }

  private func remove(
    _ view: LiveViewCoordinator, because reason: RemovalReason,
    if condition: (LiveViewCoordinator.State) -> Bool
  ) -> Bool {
    guard view.beginRemoval(because: reason, if: condition) else { return false }
    listed.withLock { listed in
      _ = listed.unlist(view, because: reason)
      writePages(of: &listed)
    }
    endWhenPossible(view, because: reason)
    return true
  }

  private func endWhenPossible(_ view: LiveViewCoordinator, because reason: RemovalReason) {
    do throws(UpdateError) {
      try end(view, because: reason)
    } catch {
      // A subscriber must not wait for an update, so the removal ends after this publication. If too much work is deferred
      // already, it ends when the id is mounted again.
      try? Publication.afterwards("removal of \(view.id)") { try? self.end(view, because: reason) }
    }
  }

  /// Ends the removal of a view that is not listed any more, and notifies the listener.
  private func end(_ view: LiveViewCoordinator, because reason: RemovalReason) throws(UpdateError) {
    _ = view.beginRemoval(because: reason) { _ in true }
    try view.endRemoval()
    // The view does not change any more.
    let (end, evicted) = (view.end, view.logUsage.evicted)
    listed.withLock { listed in
      guard listed.leaving[view.id]?.view === view else { return }
      listed.leaving[view.id] = nil
      listed.ends.remember(end, of: view.id)
      listed.evictedEntries += evicted
    }
  }

  // MARK: - Mounting

  /// Runs `body` with the view of an id, which is created if there is none. A new view is discarded if its first mount fails.
  ///
  /// - Parameters:
  ///   - frame: the number of the mount's frame; see ``LiveViewCoordinator/hasReceived(frame:)``.
  ///   - join: that of the first attempt, which takes it.
  func mounting<Result>(
    _ id: String, frame: Int? = nil, join: inout TopicJoin?,
    _ body: (LiveViewCoordinator) throws(UpdateError) -> Result
  ) throws(UpdateError) -> (result: Result, view: LiveViewCoordinator) {
    guard Self.isValid(id: id) else {
      throw UpdateError(
        .invalidView,
        reason:
          "a view id must have 1 to 200 characters of A–Z, a–z, 0–9 and . _ : ~ -, and must not be . or ..")
    }
    var attempts = UpdateAttempts()
    try recallEnd(of: id)
    while true {
      if let leaving = listed.withLock({ $0.leaving[id] }) { try end(leaving.view, because: leaving.reason) }
      if let view = try loaded(id), view.isReplaced {
        UpdateAttempts.pause()
        continue
      }
      guard let (view, isNew) = found(id, join: join) else {
        try checkJournal()
        UpdateAttempts.pause()
        continue
      }
      do throws(UpdateError) {
        if isNew { join = view.join } else if let join, !view.hasReceived(frame: frame) { try view.begin(join) }
        let result = try body(view)
        listed.withLock { if $0.views[id] === view { _ = $0.evicted.take(id) } }
        makeRoom(for: view)
        return (result, view)
      } catch {
        if try attempts.continues(after: error, view) {
          try checkJournal()
        } else if let reason = view.removalReason {
          forget(view, because: reason)
        } else {
          // Another thread may have mounted the view meanwhile.
          if isNew, view.beginRemoval(because: .deleted, if: { $0.view == nil }) { forget(view, because: .deleted) }
          throw error
        }
      }
    }
  }

  /// Reads from the journal what an earlier view with an id had reached, if memory does not have it any more. Another mirror may also have
  /// mounted a view with this id.
  private func recallEnd(of id: String) throws(UpdateError) {
    guard let journal, listed.withLock({ !$0.knows(id) }) else { return }
    do throws(JournalError) {
      guard let stored = try journal.store.row(of: id) else { return }
      let row = try JournalRow(checking: stored.bytes, of: id)
      listed.withLock { listed in if !listed.knows(id) { list(id, row, revision: stored.revision, in: &listed) } }
    } catch {
      throw UpdateError(error)
    }
  }

  /// The view of an id, created and listed if there was none; `nil` while another view with this id is being removed.
  ///
  /// - Parameter join: of a new view, if the client has not joined again.
  private func found(_ id: String, join: TopicJoin?) -> (LiveViewCoordinator, isNew: Bool)? {
    listed.withLock { listed in
      if let view = listed.views[id] { return (view, false) }
      if listed.leaving[id] != nil || listed.unloaded[id] != nil { return nil }
      let view = newView(id, after: listed.ends.take(id) ?? ViewEnd(), join: takeJoin(id, from: &listed) ?? join)
      view.touch()
      listed.views[id] = view
      return (view, true)
    }
  }

  /// A view that is not mounted.
  func newView(_ id: String, after end: ViewEnd = ViewEnd(), join: TopicJoin? = nil) -> LiveViewCoordinator {
    LiveViewCoordinator(
      id: id, options: options, bounds: LogBounds(entries: limits.versions), epochBounds: limits.epochBounds,
      budgets: (loadedLogs, pageBudget), decoders: decoders, after: end, join: join, registry: nil, listener: listener,
      clock: clock,
      journal: journal)
  }

  /// Keeps the join of a topic without a view.
  func remember(_ join: TopicJoin, of id: String, in listed: inout Listed) {
    write(.join(id), join.encoded, in: &listed)
    if let oldest = listed.joins.remember(join, of: id) { write(.join(oldest), nil, in: &listed) }
  }

  private func takeJoin(_ id: String, from listed: inout Listed) -> TopicJoin? {
    guard let join = listed.joins.take(id) else { return nil }
    write(.join(id), nil, in: &listed)
    return join
  }

  /// Discards a view after a failed mount. If the view was mounted before, it is removed like other views. Otherwise only its
  /// epoch and join are kept.
  private func forget(_ view: LiveViewCoordinator, because reason: RemovalReason) {
    let (end, isMounted, join) = (view.end, view.isMounted, view.join)
    listed.withLock { listed in
      if isMounted {
        _ = listed.unlist(view, because: reason)
      } else if listed.views[view.id] === view {
        listed.views[view.id] = nil
        if end.epoch > 0 { listed.ends.remember(end, of: view.id) }
        if let join {
          remember(join, of: view.id, in: &listed)
        }
      }
    }
  }

  // MARK: - Limits

  /// Removes views while there are too many, and makes room for their pages.
  private func makeRoom(for view: LiveViewCoordinator) {
    while removeOldest(except: view) {}
    makeRoomForPages(beside: view)
  }

  /// Unloads or removes views while all pages together take too much memory. Before a view, ended epochs are dropped.
  ///
  /// A page that is larger than ``MirrorLimits/pageBytes`` by itself leaves an eighth of the limit for the others: they need not all go. The
  /// newest entries of the logs, which are not evicted, count here if they take more than ``MirrorLimits/logBytes`` together.
  ///
  /// - Complexity: O(1) within the limit, otherwise O(*views* · log *views*), and the removals.
  func makeRoomForPages(beside view: LiveViewCoordinator) {
    pageBudget.enforce(adding: { excessOfLogs }) {
      let limit = pageBudget.limit
      // The page may shrink before the thread that frees memory calls this.
      let excess: @Sendable () -> Int = { [self] in
        let page = view.pageMemory
        return pageBudget.bytes + excessOfLogs - (page > limit ? page + limit / 8 : limit)
      }
      dropEndedEpochs(excess)
      if excess() <= 0 { return }
      // The journal keeps what memory does not.
      if journal != nil { return free { $0.unloads = (view, excess) } }
      for other in evictionOrder(besides: view) where excess() > 0 {
        evict(other, over: .pageBytes) { _ in excess() > 0 }
      }
    }
  }

  /// The bytes by which the newest entries of loaded logs, which are not evicted, exceed the limit of logs. Until an eviction has ended, the logs
  /// take up to an eighth more than that.
  private var excessOfLogs: Int { max(0, loadedLogs.bytes - loadedLogs.limit - loadedLogs.limit / 8) }

  /// The views in the order in which they are removed for their memory: those of closed pages before the others. Views that take at least a
  /// hundredth of the limit go first, by their memory and the time since their last update. Smaller ones free little and go last, the least
  /// recently updated first. A view whose first mount is running makes room itself when it is mounted.
  func evictionOrder(besides view: LiveViewCoordinator?) -> [LiveViewCoordinator] {
    let countsLogs = excessOfLogs > 0
    let views = listed.withLock { listed in
      listed.views.values.filter { $0 !== view }.map { (view: $0, rank: listed.pages.isClosed($0.id) ? 0 : 1) }
    }
    let now = MonotonicTime.now
    let candidates = views.compactMap { candidate, rank -> (view: LiveViewCoordinator, order: (Int, Int, Double))? in
      guard let updated = candidate.lastUpdate else { return nil }
      let age = updated.duration(to: now) / .seconds(1)
      let memory = candidate.pageMemory + (countsLogs ? candidate.accounts.log.bytes : 0)
      let isLarge = memory >= limits.pageBytes / 100
      return (candidate, (rank, isLarge ? 0 : 1, -(isLarge ? Double(memory) * (age + 1) : age)))
    }
    return candidates.sorted { $0.order < $1.order }.map(\.view)
  }

  /// - Parameter condition: decides whether to remove it; called under the lock of the list. Another thread may have made room meanwhile.
  private func evict(_ view: LiveViewCoordinator, over bound: Eviction.Bound, if condition: (Listed) -> Bool) {
    let eviction = listed.withLock { listed -> Eviction? in
      defer { writePages(of: &listed) }
      guard condition(listed), listed.unlist(view, because: .evicted) else { return nil }
      return note(evictionOf: view.id, over: bound, in: &listed)
    }
    guard let eviction else { return }
    whenEvicted.current(eviction)
    endWhenPossible(view, because: .evicted)
  }

  /// Removes the least recently updated view if there are too many, loaded or not. Views of a page that has closed are removed before the
  /// others.
  ///
  /// - Returns: whether there may be more to remove.
  /// - Complexity: O(1) within the limit, otherwise O(*views*).
  private func removeOldest(except view: LiveViewCoordinator) -> Bool {
    typealias Candidate = (id: String, rank: Int, view: LiveViewCoordinator?, updated: MonotonicTime?)
    let candidates: [Candidate] = listed.withLock { listed in
      guard isOverfull(listed) else { return [] }
      let mayBeClosed = listed.pages.hasClosed
      func rank(_ id: String) -> Int { mayBeClosed && listed.pages.isClosed(id) ? 0 : 1 }
      return listed.views.values.filter { $0 !== view }.map { ($0.id, rank($0.id), $0, nil) }
        + listed.unloaded.map { ($0.key, rank($0.key), nil, $0.value.lastUpdate) }
    }
    // A view whose first mount is running has no `lastUpdate` yet. It makes room itself when it is mounted.
    let oldest = candidates.lazy.compactMap { candidate in
      (candidate.updated ?? candidate.view?.lastUpdate).map { (candidate: candidate, order: (candidate.rank, $0)) }
    }.min { $0.order < $1.order }?.candidate
    guard let oldest else { return false }
    guard let view = oldest.view else {
      return removeUnloaded(oldest.id, because: .evicted, if: self.isOverfull)
    }
    evict(view, over: .views, if: self.isOverfull)
    return true
  }

  private func isOverfull(_ listed: Listed) -> Bool {
    listed.views.count + listed.unloaded.count > max(1, limits.views)
  }
}

extension Duration {
  /// In nanoseconds. A larger duration than an integer can hold is half the maximum, 146 years.
  fileprivate var nanoseconds: Int {
    let (nanoseconds, isTooLarge) = Int(components.seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLarge ? .max / 2 : nanoseconds + Int(components.attoseconds / 1_000_000_000)
  }
}
