package import LiveViewMirror

extension MirrorLimits {
  /// What a mirror keeps at the most.
  package var json: JSON {
    [
      "versions": .integer(versions), "log_bytes": .integer(logBytes), "views": .integer(views),
      "expire_seconds": JSON(expiry.map { Int($0.components.seconds) }),
    ]
  }
}

extension LiveViews.Usage {
  /// What it keeps, and what it let go.
  package var json: JSON {
    [
      "views": .integer(views), "log_entries": .integer(logEntries), "log_bytes": .integer(logBytes),
      "log_share": .integer(logShare), "evicted_views": .integer(evictedViews),
      "expired_views": .integer(expiredViews), "evicted_entries": .integer(evictedEntries),
    ]
  }
}
