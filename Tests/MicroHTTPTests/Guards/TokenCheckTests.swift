import MicroHTTP
import Testing

@Suite("TokenCheck")
struct TokenCheckTests {
  private static let text = "s3cret+/=~._-token"

  private func check(over handler: any HTTPHandler = echo) throws -> TokenCheck {
    TokenCheck(handler, token: try AccessToken(Self.text), realm: "mirror", cookie: "mirror-token") {
      $0.segments == ["healthz"]
    }
  }

  private static let refusal = """
    401
    Content-Type: application/problem+json
    WWW-Authenticate: Bearer realm="mirror"
    Cache-Control: no-store

    {"type":"about:blank","title":"Unauthorized","status":401,"detail":"This server asks for a token: send the header \
    \u{201C}Authorization: Bearer TOKEN\u{201D}, or open this address once with ?token=TOKEN behind it."}
    """

  @Test(
    "the token opens, as a header or as a cookie",
    arguments: [
      ["Authorization": "Bearer \(text)"], ["Authorization": "bearer \(text)"], ["Authorization": "BEARER  \(text)"],
      ["Cookie": "mirror-token=\(text)"], ["Cookie": "a=b; mirror-token=\(text); c=d"],
      ["Cookie": "mirror-token=old;mirror-token=\(text)"], ["Cookie": "a=b", "Cookie": "mirror-token=\(text)"],
      ["Host": "localhost:8080", "Cookie": "mirror-token-8080=\(text)"],
    ] as [HTTPHeaders])
  func opens(headers: HTTPHeaders) throws {
    try expect(try check(), .get, "/a", headers: headers, gives: 200) { $0.status }
    try expect(try check(), .post, "/a", headers: headers, body: "x", gives: 200) { $0.status }
  }

  @Test(
    "nothing else does",
    arguments: [
      [:], ["Authorization": ""], ["Authorization": text], ["Authorization": "Bearer"], ["Authorization": "Bearer "],
      ["Authorization": "Basic \(text)"], ["Authorization": "Bearer \(text)x"], ["Authorization": "Bearer \(text) x"],
      ["Authorization": "Bearer \(text.dropLast())"], ["Authorization": "Bearer \(text.uppercased())"],
      ["Authorization": "Bearer x\(text)"], ["Authorization": "Bearer,\(text)"],
      ["Authorization": "Bearer \(text)", "Authorization": "Bearer \(text)"],
      ["Authorization": "Bearer wrong", "Cookie": "mirror-token=\(text)"],
      ["Cookie": "mirror-token="], ["Cookie": text], ["Cookie": "token=\(text)"], ["Cookie": "Mirror-Token=\(text)"],
      ["Cookie": "xmirror-token=\(text)"], ["Cookie": "mirror-token=\"\(text)\""], ["Cookie": "mirror-token=\(text),a"],
      ["Cookie": "mirror-token-8080=\(text)"], ["Host": "localhost:8080", "Cookie": "mirror-token-8081=\(text)"],
      ["Host": "localhost:8080", "Cookie": "mirror-token=\(text)"],
    ] as [HTTPHeaders])
  func refuses(headers: HTTPHeaders) throws {
    try expect(try check(), .get, "/a", headers: headers, gives: Self.refusal)
  }

  @Test(
    "what is open is open, and nothing beside it",
    arguments: [
      ("/healthz", 200), ("/healthz?x", 200), ("/%68ealthz", 200), ("/healthz/", 401), ("//healthz", 401),
      ("/healthz/a", 401),
      ("/a?/healthz", 401), ("/healthz%2F", 401), ("/healthz;a", 401), ("/HEALTHZ", 401),
    ])
  func open(target: String, status: Int) throws {
    try expect(try check(), .get, target, gives: status) { $0.status }
  }

  // MARK: - Once by address

