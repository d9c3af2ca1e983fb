internal import MirrorSupport
internal import NodeObservation

extension LiveViews {
  /// What a mirror keeps, its limits, and what it has evicted.
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
    /// Frames that were ignored because they belong to another join than the current one, since the start.
    package var staleFrames = 0

    /// The usage of a mirror without views.
    package init(limits: MirrorLimits = MirrorLimits()) { self.limits = limits }
  }

  func countStale(_ frames: Int) {
    if frames > 0 { staleFrames.withLock { $0 += frames } }
  }

  /// The estimated memory of a view's page in bytes; 0 if there is no such view. Does not wait for an update.
  package func pageMemory(of id: String) -> Int {
    let state = directory.withLock { $0[id] }
    return state?.view?.pageMemory ?? state?.unloaded?.row.pageMemory ?? 0
  }

  /// The present usage.
  ///
  /// - Complexity: O(*views*).
  package var usage: Usage {
    var usage = Usage(limits: limits)
    usage.staleFrames = staleFrames.current
    let (views, unloaded) = directory.withLock { directory in
      usage.evictedViews = directory.removals(because: .evicted)
      usage.expiredViews = directory.removals(because: .expired)
      usage.evictedEntries = directory.evictedEntries
      return (directory.views, directory.unloaded.compactMap(\.view.row.summary))
    }
    usage.views += unloaded.count
    usage.logEntries += unloaded.reduce(0) { $0 + $1.log.keptEntries }
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
