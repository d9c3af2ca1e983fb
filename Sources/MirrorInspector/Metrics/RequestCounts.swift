internal import MicroHTTP

/// Counts requests by route, method and status, with their durations and sizes. ``Metrics`` has one
/// behind a lock.
///
/// Clients cannot create arbitrarily many counters: routes are the program's patterns, and all
/// unknown methods count as one.
struct RequestCounts: Sendable {
  /// The counts of one route.
  struct Route: Sendable {
    struct Outcome: Sendable, Hashable {
      var method: String
      var status: Int
    }

    /// `nil` for requests that matched no route.
    let pattern: String?
    var outcomes: [(outcome: Outcome, count: Int)] = []
    var time = Histogram.ofRequests

    init(pattern: String?) { self.pattern = pattern }

    /// A route has few methods and few statuses, for which a linear search is faster than a
    /// dictionary.
    mutating func add(_ outcome: Outcome, nanoseconds: Int) {
      time.add(nanoseconds: nanoseconds)
      if let place = outcomes.firstIndex(where: { $0.outcome == outcome }) {
        outcomes[place].count += 1
      } else {
        outcomes.append((outcome, 1))
      }
    }
  }

  /// The routes that were requested, in the order of their first requests. A linear search
  /// suffices, because routes are few and frequent routes are usually among the first.
  private(set) var routes: [Route] = []
  private(set) var received = 0
  private(set) var sent = 0

  mutating func add(_ report: RequestReport) {
    let outcome = Route.Outcome(method: Self.name(of: report.method), status: report.status.code)
    routes[row(of: report.route)].add(outcome, nanoseconds: report.duration.nanoseconds)
    received += report.received
    sent += report.sent
  }

  private mutating func row(of pattern: String?) -> Int {
    if let place = routes.firstIndex(where: { $0.pattern == pattern }) { return place }
    routes.append(Route(pattern: pattern))
    return routes.endIndex - 1
  }

  private static func name(of method: HTTPMethod?) -> String {
    switch method {
    case nil: "none"
    case .post?, .get?, .head?, .put?, .patch?, .delete?, .options?: method?.rawValue ?? "none"
    default: "other"
    }
  }
}
