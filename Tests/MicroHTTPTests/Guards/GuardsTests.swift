import MicroHTTP
import Testing

/// All guards combined in the order in which a program uses them.
@Suite("Guards")
struct GuardsTests {
  private static let token = "correct-horse-battery"
  private static let ui = "http://localhost:4000"

  private func guarded() throws -> SecurityHeaders {
    var router = Router()
    router.on(.get, "/views") { _ in
      HTTPResponse.json(Array("[\(String(repeating: "1,", count: 1_000))1]".utf8)).validated()
    }
    router.on(.post, "/views") { _ in .text("made", status: .created) }
    let inner = TokenCheck(ContentNegotiation(router), token: try AccessToken(Self.token), realm: "mirror")
    let origins = OriginCheck(inner, allowed: [try WebOrigin(Self.ui)])
    return SecurityHeaders(HostCheck(origins))
  }

  /// A request and its status, which is from the first guard that refuses the request, or from the
  /// handler.
  struct Visit: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let method: HTTPMethod
    let headers: HTTPHeaders
    let status: Int

    init(_ name: String, _ method: HTTPMethod, _ headers: HTTPHeaders, _ status: Int) {
      testDescription = name
      self.method = method
      self.headers = headers
      self.status = status
    }
  }

  static let bearer = "Bearer \(token)"

  @Test(
    arguments: [
      Visit("curl with the token", .post, ["Authorization": bearer], 201),
      Visit("curl without it", .post, [:], 401),
      Visit("a rebound name, even with the token", .get, ["Host": "evil.test", "Authorization": bearer], 421),
      Visit(
        "a rebound name, whose page is of that origin", .post,
        ["Host": "evil.test", "Origin": "http://evil.test", "Authorization": bearer], 421),
      Visit(
        "a form elsewhere, with the cookie", .post,
        ["Origin": "https://evil.test", "Cookie": "token=\(token)", "Content-Type": "text/plain"], 403),
      Visit("a form at another port", .post, ["Sec-Fetch-Site": "same-site", "Cookie": "token=\(token)"], 403),
      Visit("an allowed page with the token", .post, ["Origin": ui, "Authorization": bearer], 201),
      Visit("an allowed page without it", .post, ["Origin": ui], 401),
      Visit("an allowed page that asks first", .options, ["Origin": ui, "Access-Control-Request-Method": "POST"], 204),
      Visit(
        "another page that asks first", .options, ["Origin": "null", "Access-Control-Request-Method": "POST"], 403),
      Visit("a browser that has been here", .get, ["Cookie": "token=\(token)", "If-None-Match": "*"], 304),
    ])
  func `the first guard that refuses a request determines the status`(visit: Visit) throws {
    try expect(try guarded(), visit.method, "/views", headers: visit.headers, gives: visit.status) { $0.status }
  }

  @Test(arguments: ["/views", "/nothing"])
  func `a request without the token gets a 401 whether the path exists or not`(target: String) throws {
    try expect(try guarded(), .get, target, headers: ["If-None-Match": "*", "Accept-Encoding": "gzip"], gives: 401) {
      $0.status
    }
  }

  @Test(arguments: ["evil.test", "localhost", "a b"])
  func `a refused request gets the default Content-Security-Policy`(host: String) throws {
    try expect(
      try guarded(), .get, "/views", headers: ["Host": host], gives: "default-src 'none'; frame-ancestors 'none'"
    ) {
      $0.headers["Content-Security-Policy"]
    }
  }

  @Test
  func `a response to a page of a foreign origin does not allow that page to read it`() throws {
    let headers: HTTPHeaders = ["Origin": "https://evil.test", "Authorization": Self.bearer]
    try expect(try guarded(), .get, "/views", headers: headers, gives: ["200", nil, "same-origin"]) {
      ["\($0.status)", $0.headers["Access-Control-Allow-Origin"], $0.headers["Cross-Origin-Resource-Policy"]]
    }
  }

  @Test
  func `the Vary headers of all guards are merged into one`() throws {
    let headers: HTTPHeaders = ["Authorization": Self.bearer, "Accept-Encoding": "gzip"]
    try expect(try guarded(), .get, "/views", headers: headers, gives: ["Accept-Encoding, Origin"]) {
      $0.headers.values(of: "Vary")
    }
  }
}
