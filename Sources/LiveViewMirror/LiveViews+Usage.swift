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
    if frames > 0 { listed.withLock { $0.staleFrames += frames } }
  }

  /// The estimated memory of a view's page in bytes; 0 if there is no such view. Does not wait for an update.
  package func pageMemory(of id: String) -> Int {
    let (view, unloaded) = listed.withLock { ($0.views[id], $0.unloaded[id]?.row.pageMemory) }
    return view?.pageMemory ?? unloaded ?? 0
  }

  /// The present usage.
  ///
  /// - Complexity: O(*views*).
  package var usage: Usage {
    var usage = Usage(limits: limits)
    let (views, unloaded, leaving) = listed.withLock { listed in
      usage.evictedViews = listed.removed[.evicted] ?? 0
      usage.expiredViews = listed.removed[.expired] ?? 0
      usage.evictedEntries = listed.evictedEntries
      usage.staleFrames = listed.staleFrames
      return (
        Array(listed.views.values), listed.unloaded.values.compactMap(\.row.summary), listed.leaving.values.map(\.view)
      )
    }
    usage.views += unloaded.count
    usage.logEntries += unloaded.reduce(0) { $0 + $1.log.keptEntries }
    usage.logBytes += unloaded.reduce(0) { $0 + $1.log.keptBytes }
    // `evictedEntries` does not include views that are being removed yet. They are added here, so that the sum never decreases.
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
