/// A complete request: the target is parsed and decoded, the body is received. ``HTTPServer`` makes
/// it, and each ``HTTPHandler`` gets it.
///
///     let request = try HTTPRequest(target: "/views/main/tree?depth=2")
///     request.segments              // ["views", "main", "tree"]
///     request.queryItem("depth")    // "2"
///
/// A value type: a handler may change its own copy. For example, a ``Router`` adds the parameters
/// of the path.
public struct HTTPRequest: Sendable {
  private var head: Head
  /// The method.
  public var method: HTTPMethod {
    get { head.method }
    set { head = Head(newValue, head.target, head.headers) }
  }
  /// The path as it was sent, percent-encoded.
  public var path: String { head.target.path }
  /// The part of the target after the `?`, percent-encoded; `nil` without a `?`.
  public var query: String? { head.target.query }
  /// The segments of the path, each decoded once: `[]` for `/`, `["a", ""]` for `/a/`.
  ///
  /// - Complexity: O(*path*) for each call.
  public var segments: [String] { pathInSegments.segments }
  var pathInSegments: RequestPath { head.target.pathInSegments }
  /// The decoded `name=value` items of the query, in the order in which they were sent. Without a
  /// `=` the value is empty.
  public var queryItems: [(name: String, value: String)] { head.target.queryItems }
  /// The header fields. If the target has the absolute form, its host has replaced the `Host` that
  /// was sent.
  public var headers: HTTPHeaders {
    get { head.headers }
    set { head = Head(head.method, head.target, newValue) }
  }
  /// The parsed `Host` header; `nil` if there is none, more than one, or a malformed one.
  var authority: HTTPAuthority? { head.authority }
  /// The whole body; empty without one.
  public var body: [UInt8]
  /// The memory that is reserved for the body.
  var share: BodyBudget.Share?
  /// The state of the client's connection. Set only for requests that run on workers.
  var presence: ClientPresence?
  /// Whether the client's connection was reset, so that the response is no longer needed. Always
  /// false on an event loop. Takes one system call.
  public var isAbandoned: Bool { presence?.isGone ?? false }
  /// Whether the response may have a ``HTTPResponse/deferred``. Otherwise a handler blocks its
  /// thread until the response may be sent.
  public internal(set) var mayDefer = false
  /// Makes the response in place of the route's handler. See
  /// ``DeferredResponse/Completion/make(_:)``.
  var continuation: (@Sendable (HTTPRequest) throws -> HTTPResponse)?
  /// The values that the route's pattern has matched in the path.
  public internal(set) var parameters = PathParameters()

  /// The request without its body. A class, so that copies of a request are cheap. Immutable except
  /// for `demand`; changing a request makes a new head.
  final class Head: Sendable {
    let method: HTTPMethod
    let target: RequestTarget
    let headers: HTTPHeaders
    /// Parsed here, because every request needs it and most requests of a connection share one
    /// head.
    let authority: HTTPAuthority?
    /// The demand of requests with this head, once computed. The event loop of the connection
    /// writes it once, before another thread gets the request.
    @exclusivity(unchecked) nonisolated(unsafe) fileprivate var demand: RequestDemand?

    init(_ method: HTTPMethod, _ target: RequestTarget, _ headers: HTTPHeaders) {
      self.method = method
      self.target = target
      // The host of an absolute form takes precedence over the header (RFC 9112 §3.2.2).
      var headers = headers
      if let host = target.authority { headers["Host"] = host }
      self.headers = headers
      authority = headers.only("Host").flatMap { HTTPAuthority($0[...]) }
    }
  }

  /// - Parameter target: the origin form (`/path?query`) or the absolute form
  ///   (`http://host/path?query`), as in the first line of a request. The host of an absolute form
  ///   replaces the `Host` header.
  /// - Throws: 400 if the target has another form, a malformed escape, or decodes to a NUL or to
  ///   invalid UTF-8.
  public init(
    method: HTTPMethod = .get, target: String, headers: HTTPHeaders = [:], body: [UInt8] = []
  ) throws(HTTPError) {
    self.init(try Head(method, RequestTarget(target), headers), body: body)
  }

  init(_ head: Head, body: [UInt8]) {
    self.head = head
    self.body = body
  }

  /// The demand of the request, which decides whether a worker thread runs it. Computed once for
  /// each head; most requests of a connection have the same head.
  func demand(by ask: (HTTPRequest) -> RequestDemand) -> RequestDemand {
    if let known = head.demand { return known }
    let demand = ask(self)
    head.demand = demand
    return demand
  }

  /// The first value of a name in the query.
  public func queryItem(_ name: String) -> String? {
    queryItems.first { $0.name == name }?.value
  }

  /// The value of a parameter of the route's pattern, such as `view` of `/views/{view}`.
  ///
  /// - Throws: 500 if the pattern has no parameter of this name, which is a programming error.
  public func parameter(_ name: String) throws(HTTPError) -> String {
    guard let value = parameters[name] else { throw HTTPError(.internalServerError) }
    return value
  }
}

/// A request method: any token, with constants for the common ones.
///
/// Methods are case-sensitive (RFC 9110 §9.1): `get` is a different method from ``get``, and no
/// route has it.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The method as it was sent.
  public let rawValue: String

  /// - Parameter rawValue: the method as it is sent, in the same case.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// RFC 9110 §9.3.1.
  public static let get = HTTPMethod(rawValue: "GET")
  /// RFC 9110 §9.3.2.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// RFC 9110 §9.3.3.
  public static let post = HTTPMethod(rawValue: "POST")
  /// RFC 9110 §9.3.4.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// RFC 5789.
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// RFC 9110 §9.3.5.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// RFC 9110 §9.3.7.
  public static let options = HTTPMethod(rawValue: "OPTIONS")

  /// The method as it was sent.
  public var description: String { rawValue }
}
