/// Keeps the pages of others from doing anything here, and lets those read along that are allowed to.
///
/// Every page that somebody visits can send requests to localhost. A browser says where they come from, in `Origin` or, where
/// it does not send that, in `Sec-Fetch-Site`. A request that changes something, or that is guarded for another reason, is
/// a 403 unless it comes from a page of this server or of an `allowed` origin. Programs such as curl say neither and pass.
///
/// A page of another site gets nothing at all: `Sec-Fetch-Site: cross-site` is a 403, unless it is a top-level navigation or
/// what the server shares with pages without an origin. So no such page learns by an image or a script that the server runs.
///
///     OriginCheck(handler, allowed: [try WebOrigin("http://localhost:4000")])
///
/// Another port of localhost is another origin: whatever runs there has to be allowed as well.
///
/// An allowed origin may read the answers (CORS): they name that origin and no other, never `*`, and never invite cookies.
/// Its preflights are answered here; those of others are a 403.
public struct OriginCheck: HTTPHandler {
  private let handler: any HTTPHandler
  private let allowed: Set<WebOrigin>
  private let hint: String
  private let guards: @Sendable (HTTPRequest) -> Bool
  private let shares: @Sendable (HTTPRequest) -> Bool

  /// - Parameters:
  ///   - hint: the sentence that tells whoever is turned away what to do.
  ///   - guards: which requests are checked besides those that change something: such as take up a place.
  ///   - shares: which requests a page of any site may send, if they change nothing: such as those of a sandboxed frame, which
  ///     has no origin.
  public init(
    _ handler: any HTTPHandler, allowed: [WebOrigin] = [], hint: String = "",
    guards: @escaping @Sendable (HTTPRequest) -> Bool = { _ in false },
    shares: @escaping @Sendable (HTTPRequest) -> Bool = { _ in false }
  ) {
    self.handler = handler
    self.allowed = Set(allowed)
    self.hint = hint
    self.guards = guards
    self.shares = shares
  }

  public func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    let source = source(of: request)
    if case .allowed(let origin) = source, request.isPreflight { return preflight(request, from: origin) }
    if source == .foreign, !request.isSafe || request.isPreflight || guards(request) { throw refusal(of: request) }
    if request.isCrossSite, !source.isAllowed, !request.isTopLevelNavigation, !shares(request) {
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
    /// A page of this server, or no page at all.
    case own
    /// With the origin as it was sent, which has been compared with those that there are.
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
    let origin =
      request.headers.list(of: "Origin").map { "the origin \u{201C}\($0)\u{201D}" } ?? "a page of another origin"
    var error = HTTPError(
      .forbidden, "The request comes from \(origin), which may not do that here.\(hint.isEmpty ? "" : " \(hint)")")
    if !allowed.isEmpty { error.headers.vary(on: "Origin") }
    return error
  }

  // MARK: - Preflights

  /// How long a browser may remember, in seconds.
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
    // A page of a public address asks for a private one.
    if request.headers["Access-Control-Request-Private-Network"]?.asciiLowercased == "true" {
      response.headers.add("Access-Control-Allow-Private-Network", "true")
    }
    return response
  }
}

extension HTTPRequest {
  /// Whether it changes nothing, by its method (RFC 9110 §9.2.1).
  fileprivate var isSafe: Bool { method == .get || method == .head || method == .options }

  /// Whether a browser says that a page of another site, or one without an origin, sends it.
  fileprivate var isCrossSite: Bool {
    headers.has("Sec-Fetch-Site")
      && headers.values(of: "Sec-Fetch-Site").contains { HTTPHeaders.matches($0, "cross-site") }
  }

  /// Whether a person follows a link or opens an address: the answer becomes a page of its own.
  fileprivate var isTopLevelNavigation: Bool {
    (method == .get || method == .head) && headers.only("Sec-Fetch-Mode") == "navigate"
      && headers.only("Sec-Fetch-Dest") == "document"
  }

  /// A browser asks whether a page may send another request.
  fileprivate var isPreflight: Bool {
    method == .options && headers.has("Origin") && headers.has("Access-Control-Request-Method")
  }
}
