/// Answers only who has the token.
///
///     TokenCheck(handler, token: try AccessToken(text), realm: "mirror") { $0.segments == ["healthz"] }
///
/// A program sends `Authorization: Bearer TOKEN`. A person opens any page once with `?token=TOKEN` and is sent on to the
/// same address without it, with a cookie that no script can read and no other site can make use of (`HttpOnly`,
/// `SameSite=Strict`). So the token stays neither in the address line nor in the history of the page that follows.
///
/// Whoever has none gets a 401 that says how. There is no lock after wrong guesses: a token that is long enough cannot be
/// guessed, and a lock could be used to keep its owner out.
public struct TokenCheck: HTTPHandler {
  private let handler: any HTTPHandler
  private let token: AccessToken
  private let realm: String
  private let cookie: String
  private let isOpen: @Sendable (HTTPRequest) -> Bool

  /// The name of the token in a query.
  private static let parameter = "token"

  /// - Parameters:
  ///   - realm: what is protected, for people: letters, digits and spaces.
  ///   - cookie: how the cookie's name begins. The port follows, since a browser gives cookies to every port of a host.
  ///   - isOpen: what anybody may ask for.
  public init(
    _ handler: any HTTPHandler, token: AccessToken, realm: String, cookie: String = "token",
    isOpen: @escaping @Sendable (HTTPRequest) -> Bool = { _ in false }
  ) {
    precondition(
      realm.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") },
      "A realm is plain text")
    self.handler = handler
    self.token = token
    self.realm = realm
    self.cookie = cookie
    self.isOpen = isOpen
  }

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
    // More than one cookie may have the name: those of other paths and of parent domains come along.
    return request.cookies(named: cookieName(for: request)).contains { token.matches($0) }
  }

  /// What follows the scheme, whose case does not matter.
  private static func bearer(_ credentials: String) -> Substring? {
    let parts = credentials.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map { Substring($0) }
    guard parts.count == 2, parts[0].asciiLowercased == "bearer" else { return nil }
    return parts[1].trimmingOptionalWhitespace
  }

  private func cookieName(for request: HTTPRequest) -> String {
    request.authority?.port.map { "\(cookie)-\($0)" } ?? cookie
  }

  /// Sends a browser on to where it was, without the token.
  private func admission(of request: HTTPRequest, query: String?) -> HTTPResponse {
    // A target such as `//evil.test/` or `/\evil.test/` would be another host to a browser. With a dot in front it is the
    // same path of this one.
    let next = request.path.utf8.dropFirst().first
    let isAmbiguous = next == UInt8(ascii: "/") || next == UInt8(ascii: "\\")
    let location = (isAmbiguous ? "/." : "") + request.path + (query.map { "?\($0)" } ?? "")
    let cookie = "\(cookieName(for: request))=\(token.text); Path=/; HttpOnly; SameSite=Strict"
    // Who comes by a link on another site is on a foreign way until the browser is sent on by a page of this one: on a
    // redirect it would leave the cookie behind.
    let isForeign = !["none", "same-origin"].contains(request.headers["Sec-Fetch-Site"] ?? "none")
    var response = isForeign ? HTTPResponse.text("The page opens.\n") : HTTPResponse(status: .seeOther)
    response.headers.add(isForeign ? "Refresh" : "Location", isForeign ? "0; url=\(location)" : location)
    response.headers.add("Set-Cookie", cookie)
    response.headers.add("Cache-Control", "no-store")
    response.headers.add("Referrer-Policy", "no-referrer")
    return response
  }

  private var refusal: HTTPError {
    HTTPError(
      .unauthorized,
      "This server asks for a token: send the header \u{201C}Authorization: Bearer TOKEN\u{201D}, or open this address once with "
        + "?\(Self.parameter)=TOKEN behind it.",
      headers: ["WWW-Authenticate": "Bearer realm=\"\(realm)\"", "Cache-Control": "no-store"])
  }
}

extension HTTPRequest {
  /// The values of one name in the query, and what is left of the query without them, as it was sent.
  ///
  /// A `+` is a plus here: a token may have one, and never a space.
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

  /// The values of every cookie of that name.
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
