/// A whole request: its target cut and decoded, its body read.
///
///     let request = try HTTPRequest(target: "/views/main/tree?depth=2")
///     request.segments              // ["views", "main", "tree"]
///     request.queryItem("depth")    // "2"
///
/// A value: a handler may change its copy (a ``Router`` adds the parameters) without anyone noticing.
public struct HTTPRequest: Sendable {
  public var method: HTTPMethod
  /// The path as it was sent, still encoded.
  public var path: String { target.path }
  /// What stood behind the `?`, still encoded; `nil` without one.
  public var query: String? { target.query }
  /// The path between its slashes, each part decoded once: `[]` for `/`, `["a", ""]` for `/a/`.
  ///
  /// - Complexity: O(*path*), each time.
  public var segments: [String] { pathInSegments.segments }
  var pathInSegments: RequestPath { target.decodedPath ?? RequestPath(target.path) }
  /// The query, decoded once, in the order in which it was sent.
  public var queryItems: [QueryItem] { target.queryItems }
  private let target: RequestTarget
  public var headers: HTTPHeaders
  public var body: [UInt8]
  /// What the pattern of the route found in the path.
  public internal(set) var parameters = PathParameters()

  /// One `name=value` of a query; without `=` the value is empty.
  public struct QueryItem: Sendable, Hashable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// - Parameter target: the origin form (`/path?query`), as in the first line of a request.
  /// - Throws: 400 for another form, for an escape that is none, and for a text that is no UTF-8 or has a NUL.
  public init(
    method: HTTPMethod = .get, target: String, headers: HTTPHeaders = [:], body: [UInt8] = []
  ) throws(HTTPError) {
    self.target = try RequestTarget(target)
    self.method = method
    self.headers = headers
    self.body = body
  }

  /// The first value of that name in the query.
  public func queryItem(_ name: String) -> String? {
    queryItems.first { $0.name == name }?.value
  }

  /// The value that a pattern such as `/views/{view}` found.
  ///
  /// - Throws: 500 when the pattern of the route has no such name, which is a mistake of the program.
  public func parameter(_ name: String) throws(HTTPError) -> String {
    guard let value = parameters[name] else { throw HTTPError(.internalServerError) }
    return value
  }
}
