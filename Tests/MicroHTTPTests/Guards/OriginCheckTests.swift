import MicroHTTP
import MirrorSupport
import Testing

@Suite("OriginCheck")
struct OriginCheckTests {
  private static let ui = "http://localhost:4000"

  private func check(_ allowed: [String] = [Self.ui], over handler: any HTTPHandler = echo) throws -> OriginCheck {
    OriginCheck(handler, allowed: try allowed.map(WebOrigin.init), hint: "Name it with --allow-origin.") {
      $0.segments.last == "events"
    }
  }

  /// The headers of a client, and whether its requests may change something.
  struct Sender: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let headers: HTTPHeaders
    let passes: Bool

    init(_ name: String, _ headers: HTTPHeaders, passes: Bool) {
      testDescription = name
      self.headers = headers
      self.passes = passes
    }
  }

  static let senders = [
    Sender("curl", ["Host": "localhost:8080"], passes: true),
    Sender("an own page", ["Host": "localhost:8080", "Origin": "http://localhost:8080"], passes: true),
    Sender(
      "an own page, with more capitals", ["Host": "LocalHost:8080", "Origin": "HTTP://LOCALHOST:8080"], passes: true),
    Sender("an own page behind TLS", ["Host": "mirror.test", "Origin": "https://mirror.test"], passes: true),
    Sender("an own page at a default port", ["Host": "localhost:80", "Origin": "http://localhost"], passes: true),
    Sender(
      "an own page that says its default port", ["Host": "localhost", "Origin": "http://localhost:80"], passes: true),
    Sender("an own page of IPv6", ["Host": "[::1]:8080", "Origin": "http://[::1]:8080"], passes: true),
    Sender("an allowed page", ["Host": "localhost:8080", "Origin": ui, "Sec-Fetch-Site": "same-site"], passes: true),
    Sender("a form of an own page", ["Host": "localhost", "Sec-Fetch-Site": "same-origin"], passes: true),
    Sender("the address line", ["Host": "localhost", "Sec-Fetch-Site": "none"], passes: true),
    Sender("a foreign page", ["Host": "localhost:8080", "Origin": "https://evil.test"], passes: false),
    Sender("another port of localhost", ["Host": "localhost:8080", "Origin": "http://localhost:3000"], passes: false),
    Sender(
      "the default port instead of ours", ["Host": "localhost:8080", "Origin": "http://localhost"], passes: false),
    Sender(
      "another name of this machine", ["Host": "localhost:8080", "Origin": "http://127.0.0.1:8080"], passes: false),
    Sender(
      "a name that begins like ours", ["Host": "localhost", "Origin": "http://localhost.evil.test"], passes: false),
    Sender("a name that ends like an allowed one", ["Origin": "http://evil-localhost:4000"], passes: false),
    Sender(
      "the wrong scheme of an allowed one", ["Host": "localhost:1", "Origin": "https://localhost:4000"], passes: false),
    Sender("an extension", ["Host": "localhost", "Origin": "chrome-extension://localhost"], passes: false),
    Sender("a page without an origin", ["Host": "localhost", "Origin": "null"], passes: false),
    Sender("an origin in capitals", ["Host": "localhost", "Origin": "NULL"], passes: false),
    Sender("a file", ["Host": "localhost", "Origin": "file://"], passes: false),
    Sender("no origin that can be read", ["Host": "localhost", "Origin": "localhost"], passes: false),
    Sender("an origin with a path", ["Host": "localhost", "Origin": "http://localhost/"], passes: false),
    Sender("an origin with a user", ["Host": "localhost", "Origin": "http://evil.test@localhost"], passes: false),
    Sender("a list of origins", ["Host": "localhost", "Origin": "http://localhost http://evil.test"], passes: false),
    Sender(
      "two origins", ["Host": "localhost", "Origin": "http://localhost", "Origin": "http://evil.test"], passes: false),
    Sender("a foreign form", ["Host": "localhost", "Sec-Fetch-Site": "cross-site"], passes: false),
    Sender("a form at another port", ["Host": "localhost", "Sec-Fetch-Site": "same-site"], passes: false),
    Sender("a browser of the future", ["Host": "localhost", "Sec-Fetch-Site": "near"], passes: false),
    Sender(
      "an image of a foreign page", ["Host": "localhost", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"],
      passes: false),
  ]

  @Test(arguments: senders)
  func `a changing request is accepted only from own and allowed origins`(sender: Sender) throws {
    for method in [HTTPMethod.post, .put, .delete, .patch, HTTPMethod(rawValue: "get")] {
      let request = try HTTPRequest(method: method, target: "/views", headers: sender.headers)
      #expect(try check().respond(to: request).status == (sender.passes ? .ok : .forbidden), "\(method)")
    }
    try expect(
      try check(), .post, "/views", headers: sender.headers, body: "x", gives: sender.passes ? 200 : 403
    ) { $0.status }
  }

  @Test(arguments: senders)
  func `a guarded GET is accepted only from own and allowed origins`(sender: Sender) throws {
    try expect(
      try check(), .get, "/views/a/events", headers: sender.headers, gives: sender.passes ? 200 : 403
    ) { $0.status }
  }

  /// Requests that a browser sends for a page of another site: for an image, a script, a frame, a
  /// link.
  static let crossSite: [(mode: String, destination: String, isShown: Bool)] = [
    ("no-cors", "image", false), ("no-cors", "script", false), ("no-cors", "style", false), ("cors", "empty", false),
    ("no-cors", "empty", false), ("navigate", "iframe", false), ("navigate", "object", false), ("navigate", "", false),
    ("", "document", false), ("same-origin", "document", false), ("navigate", "document", true),
  ]

  @Test(arguments: crossSite)
  func `a cross-site request is refused unless it is a top-level navigation`(
    mode: String, destination: String, isShown: Bool
  ) throws {
    let check = OriginCheck(echo, allowed: [try WebOrigin(Self.ui)]) { _ in
      false
    } allowsCrossSite: {
      $0.segments.last == "shared.css"
    }
    var headers: HTTPHeaders = ["Host": "localhost:8080", "Sec-Fetch-Site": "cross-site"]
    if !mode.isEmpty { headers["Sec-Fetch-Mode"] = mode }
    if !destination.isEmpty { headers["Sec-Fetch-Dest"] = destination }
    for method in [HTTPMethod.get, .head] {
      let request = try HTTPRequest(method: method, target: "/assets/favicon.svg", headers: headers)
      #expect(check.respond(to: request).status == (isShown ? .ok : .forbidden))
    }
    #expect(check.respond(to: try HTTPRequest(method: .options, target: "/", headers: headers)).status == .forbidden)
    // A form that a page submits is a top-level navigation too, but its method is not safe.
    #expect(check.respond(to: try HTTPRequest(method: .post, target: "/", headers: headers)).status == .forbidden)
    // Shared resources can be read by pages of every site, but not changed.
    #expect(check.respond(to: try HTTPRequest(target: "/shared.css", headers: headers)).status == .ok)
    let change = try HTTPRequest(method: .delete, target: "/shared.css", headers: headers)
    #expect(check.respond(to: change).status == .forbidden)
    // An allowed origin may belong to another site.
    headers["Origin"] = Self.ui
    #expect(check.respond(to: try HTTPRequest(target: "/", headers: headers)).status == .ok)
    headers["Origin"] = "https://evil.test"
    #expect(check.respond(to: try HTTPRequest(target: "/", headers: headers)).status == (isShown ? .ok : .forbidden))
  }

  @Test
  func `a request with several Sec-Fetch-Site headers is cross-site if one of them says so`() throws {
    let headers: HTTPHeaders = ["Host": "localhost", "Sec-Fetch-Site": "same-origin", "sec-fetch-site": "Cross-Site"]
    #expect(try check().respond(to: try HTTPRequest(target: "/", headers: headers)).status == .forbidden)
  }

  @Test(arguments: senders)
  func `a same-site GET is handled, but only an allowed origin may read the response`(sender: Sender) throws {
    let isAllowed = sender.headers["Origin"] == Self.ui
    if sender.headers["Sec-Fetch-Site"] == "cross-site" {
      try expect(try check(), .get, "/views", headers: sender.headers, gives: 403) { $0.status }
      return
    }
    try expect(
      try check(), .get, "/views", headers: sender.headers, gives: ["200", isAllowed ? Self.ui : nil, "Origin"]
    ) { ["\($0.status)", $0.headers["Access-Control-Allow-Origin"], $0.headers["Vary"]] }
  }

  @Test
  func `a request without a valid Host header has no own origin`() throws {
    let request = try HTTPRequest(method: .post, target: "/", headers: ["Origin": "http://localhost"])
    #expect(try check().respond(to: request).status == .forbidden)
  }

  @Test
  func `a refusal names the origin and gives the hint`() throws {
    try expect(
      try check([]), .post, "/views", headers: ["Origin": "https://evil.test"],
      gives: """
        403
        Content-Type: application/problem+json

        {"type":"about:blank","title":"Forbidden","status":403,"code":"forbidden",\
        "detail":"The request comes from the origin \
        \u{201C}https://evil.test\u{201D}, which is not allowed to make it. Name it with --allow-origin."}

        """)
  }

  @Test
  func `refused requests of origins that could be allowed are reported`() throws {
    let refused = Guarded<[String]>([])
    let check = OriginCheck(
      echo, allowed: [try WebOrigin(Self.ui)],
      refused: { request, origin in refused.withLock { $0.append("\(request.method) \(request.segments[0]) \(origin)") }
      })
    for origin in [Self.ui, "http://127.0.0.1:4000", "null", "<b>"] {
      _ = check.respond(to: try HTTPRequest(method: .post, target: "/frames", headers: ["Origin": origin]))
    }
    _ = check.respond(to: try HTTPRequest(target: "/frames", headers: ["Origin": "http://127.0.0.1:4000"]))
    _ = check.respond(
      to: try HTTPRequest(
        method: .options, target: "/pages/a",
        headers: ["Origin": "https://app.test", "Access-Control-Request-Method": "POST"]))
    #expect(
      refused.withLock { $0 } == ["POST frames http://127.0.0.1:4000", "OPTIONS pages https://app.test"])
  }

  // MARK: - Reading across origins

  @Test
  func `responses have no CORS headers if no origin is allowed`() throws {
    try expect(
      try check([]), .get, "/", headers: ["Origin": Self.ui],
      gives: "200\nContent-Type: text/plain; charset=utf-8\n\nGET [] [] 0")
  }

  @Test
  func `a response to an allowed origin names only that origin`() throws {
    try expect(
      try check([Self.ui, "https://other.test"]), .post, "/", headers: ["Origin": Self.ui], body: "x",
      gives: """
        200
        Content-Type: text/plain; charset=utf-8
        Vary: Origin
        Access-Control-Allow-Origin: \(Self.ui)
        Access-Control-Expose-Headers: ETag, Location, Retry-After

        POST [] [] 1
        """)
  }

  @Test(arguments: ["chrome-extension://abcdefgh", "moz-extension://0a-1b"])
  func `the origin of a browser extension can be allowed`(origin: String) throws {
    try expect(try check([origin]), .post, "/", headers: ["Origin": origin], gives: 200) { $0.status }
    try expect(try check([origin]), .post, "/", headers: ["Origin": origin + "x"], gives: 403) { $0.status }
  }

  struct Unexpected: Error {}

  @Test(arguments: [404, 422, 500, 503])
  func `an allowed origin may read errors too`(status: Int) throws {
    let failing = ClosureHandler { _ in
      if status == 500 { throw Unexpected() }
      throw HTTPError(HTTPStatus(code: status))
    }
    try expect(
      try check(over: failing), .get, "/", headers: ["Origin": Self.ui], gives: ["\(status)", Self.ui, "Origin"]
    ) {
      ["\($0.status)", $0.headers["Access-Control-Allow-Origin"], $0.headers["Vary"]]
    }
  }

  @Test
  func `an unexpected error of the handler is passed to the log unchanged`() throws {
    var logged: (any Error)?
    let failing = try check(over: ClosureHandler { _ in throw Unexpected() })
    let response = failing.respond(to: try HTTPRequest(target: "/")) { logged = $0 }
    #expect(response.status == .internalServerError)
    #expect(logged is Unexpected)
  }

  @Test
  func `Origin is appended to an existing Vary header`() throws {
    let varying = ClosureHandler { _ in HTTPResponse(status: .noContent, headers: ["Vary": "Accept"]) }
    try expect(try check(over: varying), .get, "/", gives: "204\nVary: Accept, Origin")
  }

  // MARK: - Preflights

  @Test
  func `the preflight of an allowed origin is answered without calling the handler`() throws {
    let preflight: HTTPHeaders = ["Origin": Self.ui, "Access-Control-Request-Method": "POST"]
    try expect(
      try check(over: ClosureHandler { _ in throw Unexpected() }), .options, "/anything", headers: preflight,
      gives: """
        204
        Access-Control-Allow-Origin: \(Self.ui)
        Access-Control-Allow-Methods: GET, HEAD, POST, PUT, PATCH, DELETE
        Access-Control-Allow-Headers: Content-Type, Authorization, Accept, Last-Event-ID
        Access-Control-Max-Age: 600
        Vary: Origin, Access-Control-Request-Method, Access-Control-Request-Headers
        """)
  }

  @Test(
    arguments: [(ui, "true"), ("https://evil.test", nil)])
  func `the preflight of an allowed origin permits private network access`(origin: String, expected: String?) throws {
    let headers: HTTPHeaders = [
      "Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Private-Network": "true",
    ]
    try expect(try check(), .options, "/", headers: headers, gives: expected) {
      $0.headers["Access-Control-Allow-Private-Network"]
    }
  }

  @Test(arguments: ["https://evil.test", "null"])
  func `the preflight of another origin gets a 403 without CORS headers`(origin: String) throws {
    let headers: HTTPHeaders = ["Origin": origin, "Access-Control-Request-Method": "GET"]
    try expect(try check(), .options, "/", headers: headers, gives: ["403", nil]) {
      ["\($0.status)", $0.headers["Access-Control-Allow-Origin"]]
    }
  }

  @Test
  func `an OPTIONS request that is not a preflight is passed to the handler`() throws {
    try expect(try check(), .options, "/", headers: ["Origin": "https://evil.test"], gives: "OPTIONS [] [] 0") {
      $0.body
    }
  }

  @Test(
    arguments: [
      "*", "", "null", "localhost", "localhost:4000", "http://", "http://a/", "http://a/b", "http://*", "http://*.a",
      "http://a:0", "://a", "1a://b", "http:/a", "http://a@b", "file://", "http://a b",
    ])
  func `an invalid origin is an error`(text: String) {
    #expect(throws: WebOriginError.self) { try WebOrigin(text) }
  }
}