  @Test(
    "opened with the token, a page comes again without it",
    arguments: [
      ("/?token=T", "/"), ("/views/a?token=T", "/views/a"), ("/a?x=1&token=T&y=%20+", "/a?x=1&y=%20+"),
      ("/a?token=T&token=T", "/a"), ("/a?&token=T&", "/a?&"), ("/a?tok%65n=T", "/a"), ("/a%2Fb?token=T", "/a%2Fb"),
      ("//evil.test/?token=T", "/.//evil.test/"), ("///evil.test?token=T", "/.///evil.test"),
      ("/\\evil.test?token=T", "/./\\evil.test"), ("/%5Cevil.test?token=T", "/%5Cevil.test"),
      ("/%2F/evil.test?token=T", "/%2F/evil.test"), ("/https://evil.test?token=T", "/https://evil.test"),
      ("/a?next=//evil.test&token=T", "/a?next=//evil.test"),
    ])
  func admits(target: String, location: String) throws {
    let target = target.split(separator: "T", omittingEmptySubsequences: false).joined(separator: Self.text)
    for method in [HTTPMethod.get, .head] {
      try expect(
        try check(), method, target, headers: ["Host": "localhost:8080"],
        gives: """
          303
          Location: \(location)
          Set-Cookie: mirror-token-8080=\(Self.text); Path=/; HttpOnly; SameSite=Strict
          Cache-Control: no-store
          Referrer-Policy: no-referrer
          """)
    }
  }

  @Test("a link on another site opens the page, too, by one of our own", arguments: ["cross-site", "same-site"])
  func link(site: String) throws {
    try expect(
      try check(), .get, "//evil.test/?token=\(Self.text)&x=1", headers: ["Sec-Fetch-Site": site],
      gives: """
        200
        Content-Type: text/plain; charset=utf-8
        Refresh: 0; url=/.//evil.test/?x=1
        Set-Cookie: mirror-token=\(Self.text); Path=/; HttpOnly; SameSite=Strict
        Cache-Control: no-store
        Referrer-Policy: no-referrer

        The page opens.

        """)
  }

  @Test("typed or from a page of its own, it is a redirect", arguments: ["none", "same-origin"])
  func typed(site: String) throws {
    try expect(try check(), .get, "/?token=\(Self.text)", headers: ["Sec-Fetch-Site": site], gives: 303) { $0.status }
  }

  @Test(
    "a wrong token in the address opens nothing and is not said back",
    arguments: [
      "/?token=wrong-token", "/?token=", "/?token", "/?token=T&token=wrong-token", "/?token=Tx", "/?token=T%20",
      "/?Token=T", "/?a=T", "/a;token=T",
    ])
  func wrong(target: String) throws {
    let target = target.split(separator: "T", omittingEmptySubsequences: false).joined(separator: Self.text)
    try expect(try check(), .get, target, gives: Self.refusal)
  }

  @Test("a wrong token in the address is wrong for who has the cookie, too")
  func wrongBesideCookie() throws {
    try expect(
      try check(), .get, "/?token=wrong-token", headers: ["Cookie": "mirror-token=\(Self.text)"], gives: Self.refusal)
  }

  @Test("in the address of a change the token does nothing", arguments: [HTTPMethod.post, .delete, .options])
  func changes(method: HTTPMethod) throws {
    try expect(try check(), method, "/?token=\(Self.text)", gives: Self.refusal)
  }

  @Test("a preflight is answered before anybody asks for the token")
  func preflight() throws {
    let checks = OriginCheck(try check(), allowed: [try WebOrigin("http://localhost:4000")])
    let headers: HTTPHeaders = ["Origin": "http://localhost:4000", "Access-Control-Request-Method": "POST"]
    try expect(checks, .options, "/", headers: headers, gives: 204) { $0.status }
    try expect(
      checks, .post, "/", headers: ["Origin": "http://localhost:4000"], gives: ["401", "http://localhost:4000"]
    ) {
      ["\($0.status)", $0.headers["Access-Control-Allow-Origin"]]
    }
  }

  // MARK: - The token itself

  @Test(
    "a token fits into a header, a cookie and an address",
    arguments: [
      ("short", AccessTokenError.tooShort(minimum: 8)), ("", .tooShort(minimum: 8)),
      (String(repeating: "a", count: 513), .tooLong(maximum: 512)), ("with space", .unfitCharacter),
      ("semi;colon", .unfitCharacter), ("quoted\"it", .unfitCharacter), ("line\r\nbreak", .unfitCharacter),
      ("ampers&nd", .unfitCharacter), ("comma,comma", .unfitCharacter), ("schlüssel", .unfitCharacter),
      ("percent%20", .unfitCharacter),
    ])
  func unfit(text: String, error: AccessTokenError) {
    #expect(throws: error) { try AccessToken(text) }
  }

  @Test("it does not describe itself")
  func hidden() throws {
    let token = try AccessToken(Self.text)
    var dumped = ""
    dump(token, to: &dumped)
    for text in ["\(token)", String(reflecting: token), dumped] { #expect(!text.contains("s3cret")) }
  }
}
