internal import NodeObservation

extension LiveViews {
  struct Listed {
    /// By id. One that is being mounted for the first time is among them, and nobody is shown it.
    var views: [String: LiveViewCoordinator] = [:]
    /// Removed, and not everybody was told yet. A new one of the same id comes after that.
    var leaving: [String: Leaving] = [:]
    /// The epochs that views had reached when they were removed. A view that comes again under the same id continues from
    /// there, so an event, a link or a number of the view before never means something in the new one.
    var epochs = RecentlyNamed<Int>()
    /// Joins that clients pushed for topics without a view.
    var joins = RecentlyNamed<TopicJoin>()
    /// Frames that were ignored because they belong to another join than the current one, since the start.
    var staleFrames = 0
    /// What each view keeps of its log.
    var bounds: LogBounds
    var removed: [RemovalReason: Int] = [:]
    /// Entries that views had let go which are gone themselves.
    var evictedEntries = 0

    struct Leaving {
      var view: LiveViewCoordinator
      var reason: RemovalReason
    }

    /// - Returns: whether it was listed.
    mutating func unlist(_ view: LiveViewCoordinator, because reason: RemovalReason) -> Bool {
      guard views[view.id] === view else { return false }
      views[view.id] = nil
      leaving[view.id] = Leaving(view: view, reason: reason)
      removed[reason, default: 0] += 1
      return true
    }
  }

  // MARK: - Removing

  /// Forgets a view; its publishers finish.
  ///
  /// An update of it that runs is told to its end, and one that was not put in place yet is refused. The same id can be
  /// mounted again: that view has an epoch one higher, as if it had been mounted anew.
  ///
  /// - Returns: whether there was one.
  public func remove(_ id: String) -> Bool {
    guard let view = listed.withLock({ $0.views[id] }) else { return false }
    return remove(view, because: .deleted) { $0.view != nil }
  }

  /// Removes the views that were not updated for as long as views are kept, see ``MirrorLimits/expiry``.
  ///
  /// - Parameter later: how long after the present; a test need not wait.
  /// - Returns: their ids.
  @discardableResult
  package func removeIdle(after later: Duration = .zero) -> [String] {
    guard let expiry = limits.expiry else { return [] }
    // At most half the range each, so neither operation overflows.
    let oldest = min(later.nanoseconds, .max / 2) + Stopwatch.now - min(expiry.nanoseconds, .max / 2)
    let views = listed.withLock { Array($0.views.values) }
    return views.filter { view in
      // One that is updated meanwhile stays.
      remove(view, because: .expired) { held in held.lastUpdate.map { $0 < oldest } ?? false }
    }.map(\.id).sorted()
  }

  private func remove(
    _ view: LiveViewCoordinator, because reason: RemovalReason,
    if condition: (LiveViewCoordinator.Held) -> Bool
  ) -> Bool {
    guard view.beginRemoval(because: reason, if: condition) else { return false }
    _ = listed.withLock { $0.unlist(view, because: reason) }
    endWhenPossible(view, because: reason)
    share()
    return true
  }

  private func endWhenPossible(_ view: LiveViewCoordinator, because reason: RemovalReason) {
    do throws(UpdateError) {
      try end(view, because: reason)
    } catch {
      // A subscriber must not wait for an update: the rest is done when this publication has ended. Put off too often, it
      // is done when the id is mounted again.
      try? Publication.afterwards("removal of \(view.id)") { try? self.end(view, because: reason) }
    }
  }

  /// Tells that a view is gone that is listed no more.
  private func end(_ view: LiveViewCoordinator, because reason: RemovalReason) throws(UpdateError) {
    _ = view.beginRemoval(because: reason) { _ in true }
    try view.endRemoval()
    // Nothing of it changes any more.
    let (epoch, evicted) = (view.lastEpoch, view.logUsage.evicted)
    listed.withLock { listed in
      guard listed.leaving[view.id]?.view === view else { return }
      listed.leaving[view.id] = nil
      listed.epochs.remember(epoch, of: view.id)
      listed.evictedEntries += evicted
    }
  }

  // MARK: - Mounting

