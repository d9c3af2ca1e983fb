internal import MirrorSupport

/// Protects the server from requests of pages of other origins, and lets allowed origins read
/// responses (CORS).
///
/// Every page in a browser can send requests to localhost. The browser names the page's origin in
/// `Origin`, or its relation to the server in `Sec-Fetch-Site`. A request that changes something,
/// or that `alsoChecks` selects, gets a 403 unless it comes from a page of this server or of an
/// `allowed` origin. Programs such as curl send neither header and are accepted.
///
/// A request with `Sec-Fetch-Site: cross-site` from an origin that is not allowed gets a 403 even
/// if it changes nothing, so that a page of another site cannot detect the server by loading an
/// image or a script. Exceptions are top-level navigation and requests that `allowsCrossSite`
/// selects.
///
///     OriginCheck(handler, allowed: [try WebOrigin("http://localhost:4000")])
///
/// Another port of localhost is another origin, and must be allowed too. `liveview-mirror serve`
/// puts this check around ``TokenCheck``, so that a preflight request needs no token.
///
/// Responses to an allowed origin name that origin in `Access-Control-Allow-Origin`, never `*`, and
/// never allow credentials. Preflight requests of an allowed origin are answered here; those of
/// other origins get a 403.
public struct OriginCheck: HTTPHandler {
  private let handler: any HTTPHandler
  private let allowed: Set<WebOrigin>
  private let hint: String
  private let alsoChecks: @Sendable (HTTPRequest) -> Bool
  private let allowsCrossSite: @Sendable (HTTPRequest) -> Bool
  private let refused: @Sendable (HTTPRequest, String) -> Void

  /// - Parameters:
  ///   - handler: handles the accepted requests.
  ///   - allowed: the origins whose pages may send all requests and read the responses.
  ///   - hint: a sentence for the refused client that says what to do.
  ///   - alsoChecks: selects requests that are checked although they change nothing, such as those
  ///     that open one of the limited number of streams.
  ///   - allowsCrossSite: selects requests that pages of every site may send, such as those of a
  ///     sandboxed frame, which has no origin. A request that changes something, or that
  ///     `alsoChecks` selects, is refused nevertheless.
  ///   - refused: called with each refused request that names an origin which could be allowed, and
  ///     with that origin.
  public init(
    _ handler: any HTTPHandler, allowed: [WebOrigin] = [], hint: String = "",
    alsoChecks: @escaping @Sendable (HTTPRequest) -> Bool = { _ in false },
    allowsCrossSite: @escaping @Sendable (HTTPRequest) -> Bool = { _ in false },
    refused: @escaping @Sendable (HTTPRequest, String) -> Void = { _, _ in }
  ) {
    self.handler = handler
    self.allowed = Set(allowed)
    self.hint = hint
    self.alsoChecks = alsoChecks
    self.allowsCrossSite = allowsCrossSite
    self.refused = refused
  }

  /// - Throws: 403 for a request that is not accepted, and the errors of the handler.
  public func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    let source = source(of: request)
    if case .allowed(let origin) = source, request.isPreflight { return preflight(request, from: origin) }
    if source == .foreign, !request.isSafe || request.isPreflight || alsoChecks(request) { throw refusal(of: request) }
    if request.isCrossSite, !source.isAllowed, !request.isTopLevelNavigation, !allowsCrossSite(request) {
      throw refusal(of: request)
    }
    if allowed.isEmpty { return try handler.handle(request) }
    return try handler.handle(request) { headers in
      headers.vary(on: "Origin")
      guard case .allowed(let origin) = source else { return }
      headers["Access-Control-Allow-Origin"] = origin
      headers["Access-Control-Expose-Headers"] = "ETag, Location, Retry-After"
    }
  }

  private enum Source: Equatable {
    /// A page of this server, or a client that is not a browser.
    case own
    /// An allowed origin, with the text of the request's `Origin`.
    case allowed(String)
    case foreign

    var isAllowed: Bool { if case .allowed = self { true } else { false } }
  }

  private func source(of request: HTTPRequest) -> Source {
    guard request.headers.has("Origin") else {
      guard request.headers.has("Sec-Fetch-Site") else { return .own }
      return ["same-origin", "none"].contains(request.headers.only("Sec-Fetch-Site")) ? .own : .foreign
    }
    guard let text = request.headers.only("Origin"), let origin = try? WebOrigin(text) else { return .foreign }
    if origin.isOwn(of: request) { return .own }
    return allowed.contains(origin) ? .allowed(text) : .foreign
  }

  private func refusal(of request: HTTPRequest) -> HTTPError {
    if let origin = request.headers.only("Origin"), (try? WebOrigin(origin)) != nil { refused(request, origin) }
    let origin =
      request.headers.list(of: "Origin").map { "the origin \u{201C}\($0)\u{201D}" } ?? "a page of another origin"
    var error = HTTPError(
      .forbidden, "The request comes from \(origin), which is not allowed to make it.\(hint.isEmpty ? "" : " \(hint)")")
    if !allowed.isEmpty { error.headers.vary(on: "Origin") }
    return error
  }

  // MARK: - Preflights

  /// How long a browser may store the response to a preflight request, in seconds.
  private static let preflightSeconds = 600

  private func preflight(_ request: HTTPRequest, from origin: String) -> HTTPResponse {
    var response = HTTPResponse(
      status: .noContent,
      headers: [
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
        "Access-Control-Allow-Headers": "Content-Type, Authorization, Accept, Last-Event-ID",
        "Access-Control-Max-Age": "\(Self.preflightSeconds)",
        "Vary": "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
      ])
    // Chrome's Private Network Access: a page at a public address sends a request to a private one.
    if request.headers["Access-Control-Request-Private-Network"]?.asciiLowercased == "true" {
      response.headers.add("Access-Control-Allow-Private-Network", "true")
    }
    return response
  }
}

extension HTTPRequest {
  /// Whether the method is safe: the request changes nothing (RFC 9110 §9.2.1).
  fileprivate var isSafe: Bool { method == .get || method == .head || method == .options }

  /// Whether a browser reports that the request comes from a page of another site, or of no origin.
  fileprivate var isCrossSite: Bool {
    headers.has("Sec-Fetch-Site")
      && headers.values(of: "Sec-Fetch-Site").contains { HTTPHeaders.matches($0, "cross-site") }
  }

  /// Whether the request opens a page in a window: the user follows a link or enters an address.
  fileprivate var isTopLevelNavigation: Bool {
    (method == .get || method == .head) && headers.only("Sec-Fetch-Mode") == "navigate"
      && headers.only("Sec-Fetch-Dest") == "document"
  }

  /// Whether this is a preflight request: a browser asks whether a page may send another request.
  fileprivate var isPreflight: Bool {
    method == .options && headers.has("Origin") && headers.has("Access-Control-Request-Method")
  }
}
