internal import LiveViewMirror
internal import MicroHTTP
internal import MirrorSupport

/// The routes of the server itself: health, metrics and the OpenAPI document. ``Inspector`` adds
/// them to its router.
struct ServerRoutes {
  let views: LiveViews
  let audience: Audience
  let events: EventHub
  /// The counters for `/metrics`; without them there is no such route.
  let metrics: Metrics?
  /// The limits of memory by name, in bytes.
  let memory: [(name: String, bytes: Int)]

  func add(to router: inout Router) {
    router.on(.get, "/healthz", health)
    guard let metrics else { return }
    router.on(.get, "/metrics") { _ in
      HTTPResponse(
        headers: ["Content-Type": Metrics.mediaType, "Cache-Control": "no-store"],
        body: .bytes(metrics.text(MirrorUsage(of: views, and: audience))))
    }
  }

  /// Responds that the server runs. With `?ready`, for a load balancer, responds with an error if
  /// the mirror is stopping or its journal accepts no changes, and otherwise adds the limits of
  /// memory to the response.
  private func health(_ request: HTTPRequest) throws -> HTTPResponse {
    guard request.queryItem("ready") != nil else { return .json(JSON.object([("status", "ok")]).bytes) }
    if events.isClosed {
      throw HTTPError(.stopping, "The mirror is stopping.", headers: ["Retry-After": "1"])
    }
    if let problem = views.journalProblem {
      throw HTTPError(.notKept, "The mirror accepts no diffs: \(problem).", headers: ["Retry-After": "1"])
    }
    let memory = JSON.object(memory.map { ($0.name, .integer($0.bytes)) })
    return .json(JSON.object([("status", "ok"), ("memory", memory)]).bytes)
  }
}

extension ServerRoutes {
  /// Adds `GET /openapi.json`. It must be the last route that is added: the document describes this
  /// route and those that the router has already.
  ///
  /// - Parameters:
  ///   - hasToken: whether the server requires a token.
  ///   - version: the version of the program; `nil` outside of the program.
  static func addDescription(to router: inout Router, hasToken: Bool, version: String?) {
    let pattern = "/openapi.json"
    let routes = router.routes + [Router.Route(method: .get, pattern: pattern)]
    let document = OpenAPIDocument(routes: routes, hasToken: hasToken, version: version ?? "development")
    router.on(.get, pattern) { HTTPResponse.json(document.json(at: $0.address)).validated() }
  }
}
