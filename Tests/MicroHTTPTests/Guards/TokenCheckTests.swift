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

    {"type":"about:blank","title":"Unauthorized","status":401,"code":"unauthorized",\
    "detail":"This server requires a token: send the header \
    \u{201C}Authorization: Bearer TOKEN\u{201D}, or open this address once with ?token=TOKEN appended."}

    """

  @Test(
    arguments: [
      ["Authorization": "Bearer \(text)"], ["Authorization": "bearer \(text)"], ["Authorization": "BEARER  \(text)"],
      ["Cookie": "mirror-token=\(text)"], ["Cookie": "a=b; mirror-token=\(text); c=d"],
      ["Cookie": "mirror-token=old;mirror-token=\(text)"], ["Cookie": "a=b", "Cookie": "mirror-token=\(text)"],
      ["Host": "localhost:8080", "Cookie": "mirror-token-8080=\(text)"],
    ] as [HTTPHeaders])
  func `a request with the token in a header or a cookie is accepted`(headers: HTTPHeaders) throws {
    try expect(try check(), .get, "/a", headers: headers, gives: 200) { $0.status }
    try expect(try check(), .post, "/a", headers: headers, body: "x", gives: 200) { $0.status }
  }

  @Test(
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
  func `a request without exactly that token gets a 401`(headers: HTTPHeaders) throws {
    try expect(try check(), .get, "/a", headers: headers, gives: Self.refusal)
  }

  @Test(
    arguments: [
      ("/healthz", 200), ("/healthz?x", 200), ("/%68ealthz", 200), ("/healthz/", 401), ("//healthz", 401),
      ("/healthz/a", 401),
      ("/a?/healthz", 401), ("/healthz%2F", 401), ("/healthz;a", 401), ("/HEALTHZ", 401),
    ])
  func `an open path needs no token, and similar paths do`(target: String, status: Int) throws {
    try expect(try check(), .get, target, gives: status) { $0.status }
  }

  // MARK: - The token in the query

  @Test(
    arguments: [
      ("/?token=T", "/"), ("/views/a?token=T", "/views/a"), ("/a?x=1&token=T&y=%20+", "/a?x=1&y=%20+"),
      ("/a?token=T&token=T", "/a"), ("/a?&token=T&", "/a?&"), ("/a?tok%65n=T", "/a"), ("/a%2Fb?token=T", "/a%2Fb"),
      ("//evil.test/?token=T", "/.//evil.test/"), ("///evil.test?token=T", "/.///evil.test"),
      ("/\\evil.test?token=T", "/./\\evil.test"), ("/%5Cevil.test?token=T", "/%5Cevil.test"),
      ("/%2F/evil.test?token=T", "/%2F/evil.test"), ("/https://evil.test?token=T", "/https://evil.test"),
      ("/a?next=//evil.test&token=T", "/a?next=//evil.test"),
    ])
  func `a GET with the token in its query gets a cookie and a redirect`(target: String, location: String) throws {
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

  @Test(arguments: ["cross-site", "same-site"])
  func `a link with the token on another site gets a page that sets the cookie and refreshes`(site: String) throws {
    try expect(
      try check(), .get, "//evil.test/?token=\(Self.text)&x=1", headers: ["Sec-Fetch-Site": site],
      gives: """
        200
        Content-Type: text/plain; charset=utf-8
        Refresh: 0; url=/.//evil.test/?x=1
        Set-Cookie: mirror-token=\(Self.text); Path=/; HttpOnly; SameSite=Strict
        Cache-Control: no-store
        Referrer-Policy: no-referrer

        Opening the page.

        """)
  }

  @Test(arguments: ["none", "same-origin"])
  func `an address with the token that is typed or linked on an own page gets a redirect`(site: String) throws {
    try expect(try check(), .get, "/?token=\(Self.text)", headers: ["Sec-Fetch-Site": site], gives: 303) { $0.status }
  }

  @Test(
    arguments: [
      "/?token=wrong-token", "/?token=", "/?token", "/?token=T&token=wrong-token", "/?token=Tx", "/?token=T%20",
      "/?Token=T", "/?a=T", "/a;token=T",
    ])
  func `a wrong token in the query gets a 401 that does not repeat it`(target: String) throws {
    let target = target.split(separator: "T", omittingEmptySubsequences: false).joined(separator: Self.text)
    try expect(try check(), .get, target, gives: Self.refusal)
  }

  @Test
  func `a wrong token in the query gets a 401 even with the right cookie`() throws {
    try expect(
      try check(), .get, "/?token=wrong-token", headers: ["Cookie": "mirror-token=\(Self.text)"], gives: Self.refusal)
  }

  @Test(arguments: [HTTPMethod.post, .delete, .options])
  func `the token in the query of a changing request is ignored`(method: HTTPMethod) throws {
    try expect(try check(), method, "/?token=\(Self.text)", gives: Self.refusal)
  }

  @Test
  func `a preflight is answered without the token`() throws {
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
    arguments: [
      ("short", AccessTokenError.tooShort(minimum: 8)), ("", .tooShort(minimum: 8)),
      (String(repeating: "a", count: 513), .tooLong(maximum: 512)), ("with space", .unfitCharacter),
      ("semi;colon", .unfitCharacter), ("quoted\"it", .unfitCharacter), ("line\r\nbreak", .unfitCharacter),
      ("ampers&nd", .unfitCharacter), ("comma,comma", .unfitCharacter), ("schlüssel", .unfitCharacter),
      ("percent%20", .unfitCharacter),
    ])
  func `a token of a wrong length or with a forbidden character is an error`(text: String, error: AccessTokenError) {
    #expect(throws: error) { try AccessToken(text) }
  }

  @Test
  func `the description of a token does not contain its text`() throws {
    let token = try AccessToken(Self.text)
    var dumped = ""
    dump(token, to: &dumped)
    for text in ["\(token)", String(reflecting: token), dumped] { #expect(!text.contains("s3cret")) }
  }
}
