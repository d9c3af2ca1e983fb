internal import LiveViewMirror

extension MirrorUsage {
  /// The stored data and the numbers of evicted views and entries.
  package var json: JSON {
    [
      "views": .integer(kept.views), "log_entries": .integer(kept.logEntries), "log_bytes": .integer(kept.logBytes),
      "log_share": .integer(kept.limits.logBytes), "page_bytes": .integer(kept.pageBytes), "clients": .integer(clients),
      "subscriptions": .integer(subscriptions),
      "followed_nodes": .integer(followedNodes),
      "evicted_views": .integer(kept.evictedViews), "expired_views": .integer(kept.expiredViews),
      "evicted_entries": .integer(kept.evictedEntries), "stale_frames": .integer(kept.staleFrames),
    ]
  }

  /// The bounds.
  package var limitsJSON: JSON {
    .object(
      bounds.map { ($0.name, .integer($0.value)) } + (kept.limits.expiry == nil ? [("expire_seconds", .null)] : []))
  }
}
