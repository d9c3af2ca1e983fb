package import LiveViewMirror

/// What a mirror keeps and who listens to it, beside what may be: what `/views` and `/metrics` show.
package struct MirrorUsage: Sendable {
  package var kept: LiveViews.Usage
  package var clients = 0
  package var clientLimit = 0
  package var subscriptions = 0
  package var subscriptionLimit = 0
  /// Children that subscriptions follow.
  package var followedNodes = 0
  package var followedNodesLimit = 0

  package init(_ kept: LiveViews.Usage = .init()) { self.kept = kept }

  init(of views: LiveViews, and audience: Audience) {
    kept = views.usage
    clients = audience.events.clients
    clientLimit = audience.events.limit
    subscriptions = audience.subscriptions.count
    subscriptionLimit = audience.subscriptions.limit
    followedNodes = audience.subscriptions.followed.count
    followedNodesLimit = audience.subscriptions.followed.limit
  }

  /// Every bound by its name; one that does not hold is not there.
  package var bounds: [(name: String, value: Int)] {
    [
      ("versions", kept.limits.versions), ("log_bytes", kept.limits.logBytes),
      ("page_bytes", kept.limits.pageBytes), ("views", kept.limits.views),
      ("clients", clientLimit), ("subscriptions", subscriptionLimit),
      ("followed_nodes", followedNodesLimit),
    ] + (kept.limits.expiry.map { [("expire_seconds", Int($0.components.seconds))] } ?? [])
  }
}
