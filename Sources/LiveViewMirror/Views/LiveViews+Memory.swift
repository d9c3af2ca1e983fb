internal import MirrorSupport
internal import NodeObservation

/// Enforces ``MirrorLimits``: log entries are evicted, and views are removed if there are too many.
/// If their pages take too much memory, views are unloaded with a journal, and removed without one.
/// ``Usage`` counts what is kept.
///
/// The thread of an update checks the limits at the end of the update. The thread must not hold the
/// lock of a view or of the directory then, because an eviction takes both.
extension LiveViews {
  // MARK: - Views and pages

  /// Removes other views while there are too many, or while their pages take too much memory.
  /// Called after each mount.
  func makeRoom(for view: LiveViewCoordinator) {
    while removeOldest(except: view) {}
    makeRoomForPages(beside: view)
  }

  /// Unloads or removes other views while all pages together take too much memory. Ended epochs are
  /// dropped first. Called after each update and load.
  ///
  /// If the page of `view` alone is larger than ``MirrorLimits/pageBytes``, the other pages may
  /// take an eighth of the limit, so that not all of them are removed. The newest entries of the
  /// logs, which are not evicted, count here if they take more than ``MirrorLimits/logBytes``
  /// together.
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
      // With a journal, views are unloaded instead of removed.
      if journal != nil { return free { $0.unloads = (view, excess) } }
      for other in evictionOrder(besides: view) where excess() > 0 {
        evict(other, over: .pageBytes) { _ in excess() > 0 }
      }
    }
  }

  /// The bytes by which the newest entries of loaded logs, which are not evicted, exceed the limit
  /// of logs. The logs may exceed the limit by an eighth until an eviction has ended, so only bytes
  /// beyond that count.
  private var excessOfLogs: Int { max(0, loadedLogs.bytes - loadedLogs.limit - loadedLogs.limit / 8) }

  /// The views in the order in which they are removed for their memory: those of closed pages
  /// before the others. In each of these two groups, views that take at least a hundredth of the
  /// limit are first, by their memory and the time since their last update. Smaller views free
  /// little and are last, the least recently updated first. A view whose first mount is running
  /// makes room itself when it is mounted.
  func evictionOrder(besides view: LiveViewCoordinator?) -> [LiveViewCoordinator] {
    let countsLogs = excessOfLogs > 0
    let views = directory.withLock { directory in
      directory.views.filter { $0 !== view }.map { (view: $0, rank: directory.pages.isClosed($0.id) ? 0 : 1) }
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

  /// Removes the least recently updated view if there are too many, loaded or not. Views of a page
  /// that has closed are removed before the others.
  ///
  /// - Returns: whether there may be more to remove.
  /// - Complexity: O(1) within the limit, otherwise O(*views*).
  private func removeOldest(except view: LiveViewCoordinator) -> Bool {
    typealias Candidate = (id: String, rank: Int, view: LiveViewCoordinator?, updated: MonotonicTime?)
    let candidates: [Candidate] = directory.withLock { directory in
      guard isOverfull(directory) else { return [] }
      let mayBeClosed = directory.pages.hasClosed
      func rank(_ id: String) -> Int { mayBeClosed && directory.pages.isClosed(id) ? 0 : 1 }
      return directory.views.filter { $0 !== view }.map { ($0.id, rank($0.id), $0, nil) }
        + directory.unloaded.map { ($0.id, rank($0.id), nil, $0.view.lastUpdate) }
    }
    // A view whose first mount is running has no `lastUpdate` yet. It makes room itself when it is
    // mounted.
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

  private func isOverfull(_ directory: ViewDirectory) -> Bool { directory.count > max(1, limits.views) }

  // MARK: - Log entries

  /// Evicts log entries if the logs of all views take too much memory. Called after each update.
  func evictExcess() {
    if journal == nil { return logBudget.enforceInTurn { evictEntries() } }
    logBudget.enforce { free { $0.evictsEntries = true } }
  }

  /// Evicts the oldest entries of logs until no bytes are left to evict, or each log has only its
  /// newest entry.
  ///
  /// Entries are evicted from ended epochs first, the oldest epoch before the others. Then they are
  /// evicted from the logs of ended views, and only then from the logs of the other views. In each
  /// of these two groups, the largest log is first.
  ///
  /// - Complexity: O(*views* · log *views* + *changes and bytes of the evicted entries*).
  func evictEntries() {
    evictEntriesOfEndedEpochs { logBudget.excess }
    if logBudget.excess <= 0 { return }
    for candidate in viewsByLog {
      let bytes = logBudget.excess
      if bytes <= 0 { return }
      // A view that is not loaded must be loaded, so that a later snapshot replaces its evicted
      // entries. That can take seconds, so at least half of its log is evicted each time.
      let isLoaded = find(candidate) != nil
      guard let view = try? load(candidate, isFreeing: true) else { continue }
      view.evictEntries(bytes: isLoaded ? bytes : max(bytes, view.accounts.log.bytes / 2))
      if !isLoaded { _ = unload(view) }
    }
  }

  /// The views in the order in which entries are evicted from their logs.
  private var viewsByLog: [String] {
    let accounts = directory.withLock { directory in
      let unloaded = directory.unloaded.filter { $0.view.hasEntriesToEvict }
      return (directory.views.map { ($0.id, $0.accounts.log) } + unloaded.map { ($0.id, $0.view.account) })
        .map { id, account in (view: id, rank: directory.pages.hasEnded(id) ? 1 : 0, account: account) }
    }
    // Other threads change the sizes meanwhile, and a sort must not see two sizes of one log.
    let sizes = accounts.map { (view: $0.view, order: ($0.rank, $0.account.bytes)) }
    return sizes.sorted { $0.order > $1.order }.map(\.view)
  }

  /// Evicts entries of ended epochs, the oldest epochs first, until no bytes are left to evict or
  /// no ended epoch is left.
  ///
  /// - Parameter excess: the number of bytes to evict.
  /// - Complexity: O(*views* + *e* log *e*) for *e* ended epochs, plus that of the evictions.
  private func evictEntriesOfEndedEpochs(_ excess: () -> Int) {
    for end in endedEpochs {
      let bytes = excess()
      if bytes <= 0 { return }
      end.view.evictEntries(bytes: bytes, ofEnded: end.epoch)
    }
  }

  /// Drops ended epochs, the oldest first, until no bytes are left to free.
  ///
  /// - Complexity: as for ``evictEntriesOfEndedEpochs(_:)``.
  private func dropEndedEpochs(_ excess: () -> Int) {
    for end in endedEpochs where excess() > 0 { end.view.dropEnded(end.epoch) }
  }

  /// The ended epochs of all views, oldest end first.
  private var endedEpochs: [(view: LiveViewCoordinator, epoch: Int)] {
    let ends = directory.withLock({ $0.views }).flatMap { view in
      view.endedEpochs.map { (view: view, epoch: $0.epoch, ended: $0.ended) }
    }
    return ends.sorted { $0.ended < $1.ended }.map { ($0.view, $0.epoch) }
  }
}

// MARK: - Usage

extension LiveViews {
  /// The contents of a mirror, its limits, and its evictions, for `GET /views`, the start page and
  /// metrics.
  package struct Usage: Sendable, Hashable {
    /// The limits.
    package var limits: MirrorLimits
    /// The number of mounted views.
    package var views = 0
    /// The number of entries in all logs.
    package var logEntries = 0
    /// The estimated memory of these entries in bytes.
    package var logBytes = 0
    /// The estimated memory of all pages in bytes, including checkpoints and drawn views.
    package var pageBytes = 0
    /// Views that were removed because of a limit, since the start.
    package var evictedViews = 0
    /// Views that were removed because they were not updated for too long, since the start.
    package var expiredViews = 0
    /// Log entries that were evicted, since the start.
    package var evictedEntries = 0
    /// Frames that were ignored because they belong to another join than the current one, since the
    /// start.
    package var staleFrameCount = 0

    /// The usage of a mirror without views.
    package init(limits: MirrorLimits = MirrorLimits()) { self.limits = limits }
  }

  /// Counts ignored frames of other joins; see ``Usage/staleFrameCount``.
  func countStale(_ frames: Int) {
    if frames > 0 { staleFrameCount.withLock { $0 += frames } }
  }

  /// The estimated memory of a view's page in bytes; 0 if there is no such view. Does not wait for
  /// an update.
  package func pageMemory(of id: String) -> Int {
    let state = directory.withLock { $0[id] }
    return state?.view?.pageMemory ?? state?.unloaded?.row.pageMemory ?? 0
  }

  /// The present usage.
  ///
  /// - Complexity: O(*views*).
  package var usage: Usage {
    var usage = Usage(limits: limits)
    usage.staleFrameCount = staleFrameCount.current
    let (views, unloaded, leaving) = directory.withLock { directory in
      usage.evictedViews = directory.removals(because: .evicted)
      usage.expiredViews = directory.removals(because: .expired)
      usage.evictedEntries = directory.evictedEntries
      return (directory.views, directory.unloaded.compactMap(\.view.row.summary), directory.leaving)
    }
    // The directory does not count the entries of views that are being removed yet. They are added
    // here, so that the sum never decreases.
    usage.evictedEntries += leaving.reduce(0) { $0 + $1.logUsage.evicted }
    usage.views += unloaded.count
    usage.logEntries += unloaded.reduce(0) { $0 + $1.log.keptEntryCount }
    usage.logBytes += unloaded.reduce(0) { $0 + $1.log.keptBytes }
    return views.reduce(into: usage) { usage, view in
      let log = view.logUsage
      if log.entries > 0 { usage.views += 1 }
      usage.logEntries += log.entries
      usage.logBytes += log.bytes
      usage.pageBytes += view.pageMemory
      usage.evictedEntries += log.evicted
    }
  }
}
