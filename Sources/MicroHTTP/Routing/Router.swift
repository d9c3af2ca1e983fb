/// Passes a request to the handler for its path and method. The `Inspector` of `MirrorInspector`
/// has one.
///
///     var router = Router()
///     router.on(.get, "/views/{view}") { request in .text(try request.parameter("view")) }
///     router.on(.get, "/assets/{file...}", StaticFiles(…))
///
/// - A literal segment takes precedence over a parameter, regardless of the order in which the
///   routes were added. A parameter does not match an empty segment.
/// - Without routes of their own, `HEAD` is handled by the route of `GET`, and `OPTIONS` gets the
///   `Allow` of the path.
/// - A path without a route gets a 404. A path with routes for other methods gets a 405 with
///   `Allow`.
public struct Router: HTTPHandler {
  /// A route as it was added. Used to compare the routes with a description of the interface.
  public struct Route: Sendable, Hashable {
    /// The method.
    public let method: HTTPMethod
    /// The pattern, such as `/views/{view}`.
    public let pattern: String

    /// A route with its method and pattern.
    public init(method: HTTPMethod, pattern: String) {
      self.method = method
      self.pattern = pattern
    }
  }

  /// All routes, in the order in which they were added.
  public private(set) var routes: [Route] = []
  private var tree = RouteTree()
  private let enclosed: @Sendable (Route, any HTTPHandler) -> any HTTPHandler

  /// A router without routes.
  ///
  /// - Parameter enclosed: the middleware of each route that is added; by default none.
  public init(enclosing enclosed: @escaping @Sendable (Route, any HTTPHandler) -> any HTTPHandler = { $1 }) {
    self.enclosed = enclosed
  }

  /// Adds a route.
  ///
  /// - Precondition: the router has no route with the same pattern and method.
  public mutating func on(_ method: HTTPMethod, _ pattern: String, _ handler: any HTTPHandler) {
    let route = Route(method: method, pattern: pattern)
    // The continuation of a deferred response also passes the middleware of the route.
    let continued = ClosureHandler { request in try request.continuation?(request) ?? handler.handle(request) }
    tree.insert(RoutePattern(pattern), method, enclosed(route, continued))
    routes.append(route)
  }

  /// Adds a route whose handler is a closure.
  public mutating func on(
    _ method: HTTPMethod, _ pattern: String, _ handler: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse
  ) {
    on(method, pattern, ClosureHandler(handler))
  }

  /// Passes the request to the handler of its route.
  ///
  /// - Throws: 404 without a route for the path, 405 without one for the method, and the errors of
  ///   the handler.
  public func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    let path = request.pathInSegments
    guard let match = match(of: request.method, path) else { return try answerWithoutRoute(request, at: path) }
    if match.values.isEmpty { return try answer(request, by: match.endpoint) }
    var request = request
    request.parameters = PathParameters(names: match.endpoint.names, values: match.values)
    return try answer(request, by: match.endpoint)
  }

  private func match(of method: HTTPMethod, _ path: RequestPath) -> RouteTree.Match? {
    if let match = tree.match(of: method, path) { return match }
    return method == .head ? tree.match(of: .get, path) : nil
  }

  private func answerWithoutRoute(_ request: HTTPRequest, at path: RequestPath) throws -> HTTPResponse {
    let methods = tree.methods(at: path)
    if methods.isEmpty { throw HTTPError(.notFound, "There is no resource at \(request.path).") }
    let allow = Self.allow(methods)
    if request.method == .options { return HTTPResponse(status: .noContent, headers: ["Allow": allow]) }
    throw HTTPError(
      .methodNotAllowed, "\(request.path) does not support \(request.method); it supports \(allow).",
      headers: ["Allow": allow])
  }

  private func answer(_ request: HTTPRequest, by endpoint: RouteTree.Endpoint) throws -> HTTPResponse {
    do {
      var response = try endpoint.handler.handle(request)
      response.route = endpoint.pattern
      return response
    } catch var error as HTTPError {
      error.route = endpoint.pattern
      throw error
    }
  }

  private static func allow(_ routed: [HTTPMethod]) -> String {
    var methods: [HTTPMethod] = []
    for method in routed.flatMap({ $0 == .get ? [.get, .head] : [$0] }) + [.options] where !methods.contains(method) {
      methods.append(method)
    }
    return methods.map(\.rawValue).joined(separator: ", ")
  }
}
