internal import MirrorSupport

/// Accepts only requests with the access token.
///
///     TokenCheck(handler, token: try AccessToken(text), realm: "mirror") { $0.segments == ["healthz"] }
///
/// A program sends `Authorization: Bearer TOKEN`. A user opens any page once with `?token=TOKEN`.
/// The response sets a cookie that scripts cannot read and that requests of other sites do not
/// carry (`HttpOnly`, `SameSite=Strict`), and redirects to the same address without the token. So
/// the token does not remain in the address bar.
///
/// Other requests get a 401 that explains this. There is no lockout after wrong guesses: a long
/// token cannot be guessed, and a lockout could be used to keep its owner out.
///
/// `liveview-mirror serve` makes this check if a token is set.
public struct TokenCheck: HTTPHandler {
  private let handler: any HTTPHandler
  private let token: AccessToken
  private let realm: String
  private let cookie: String
  private let isOpen: @Sendable (HTTPRequest) -> Bool

  /// The name of the token in a query.
  private static let parameter = "token"

  /// - Parameters:
  ///   - handler: handles the accepted requests.
  ///   - token: the token that requests need.
  ///   - realm: the name of the protected area, which browsers may show. It must be printable ASCII
  ///     without quotes and backslashes.
  ///   - cookie: the prefix of the cookie's name. The port is appended, since browsers send cookies
  ///     to all ports of a host.
  ///   - isOpen: selects requests that need no token.
  public init(
    _ handler: any HTTPHandler, token: AccessToken, realm: String, cookie: String = "token",
    isOpen: @escaping @Sendable (HTTPRequest) -> Bool = { _ in false }
  ) {
    precondition(
      realm.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") },
      "The realm must be plain text")
    self.handler = handler
    self.token = token
    self.realm = realm
    self.cookie = cookie
    self.isOpen = isOpen
  }

  /// - Throws: 401 for a request that is not accepted, and the errors of the handler.
  public func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    if isOpen(request) { return try handler.handle(request) }
    if request.query != nil, request.method == .get || request.method == .head {
      let query = request.splitQuery(at: Self.parameter)
      if !query.values.isEmpty {
        guard query.values.allSatisfy(token.matches) else { throw refusal }
        return admission(of: request, query: query.others)
      }
    }
    guard hasToken(request) else { throw refusal }
    return try handler.handle(request)
  }

  private func hasToken(_ request: HTTPRequest) -> Bool {
    if request.headers["Authorization"] != nil {
      return request.headers.only("Authorization").flatMap(Self.bearer).map(token.matches) ?? false
    }
    // There may be several cookies of this name: browsers also send those of other paths and of
    // parent domains.
    return request.cookies(named: cookieName(for: request)).contains { token.matches($0) }
  }

  /// The token of the `Bearer` scheme, whose name is case-insensitive (RFC 9110 §11.1).
  private static func bearer(_ credentials: String) -> Substring? {
    let parts = credentials.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map { Substring($0) }
    guard parts.count == 2, parts[0].asciiLowercased == "bearer" else { return nil }
    return parts[1].trimmingOptionalWhitespace
  }

  private func cookieName(for request: HTTPRequest) -> String {
    request.authority?.port.map { "\(cookie)-\($0)" } ?? cookie
  }

  /// Sets the cookie and redirects to the same address without the token.
  private func admission(of request: HTTPRequest, query: String?) -> HTTPResponse {
    // Browsers read a location such as `//evil.test/` or `/\evil.test/` as another host. With `/.`
    // before it, it is the same path of this host.
    let next = request.path.utf8.dropFirst().first
    let isAmbiguous = next == UInt8(ascii: "/") || next == UInt8(ascii: "\\")
    let location = (isAmbiguous ? "/." : "") + request.path + (query.map { "?\($0)" } ?? "")
    let cookie = "\(cookieName(for: request))=\(token.text); Path=/; HttpOnly; SameSite=Strict"
    // After a link from another site, browsers omit a `SameSite=Strict` cookie when they follow a
    // redirect. So such a request gets a page that refreshes to the location: the new request comes
    // from this site.
    let isForeign = !["none", "same-origin"].contains(request.headers["Sec-Fetch-Site"] ?? "none")
    var response = isForeign ? HTTPResponse.text("Opening the page.\n") : HTTPResponse(status: .seeOther)
    response.headers.add(isForeign ? "Refresh" : "Location", isForeign ? "0; url=\(location)" : location)
    response.headers.add("Set-Cookie", cookie)
    response.headers.add("Cache-Control", "no-store")
    response.headers.add("Referrer-Policy", "no-referrer")
    return response
  }

  private var refusal: HTTPError {
    HTTPError(
      .unauthorized,
      "This server requires a token: send the header \u{201C}Authorization: Bearer TOKEN\u{201D}, or open this address once with "
        + "?\(Self.parameter)=TOKEN appended.",
      headers: ["WWW-Authenticate": "Bearer realm=\"\(realm)\"", "Cache-Control": "no-store"])
  }
}

extension HTTPRequest {
  /// Splits the query: the decoded values of one parameter, and the rest of the query as it was
  /// sent.
  ///
  /// A `+` in a value is a plus sign: a token may contain one, but never a space.
  fileprivate func splitQuery(at name: String) -> (values: [String], others: String?) {
    var values: [String] = []
    var others: [Substring] = []
    for part in (query ?? "").utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
      let sign = part.firstIndex(of: UInt8(ascii: "="))
      if (try? PercentEncoding.decode(Substring(part[..<(sign ?? part.endIndex)]), plusIsSpace: true)) == name {
        let value = sign.map { Substring(part[part.index(after: $0)...]) } ?? ""
        values.append((try? PercentEncoding.decode(value)) ?? "")
      } else {
        others.append(Substring(part))
      }
    }
    return (values, others.isEmpty ? nil : others.joined(separator: "&"))
  }

  /// The values of all cookies of a name.
  fileprivate func cookies(named name: String) -> [Substring] {
    headers.values(of: "Cookie").flatMap { header in
      header.utf8.split(separator: UInt8(ascii: ";")).compactMap { part -> Substring? in
        let pair = Substring(part).trimmingOptionalWhitespace
        guard let sign = pair.utf8.firstIndex(of: UInt8(ascii: "=")), pair[..<sign] == name else { return nil }
        return pair[pair.utf8.index(after: sign)...]
      }
    }
  }
}
