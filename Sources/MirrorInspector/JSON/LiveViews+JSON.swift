internal import LiveViewMirror
package import MirrorSupport
internal import RenderedTree

extension LiveViews.PageLoadReport {
  /// A page load as JSON. ``PageLoadRoutes`` responds with it.
  ///
  /// - Parameter isConnected: whether a carrier is connected and receives the events for the page.
  func json(isConnected: Bool) -> JSON {
    [
      "page": .string(page.id), "url": JSON(page.url), "title": JSON(page.title), "user_agent": JSON(page.userAgent),
      "client": JSON(page.client),
      "opened_at": .string(Timestamp.text(page.openedAt)), "closed_at": JSON(page.closedAt.map(Timestamp.text)),
      "carrier": .bool(page.hasCarrier || isConnected), "carrier_connected": .bool(isConnected),
      "lost": ["frames": .integer(page.lost.frames), "bytes": .integer(page.lost.bytes)],
      "views": .array(views.map { .object([("view", .string($0.id))] + $0.members) }),
    ]
  }
}

extension LiveViews.ViewReport {
  /// The members of a summary that are about the view's page and status.
  var members: [(String, JSON)] {
    [
      ("page", JSON(life.page)), ("parent", JSON(parent)), ("status", .string(life.status.rawValue)),
      ("resumed", .bool(life.isResumed)),
      ("refusal", JSON(life.refusal)), ("url", JSON(life.url)), ("container", life.container?.json ?? .null),
    ]
  }
}

extension ViewContainer {
  fileprivate var json: JSON {
    [
      "tag": .string(tag), "attributes": .object(attributes.map { ($0.name, .string($0.value)) }),
    ]
  }
}

extension LiveViews.RejectedFeed {
  /// `{"at", "frames", "rejected_frames", "view", "reason"}`: `rejected_feed` of `GET /views`.
  var json: JSON {
    [
      "at": .string(Timestamp.text(at)), "frames": .integer(frames), "rejected_frames": .integer(rejected),
      "view": JSON(view),
      "reason": .string(reason),
    ]
  }
}

extension MirrorUsage {
  /// The stored data and the numbers of evicted views and entries: `usage` of `GET /views`.
  package var json: JSON {
    [
      "views": .integer(kept.views), "log_entries": .integer(kept.logEntries), "log_bytes": .integer(kept.logBytes),
      "log_share": .integer(kept.limits.logBytes), "page_bytes": .integer(kept.pageBytes), "clients": .integer(clients),
      "subscriptions": .integer(subscriptions),
      "followed_nodes": .integer(followedNodes),
      "evicted_views": .integer(kept.evictedViews), "expired_views": .integer(kept.expiredViews),
      "evicted_entries": .integer(kept.evictedEntries), "stale_frames": .integer(kept.staleFrameCount),
    ]
  }

  /// The bounds: `limits` of `GET /views`.
  package var limitsJSON: JSON {
    .object(
      bounds.map { ($0.name, .integer($0.value)) } + (kept.limits.expiry == nil ? [("expire_seconds", .null)] : []))
  }
}