  /// The view, made where there is none yet; one whose first mount fails leaves nothing behind.
  func mounting<Result>(
    _ id: String, _ body: (LiveViewCoordinator) throws(UpdateError) -> Result
  ) throws(UpdateError) -> (result: Result, view: LiveViewCoordinator) {
    guard Self.isValid(id: id) else {
      throw UpdateError(
        .invalidView,
        reason:
          "a view id has 1 to 200 characters of A–Z, a–z, 0–9 and . _ : ~ -, and is not . or ..; this one is not so")
    }
    while true {
      if let leaving = listed.withLock({ $0.leaving[id] }) { try end(leaving.view, because: leaving.reason) }
      guard let (view, isNew) = found(id) else { continue }
      do throws(UpdateError) {
        let result = try body(view)
        makeRoom(for: view)
        return (result, view)
      } catch {
        if let reason = view.removalReason {
          forget(view, because: reason)
        } else {
          // Somebody else may have mounted it meanwhile.
          if isNew, view.beginRemoval(because: .deleted, if: { $0.view == nil }) { forget(view, because: .deleted) }
          throw error
        }
      }
    }
  }

  /// The view of an id, listed now where there was none; `nil` while one of this id is leaving.
  private func found(_ id: String) -> (LiveViewCoordinator, isNew: Bool)? {
    listed.withLock { listed in
      if let view = listed.views[id] { return (view, false) }
      if listed.leaving[id] != nil { return nil }
      let view = LiveViewCoordinator(
        id: id, options: options, bounds: listed.bounds, after: listed.epochs.take(id) ?? 0,
        join: listed.joins.take(id), registry: nil, listener: listener, clock: clock)
      listed.views[id] = view
      return (view, true)
    }
  }

  /// After a mount that failed: what was mounted before leaves as others do, and the rest leaves nothing behind.
  private func forget(_ view: LiveViewCoordinator, because reason: RemovalReason) {
    let (epoch, isMounted, join) = (view.lastEpoch, view.isMounted, view.join)
    listed.withLock { listed in
      if isMounted {
        _ = listed.unlist(view, because: reason)
      } else if listed.views[view.id] === view {
        listed.views[view.id] = nil
        if epoch > 0 { listed.epochs.remember(epoch, of: view.id) }
        if let join { listed.joins.remember(join, of: view.id) }
      }
    }
  }

  // MARK: - Limits

  /// From this size on, a page is looked at after each update. Smaller ones cannot fill the memory without being mounted.
  private static let largePage = 2 << 20

  /// Removes other views where a page has become so large that all of them take too much memory.
  ///
  /// - Complexity: O(1), for a large page O(*views*).
  func makeRoomAfterUpdate(of view: LiveViewCoordinator) {
    if view.pageMemory > Self.largePage { makeRoom(for: view) }
  }

  /// Removes what was not updated for the longest time, where there are too many views, or their pages take too much memory.
  ///
  /// - Complexity: O(*views*), for each mount of a new one.
  private func makeRoom(for view: LiveViewCoordinator) {
    while true {
      let (views, isOverfull) = listed.withLock { (Array($0.views.values), self.isOverfull($0)) }
      let isTooLarge = views.count > 1 && views.reduce(0) { $0 + $1.pageMemory } > limits.pageBytes
      let others = isOverfull || isTooLarge ? views.filter { $0 !== view } : []
      let oldest = others.lazy.compactMap { view in view.lastUpdate.map { ($0, view) } }.min { $0.0 < $1.0 }
      // Those that are being mounted for the first time see to it themselves.
      guard let (_, other) = oldest else { break }
      // Others make room too: so it is counted again.
      if listed.withLock({ (isTooLarge || self.isOverfull($0)) && $0.unlist(other, because: .evicted) }) {
        endWhenPossible(other, because: .evicted)
      }
    }
    share()
  }

  private func isOverfull(_ listed: Listed) -> Bool { listed.views.count > max(1, limits.views) }

  /// Gives each view its share of the memory for logs.
  ///
  /// - Complexity: O(*views*) where it differs from the share before, and O(*what goes*).
  private func share() {
    let views = listed.withLock { listed in
      let bounds = limits.bounds(ofEach: listed.views.count)
      if bounds == listed.bounds { return [LiveViewCoordinator]() }
      listed.bounds = bounds
      return Array(listed.views.values)
    }
    // Asked for again by each: another share may have been given meanwhile.
    for view in views { view.keep { listed.withLock { $0.bounds } } }
  }
}

extension Duration {
  /// In nanoseconds; what an integer cannot hold is its half maximum, 146 years.
  fileprivate var nanoseconds: Int {
    let (nanoseconds, isTooLarge) = Int(components.seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLarge ? .max / 2 : nanoseconds + Int(components.attoseconds / 1_000_000_000)
  }
}
