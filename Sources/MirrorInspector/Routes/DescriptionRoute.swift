internal import MicroHTTP

/// `GET /openapi.json`: the description of all routes.
struct DescriptionRoute: HTTPHandler {
  private static let pattern = "/openapi.json"

  private let document: OpenAPIDocument

  /// Adds the route. It describes the routes that the router has now, and itself.
  ///
  /// - Parameters:
  ///   - hasToken: whether the server requires a token.
  ///   - version: the version of the program; `nil` outside of the program.
  static func add(to router: inout Router, hasToken: Bool, version: String?) {
    let routes = router.routes + [Router.Route(method: .get, pattern: pattern)]
    let document = OpenAPIDocument(routes: routes, hasToken: hasToken, version: version ?? "development")
    router.on(.get, pattern, DescriptionRoute(document: document))
  }

  func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    HTTPResponse.json(document.json(at: request.address)).validated()
  }
}
