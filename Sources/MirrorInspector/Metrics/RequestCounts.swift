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

    var outcomes: [(outcome: Outcome, count: Int)] = []
    var time = Histogram.ofRequests

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

  private(set) var routes: [String: Route] = [:]
  private(set) var received = 0
  private(set) var sent = 0

  mutating func add(_ report: RequestReport) {
    let outcome = Route.Outcome(method: Self.name(of: report.method), status: report.status.code)
    routes[report.route ?? "none", default: Route()].add(outcome, nanoseconds: report.duration.nanoseconds)
    received += report.received
    sent += report.sent
  }

  private static func name(of method: HTTPMethod?) -> String {
    switch method {
    case nil: "none"
    case .get?, .head?, .post?, .put?, .patch?, .delete?, .options?: method?.rawValue ?? "none"
    default: "other"
    }
  }
}
