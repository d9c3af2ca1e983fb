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
    let matches = tree.matches(request.segments)
    if matches.isEmpty { throw HTTPError(.notFound, "There is nothing at \(request.path).") }

    let match =
      matches.first { $0.endpoint.method == request.method }
      ?? (request.method == .head ? matches.first { $0.endpoint.method == .get } : nil)
    if let match {
      var request = request
      request.parameters = PathParameters(names: match.endpoint.names, values: match.values, rest: match.rest)
      do {
        var response = try match.endpoint.handler.handle(request)
        response.route = match.endpoint.pattern
        return response
      } catch var error as HTTPError {
        error.route = match.endpoint.pattern
        throw error
      }
    }

    let allow = Self.allow(matches)
    if request.method == .options { return HTTPResponse(status: .noContent, headers: ["Allow": allow]) }
    throw HTTPError(
      .methodNotAllowed, "\(request.path) does not take \(request.method); it takes \(allow).",
      headers: ["Allow": allow])
  }

  private static func allow(_ matches: [RouteTree.Match]) -> String {
    var methods: [HTTPMethod] = []
    func add(_ method: HTTPMethod) {
      if !methods.contains(method) { methods.append(method) }
    }
    for match in matches {
      add(match.endpoint.method)
      if match.endpoint.method == .get { add(.head) }
    }
    add(.options)
    return methods.map(\.rawValue).joined(separator: ", ")
  }
}
