/// Who listens to a view besides its observers, for whoever writes that down.
struct Audience: Sendable {
  let events: EventHub
  let subscriptions: Subscriptions

  struct Count: Sendable, Hashable {
    /// Who reads its events, those of one node among them.
    var clients = 0
    /// Those that were asked for.
    var subscriptions = 0
  }

  func count(of view: String) -> Count {
    Count(clients: events.clients(of: view), subscriptions: subscriptions.count(of: view))
  }

  /// By view; without those to which nobody listens.
  var counts: [String: Count] {
    var counts = subscriptions.countsByView.mapValues { Count(subscriptions: $0) }
    for (view, clients) in events.clientsByView where clients > 0 { counts[view, default: Count()].clients = clients }
    return counts
  }
}
