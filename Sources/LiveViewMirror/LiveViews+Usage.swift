internal import NodeObservation

extension LiveViews {
  /// What a mirror keeps, beside what it may keep, and how much it let go.
  package struct Usage: Sendable, Hashable {
    package var limits: MirrorLimits
    package var views = 0
    /// Entries of all logs.
    package var logEntries = 0
    /// About how many bytes of memory they take.
    package var logBytes = 0
    /// How many bytes the log of each view may take now.
    package var logShare = 0
    /// About how many bytes of memory the pages of all views take, with what goes back in time and the views that were drawn.
    package var pageBytes = 0
    /// Views that were removed because there were too many, since the start.
    package var evictedViews = 0
    /// Views that were removed because they were not updated, since the start.
    package var expiredViews = 0
    /// Entries of logs that were let go, since the start.
    package var evictedEntries = 0
    /// Frames that were ignored because they belong to another join than the current one, since the start.
    package var staleFrames = 0

    /// Nothing yet.
    package init(limits: MirrorLimits = MirrorLimits()) { self.limits = limits }
  }

  func countStale(_ frames: Int) {
    if frames > 0 { listed.withLock { $0.staleFrames += frames } }
  }

  /// About how much memory the page of a view takes, in bytes; 0 where there is no such view. Waits for no update.
  package func pageMemory(of id: String) -> Int { listed.withLock { $0.views[id] }?.pageMemory ?? 0 }

  /// - Complexity: O(*views*).
  package var usage: Usage {
    var usage = Usage(limits: limits)
    let (views, leaving) = listed.withLock { listed in
      usage.logShare = listed.bounds.bytes
      usage.evictedViews = listed.removed[.evicted] ?? 0
      usage.expiredViews = listed.removed[.expired] ?? 0
      usage.evictedEntries = listed.evictedEntries
      usage.staleFrames = listed.staleFrames
      return (Array(listed.views.values), listed.leaving.values.map(\.view))
    }
    // A sum that only grows: they are not yet in that of those that are gone.
    usage.evictedEntries += leaving.reduce(0) { $0 + $1.logUsage.evicted }
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
