internal import MirrorSupport
internal import NodeObservation

/// Mounts and removes views. Feeds mount them. `DELETE /views/{view}`, limits and the expiry time
/// remove them.
///
/// The id of a removed view can be mounted again only after the listener was notified of the
/// removal. No lock of the directory is held while a view is mounted or its removal ends.
extension LiveViews {
  // MARK: - Mounting

  /// Runs `body` with a view. If no view has the id, a new one is made, and discarded if its first
  /// mount fails.
  ///
  /// - Parameters:
  ///   - frame: the number of the mount's frame; see ``LiveViewCoordinator/hasReceived(frame:)``.
  ///   - join: the join that the first attempt has taken from the directory; later attempts need
  ///     it.
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
      if case .leaving(let view, let reason, _) = directory.withLock({ $0[id] }) { try end(view, because: reason) }
      if let view = try load(id), view.isReplaced {
        UpdateAttempts.pause()
        continue
      }
      guard let (view, isNew) = findOrAdd(id, join: join) else {
        try checkJournal()
        UpdateAttempts.pause()
        continue
      }
      do throws(UpdateError) {
        if isNew { join = view.join } else if let join, !view.hasReceived(frame: frame) { try view.begin(join) }
        let result = try body(view)
        directory.withLock { $0.didMount(view) }
        makeRoom(for: view)
        return (result, view)
      } catch {
        if try attempts.shouldRetry(after: error, of: view) {
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

  /// Reads the ``ViewEnd`` of an earlier view with this id from the journal, if memory does not
  /// have it any more. If another mirror has mounted a view with this id, that view is listed.
  private func recallEnd(of id: String) throws(UpdateError) {
    guard let journal, directory.withLock({ $0[id] == nil }) else { return }
    do throws(JournalError) {
      guard let stored = try journal.store.row(of: id) else { return }
      let row = try JournalRow(checking: stored.bytes, of: id)
      directory.withLock { directory in
        if directory[id] == nil { list(id, row, revision: stored.revision, in: &directory) }
      }
    } catch {
      throw UpdateError(error)
    }
  }

  /// The view of an id, created and listed if there was none. `nil` while a view with this id is
  /// being removed, or while it is listed but not loaded.
  ///
  /// - Parameter join: the join of a new view, unless the directory has a later one.
  private func findOrAdd(_ id: String, join: TopicJoin?) -> (LiveViewCoordinator, isNew: Bool)? {
    changeDirectory { directory in
      var end = ViewEnd()
      switch directory[id] {
      case .loaded(let view), .unloading(let view): return (view, false)
      case .unloaded, .loading, .leaving: return nil
      case .ended(let known): end = known
      case nil: break
      }
      let view = newView(id, after: end, join: directory.pages.takeJoin(of: id) ?? join)
      view.touch()
      directory.add(view)
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

  /// Discards a view after a failed mount. If the view was mounted before, it is removed like other
  /// views. Otherwise only its epoch and join are kept.
  private func forget(_ view: LiveViewCoordinator, because reason: RemovalReason) {
    let (end, isMounted, join) = (view.end, view.isMounted, view.join)
    changeDirectory { directory in
      if isMounted {
        _ = directory.beginRemoval(of: view, because: reason)
      } else if directory.forget(view, end), let join {
        directory.pages.keep(join, of: view.id)
      }
    }
  }

  // MARK: - Removing

  /// Removes a view. Its publishers finish.
  ///
  /// If an update of the view is running, it is still published if it is already committed, and
  /// refused otherwise. A view that is mounted later with the same id continues with the next
  /// epoch, as after a remount.
  ///
  /// - Returns: whether there was such a view.
  public func remove(_ id: String) -> Bool {
    while true {
      guard let view = find(id) else { return removeUnloaded(id, because: .deleted) }
      if remove(view, because: .deleted, if: { $0.view != nil }) { return true }
      guard view.isReplaced else { return false }
      UpdateAttempts.pause()
    }
  }

  /// Removes a view that is not loaded.
  ///
  /// - Parameter condition: decides whether to remove it; called under the lock of the directory.
  /// - Returns: whether there was such a view.
  @discardableResult
  func removeUnloaded(
    _ id: String, because reason: RemovalReason, if condition: (ViewDirectory) -> Bool = { _ in true }
  ) -> Bool {
    let eviction = reason == .evicted ? Eviction(view: id, bound: .views, time: clock.now()) : nil
    let isRemoved = changeDirectory { directory in
      guard condition(directory), let end = directory.removeUnloaded(id, because: reason, eviction: eviction) else {
        return false
      }
      journal?.add(end.removal(of: id, because: reason)) { [listener] in
        listener?.removed(id, because: reason)
      }
      return true
    }
    if isRemoved, let eviction { whenEvicted.current(eviction) }
    return isRemoved
  }

  /// Removes the views that were not updated for the time of ``MirrorLimits/expiry``. `serve` calls
  /// this from time to time.
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
    let (views, unloaded) = directory.withLock { ($0.views, $0.unloaded) }
    let removed = views.filter { view in
      // A view that is updated meanwhile stays.
      remove(view, because: .expired) { state in state.lastUpdate.map { $0 < oldest } ?? false }
    }.map(\.id)
    let idle = unloaded.filter { $0.view.lastUpdate < oldest }.map(\.id)
    return
      (removed
      + idle.filter { id in
        removeUnloaded(id, because: .expired) { $0[id]?.unloaded.map { $0.lastUpdate < oldest } == true }
      }).sorted()
  }

  /// - Parameter condition: decides whether to remove the view; called under the lock of the view's
  ///   state.
  private func remove(
    _ view: LiveViewCoordinator, because reason: RemovalReason,
    if condition: (LiveViewCoordinator.State) -> Bool
  ) -> Bool {
    guard view.beginRemoval(because: reason, if: condition) else { return false }
    _ = changeDirectory { $0.beginRemoval(of: view, because: reason) }
    endWhenPossible(view, because: reason)
    return true
  }

  /// Ends a removal now, or after the publication on this thread.
  private func endWhenPossible(_ view: LiveViewCoordinator, because reason: RemovalReason) {
    do throws(UpdateError) {
      try end(view, because: reason)
    } catch {
      // A subscriber must not wait for an update, so the removal ends after this publication. If
      // too much work is deferred already, the removal ends when the id is mounted again.
      try? Publication.afterwards("removal of \(view.id)") { try? self.end(view, because: reason) }
    }
  }

  /// Ends the removal of a view that is not listed any more, and notifies the listener.
  private func end(_ view: LiveViewCoordinator, because reason: RemovalReason) throws(UpdateError) {
    _ = view.beginRemoval(because: reason) { _ in true }
    try view.endRemoval()
    // The view does not change any more.
    let (end, evicted) = (view.end, view.logUsage.evicted)
    directory.withLock { $0.endRemoval(of: view, end, evicted: evicted) }
  }

  // MARK: - Evicting

  /// Removes a view because of a limit.
  ///
  /// - Parameter condition: decides whether to remove the view; called under the lock of the
  ///   directory, because another thread may have made room meanwhile.
  func evict(_ view: LiveViewCoordinator, over bound: Eviction.Bound, if condition: (ViewDirectory) -> Bool) {
    let eviction = Eviction(view: view.id, bound: bound, time: clock.now())
    let isEvicted = changeDirectory { directory in
      condition(directory) && directory.beginRemoval(of: view, because: .evicted, eviction: eviction)
    }
    guard isEvicted else { return }
    whenEvicted.current(eviction)
    endWhenPossible(view, because: .evicted)
  }

  /// Calls `body` after each eviction of a view.
  package func whenEvicted(_ body: @escaping @Sendable (Eviction) -> Void) { whenEvicted.withLock { $0 = body } }

  /// The last evicted views that were not mounted again, newest first.
  package func evicted(last count: Int) -> [Eviction] {
    directory.withLock { $0.evictions }.suffix(count).reversed()
  }

  /// The reason why there is no view with an id: it was evicted, or it was deleted or never
  /// mounted.
  ///
  /// - Complexity: O(1)
  package func absence(of id: String) -> UpdateError {
    guard let eviction = directory.withLock({ $0.eviction(of: id) }) else {
      return UpdateError(.unknownView, reason: "there is no view \"\(id)\"; mount it first: POST /views/\(id)/rendered")
    }
    return UpdateError(
      .evicted,
      reason: """
        the view "\(id)" was evicted, because \(limits.cause(of: eviction)); mount it again: POST /views/\(id)/rendered
        """)
  }
}

extension Duration {
  /// In nanoseconds. A larger duration than an integer can hold is half the maximum, 146 years.
  fileprivate var nanoseconds: Int {
    let (nanoseconds, isTooLarge) = Int(components.seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLarge ? .max / 2 : nanoseconds + Int(components.attoseconds / 1_000_000_000)
  }
}
