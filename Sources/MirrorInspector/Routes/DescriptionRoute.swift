internal import MicroHTTP

/// `GET /openapi.json`: the description of all routes.
enum DescriptionRoute {
  /// Adds the route. It describes the routes that the router has now, and itself.
  ///
  /// - Parameters:
  ///   - hasToken: whether the server requires a token.
  ///   - version: the version of the program; `nil` outside of the program.
  static func add(to router: inout Router, hasToken: Bool, version: String?) {
    let pattern = "/openapi.json"
    let routes = router.routes + [Router.Route(method: .get, pattern: pattern)]
    let document = OpenAPIDocument(routes: routes, hasToken: hasToken, version: version ?? "development")
    router.on(.get, pattern) { HTTPResponse.json(document.json(at: $0.address)).validated() }
  }
}
