/// The event clients and subscriptions of a view, for pages and JSON. ``Inspector`` makes one for
/// ``ViewRoutes`` and ``ServerRoutes``.
struct Audience: Sendable {
  let events: EventHub
  let subscriptions: Subscriptions

  struct Count: Sendable, Hashable {
    /// The number of clients that read the view's events, including clients that watch one node.
    var clients = 0
    /// The number of subscriptions.
    var subscriptions = 0
  }

  func count(of view: String) -> Count {
    Count(clients: events.clientCount(of: view), subscriptions: subscriptions.count(of: view))
  }

  /// The counts by view. Views without clients and subscriptions are left out.
  var counts: [String: Count] {
    var counts = subscriptions.countsByView.mapValues { Count(subscriptions: $0) }
    for (view, clients) in events.clientCountByView where clients > 0 {
      counts[view, default: Count()].clients = clients
    }
    return counts
  }
}
