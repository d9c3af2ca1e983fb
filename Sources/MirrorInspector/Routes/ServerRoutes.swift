internal import LiveViewMirror
internal import MicroHTTP

/// The routes of the server itself: health and metrics.
struct ServerRoutes {
  let views: LiveViews
  let audience: Audience
  let events: EventHub
  /// The counters for `/metrics`; without them there is no such route.
  let metrics: Metrics?

  func add(to router: inout Router) {
    router.on(.get, "/healthz", health)
    if let metrics { router.on(.get, "/metrics", MetricsRoute(metrics: metrics, views: views, audience: audience)) }
  }

  /// With `?ready`, also whether the mirror accepts and keeps diffs, for a load balancer: a stopping mirror does not.
  private func health(_ request: HTTPRequest) throws -> HTTPResponse {
    if request.queryItem("ready") != nil, events.isClosed {
      throw HTTPError(.serviceUnavailable, "The mirror is stopping.", headers: ["Retry-After": "1"])
    }
    if request.queryItem("ready") != nil, let problem = views.journalProblem {
      throw HTTPError(.serviceUnavailable, "The mirror accepts no diffs: \(problem).", headers: ["Retry-After": "1"])
    }
    return .json(JSON.object([("status", "ok")]).bytes)
  }
}
