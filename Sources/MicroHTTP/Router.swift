/// Sends a request to the handler of its path and method.
///
///     var router = Router()
///     router.on(.get, "/views/{view}") { request in .text(try request.parameter("view")) }
///     router.on(.get, "/assets/{file...}", StaticFiles(…))
///
/// - A literal segment wins over a parameter, whatever the order in which the routes were added; a parameter is never
///   empty.
/// - `HEAD` is answered by the handler of `GET`, `OPTIONS` with the `Allow` of the path, unless a route says otherwise.
/// - A path without a route is a 404; one without that method a 405 with `Allow`.
public struct Router: HTTPHandler {
  /// A route as it was added: what a description of the interface can be held against.
  public struct Route: Sendable, Hashable {
    public let method: HTTPMethod
    public let pattern: String
  }

  /// In the order in which they were added.
  public private(set) var routes: [Route] = []
  private var tree = RouteTree()

  public init() {}

  /// Adds a route. Two routes of one pattern and method are a mistake of the program.
  public mutating func on(_ method: HTTPMethod, _ pattern: String, _ handler: any HTTPHandler) {
    tree.insert(RoutePattern(pattern), method, handler)
    routes.append(Route(method: method, pattern: pattern))
  }

  public mutating func on(
    _ method: HTTPMethod, _ pattern: String, _ handler: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse
  ) {
    on(method, pattern, ClosureHandler(handler))
  }

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
    if methods.isEmpty { throw HTTPError(.notFound, "There is nothing at \(request.path).") }
    let allow = Self.allow(methods)
    if request.method == .options { return HTTPResponse(status: .noContent, headers: ["Allow": allow]) }
    throw HTTPError(
      .methodNotAllowed, "\(request.path) does not take \(request.method); it takes \(allow).",
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
