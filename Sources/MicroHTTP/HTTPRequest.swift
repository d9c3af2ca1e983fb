/// A whole request: its target cut and decoded, its body read.
///
///     let request = try HTTPRequest(target: "/views/main/tree?depth=2")
///     request.segments              // ["views", "main", "tree"]
///     request.queryItem("depth")    // "2"
///
/// A value: a handler may change its copy (a ``Router`` adds the parameters) without anyone noticing.
public struct HTTPRequest: Sendable {
  private var head: Head
  public var method: HTTPMethod {
    get { head.method }
    set { head = Head(newValue, head.target, head.headers) }
  }
  /// The path as it was sent, still encoded.
  public var path: String { head.target.path }
  /// What stood behind the `?`, still encoded; `nil` without one.
  public var query: String? { head.target.query }
  /// The path between its slashes, each part decoded once: `[]` for `/`, `["a", ""]` for `/a/`.
  ///
  /// - Complexity: O(*path*), each time.
  public var segments: [String] { pathInSegments.segments }
  var pathInSegments: RequestPath { head.target.pathInSegments }
  /// The query, decoded once, in the order in which it was sent.
  public var queryItems: [QueryItem] { head.target.queryItems }
  public var headers: HTTPHeaders {
    get { head.headers }
    set { head = Head(head.method, head.target, newValue) }
  }
  /// What the one `Host` header says; `nil` without one, with two, or with one that is no host.
  var authority: HTTPAuthority? { head.authority }
  public var body: [UInt8]
  /// Of the client that waits for the answer; `nil` where that cannot be told.
  var presence: ClientPresence?
  /// Whether the client's connection was reset, so that nobody waits for the answer. One system call.
  public var isAbandoned: Bool { presence?.isGone ?? false }
  /// What the pattern of the route found in the path.
  public internal(set) var parameters = PathParameters()

  /// What came before the body, behind one reference: a request passes through many hands. Nobody changes it; a request
  /// that is changed gets another one.
  final class Head: Sendable {
    let method: HTTPMethod
    let target: RequestTarget
    let headers: HTTPHeaders
    /// Read here, since every request is asked for it and most have the head of another one.
    let authority: HTTPAuthority?
    /// What requests of this head may wait for, once that was asked. Only for the daemon's thread that has the connection.
    @exclusivity(unchecked) nonisolated(unsafe) fileprivate var demand: RequestDemand?

    init(_ method: HTTPMethod, _ target: RequestTarget, _ headers: HTTPHeaders) {
      self.method = method
      self.target = target
      // The host of an absolute form counts, and not the header that came with it (RFC 9112 §3.2.2).
      var headers = headers
      if let host = target.authority { headers["Host"] = host }
      self.headers = headers
      authority = headers.only("Host").flatMap { HTTPAuthority($0[...]) }
    }
  }

  /// One `name=value` of a query; without `=` the value is empty.
  public struct QueryItem: Sendable, Hashable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// - Parameter target: the origin form (`/path?query`) or the absolute form (`http://host/path?query`), as in the first line
  ///   of a request. The host of an absolute form replaces the `Host` header.
  /// - Throws: 400 for another form, for an escape that is none, and for a text that is no UTF-8 or has a NUL.
  public init(
    method: HTTPMethod = .get, target: String, headers: HTTPHeaders = [:], body: [UInt8] = []
  ) throws(HTTPError) {
    self.init(try Head(method, RequestTarget(target), headers), body: body)
  }

  init(_ head: Head, body: [UInt8]) {
    self.head = head
    self.body = body
  }

  /// What the request may wait for. Asked once for each head, and most requests of a connection have the same head.
  func demand(by ask: (HTTPRequest) -> RequestDemand) -> RequestDemand {
    if let known = head.demand { return known }
    let demand = ask(self)
    head.demand = demand
    return demand
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
