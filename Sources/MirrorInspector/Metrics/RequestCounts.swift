internal import MicroHTTP

/// Requests by what they asked for and what they got, with what they took.
///
/// What can be told apart is bounded, whatever clients send: a route is one of the program's patterns, and methods that it
/// does not know are one.
struct RequestCounts: Sendable {
  /// What became of the requests of one route.
  struct Route: Sendable {
    struct Outcome: Sendable, Hashable {
      var method: String
      var status: Int
    }

    /// `nil` for requests that found none.
    let pattern: String?
    var outcomes: [(outcome: Outcome, count: Int)] = []
    var time = Histogram.ofRequests

    init(pattern: String?) { self.pattern = pattern }

    /// A route has few methods and few statuses: a list that is looked through is quicker than a table.
    mutating func add(_ outcome: Outcome, nanoseconds: Int) {
      time.add(nanoseconds: nanoseconds)
      if let place = outcomes.firstIndex(where: { $0.outcome == outcome }) {
        outcomes[place].count += 1
      } else {
        outcomes.append((outcome, 1))
      }
    }
  }

  /// Those that something asked for. They are few, and those that are asked for often come early.
  private(set) var routes: [Route] = []
  private(set) var received = 0
  private(set) var sent = 0

  mutating func add(_ report: RequestReport) {
    let outcome = Route.Outcome(method: Self.name(of: report.method), status: report.status.code)
    routes[place(of: report.route)].add(outcome, nanoseconds: report.duration.nanoseconds)
    received += report.received
    sent += report.sent
  }

  private mutating func place(of pattern: String?) -> Int {
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
