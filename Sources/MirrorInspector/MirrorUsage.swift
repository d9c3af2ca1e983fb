package import LiveViewMirror

/// The stored data and the clients of a mirror, with their bounds: the content of `/views` and
/// `/metrics`. ``ViewRoutes`` and ``ServerRoutes`` make one for each such request.
package struct MirrorUsage: Sendable {
  package var kept: LiveViews.Usage
  /// The last evicted views, newest first.
  package var evicted: [Eviction] = []
  package var clients = 0
  package var clientLimit = 0
  package var subscriptions = 0
  package var subscriptionLimit = 0
  /// The children that subscriptions follow.
  package var followedNodes = 0
  package var followedNodesLimit = 0

  package init(_ kept: LiveViews.Usage = .init()) { self.kept = kept }

  init(of views: LiveViews, and audience: Audience) {
    kept = views.usage
    evicted = views.evicted(last: 20)
    clients = audience.events.clientCount
    clientLimit = audience.events.limit
    subscriptions = audience.subscriptions.count
    subscriptionLimit = audience.subscriptions.limit
    followedNodes = audience.subscriptions.followed.count
    followedNodesLimit = audience.subscriptions.followed.limit
  }

  /// Every bound by its name; a disabled bound is left out.
  package var bounds: [(name: String, value: Int)] {
    [
      ("versions", kept.limits.versions), ("log_bytes", kept.limits.logBytes),
      ("page_bytes", kept.limits.pageBytes), ("views", kept.limits.views),
      ("clients", clientLimit), ("subscriptions", subscriptionLimit),
      ("followed_nodes", followedNodesLimit),
    ] + (kept.limits.expiry.map { [("expire_seconds", Int($0.components.seconds))] } ?? [])
  }
}
