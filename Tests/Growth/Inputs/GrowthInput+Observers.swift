import LiveViewMirror
import MarkupDocument
import NodeObservation

extension GrowthInput {
  /// Subscribers of one node and of many nodes: calls and cancellations.
  static var observers: [GrowthInput] {
    [
      .work("observers/of one node are called", "publish", size: 2_000) { n in
        let view = try listView(of: 10)
        let subscriptions = try subscribe(n, to: view) { [$0[0]] }
        let diff = Array(#"{"0":{"k":{"0":{"0":"y"},"kc":10}}}"#.utf8)
        return {
          try view.update(diff)
          withExtendedLifetime(subscriptions) {}
        }
      },
      .work("observers/of many nodes are called", "publish", size: 2_000) { n in
        let view = try listView(of: n)
        let subscriptions = try subscribe(n, to: view) { $0 }
        let diff = Array(#"{"0":\#(JSON.keyed(0..<n, count: n) { _ in #"{"0":"y"}"# })}"#.utf8)
        return {
          try view.update(diff)
          withExtendedLifetime(subscriptions) {}
        }
      },
      .work("observers/of one node leave", "cancel", size: 2_000) { n in
        let view = try listView(of: 10)
        let subscriptions = try subscribe(n, to: view) { [$0[0]] }
        return { for subscription in subscriptions { subscription.cancel() } }
      },
      // A small number that fits into the processor's caches: in random order each subscriber is a
      // cache miss, and a miss takes longer if more memory is in use.
      .work("observers/of many nodes leave in another order", "cancel", size: 500) { n in
        let view = try listView(of: n)
        let subscriptions = try subscribe(n, to: view) { $0 }
        let order = JSON.shuffled(n)
        return { for place in order { subscriptions[place].cancel() } }
      },
      .work("observers/of nodes that leave", "publish", size: 2_000) { n in
        let view = try listView(of: n)
        let subscriptions = try subscribe(n, to: view) { $0 }
        let diff = Array(#"{"0":{"k":{"kc":1}}}"#.utf8)
        return {
          try view.update(diff)
          withExtendedLifetime(subscriptions) {}
        }
      },
    ]
  }

  private static func listView(of n: Int) throws -> LiveViewCoordinator {
    let view = view(in: .scoped)
    try view.mount(Array(keyedList(n).utf8), dialect: .html)
    return view
  }

  /// `n` subscribers, distributed over some of the list's entries.
  private static func subscribe(
    _ n: Int, to view: LiveViewCoordinator, choosing nodes: ([NodeRef]) -> [NodeRef]
  ) throws -> [NodeSubscription] {
    guard let document = view.document, let list = document.children(of: document.root).first else { return [] }
    let chosen = nodes(document.children(of: list))
    return (0..<n).map { view.publishers.subscribe(to: chosen[$0 % chosen.count]) { _ in } }
  }
}
