import MicroHTTP
import Testing

@Suite("ContentNegotiation")
struct ContentNegotiationTests {
  private static let long = String(repeating: "abcdefgh", count: 512)

  /// `/fixed` has the tag `W/"v1"`, `/strong` the tag `"v1"`, and `/tagged` a tag computed from its
  /// bytes. The other successful `GET` responses have no tag.
  private let handler: ContentNegotiation = {
    var router = Router()
    func add(_ path: String, tag: String) {
      router.on(.get, path) { _ in
        var response = HTTPResponse.text("content")
        response.headers["ETag"] = tag
        response.headers["Cache-Control"] = "no-cache"
        return response
      }
    }
    add("/fixed", tag: #"W/"v1""#)
    add("/strong", tag: #""v1""#)
    router.on(.get, "/tagged") { _ in HTTPResponse.text(Self.long).validated() }
    router.on(.get, "/plain") { _ in .text("content") }
    router.on(.get, "/missing") { _ in HTTPResponse.text("none", status: .notFound).validated() }
    router.on(.post, "/fixed") { _ in HTTPResponse(headers: ["ETag": #"W/"v1""#], body: .bytes(Array("posted".utf8))) }
    router.on(.get, "/type/{type}") { request in
      let type = try request.parameter("type")
      return HTTPResponse(contentType: type, bytes: Array(Self.long.utf8))
    }
    router.on(.get, "/length/{length}") { request in
      .text(String(repeating: "a", count: Int(try request.parameter("length")) ?? 0))
    }
    router.on(.get, "/encoded") { _ in
      HTTPResponse(
        headers: ["Content-Type": "text/plain", "Content-Encoding": "br"], body: .bytes(Array(Self.long.utf8)))
    }
    router.on(.get, "/untouched") { _ in
      HTTPResponse(
        headers: ["Content-Type": "text/plain", "Cache-Control": "No-Transform"], body: .bytes(Array(Self.long.utf8)))
    }
    router.on(.get, "/random") { _ in
      var random = SystemRandomNumberGenerator()
      let bytes = (0..<2_048).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      return HTTPResponse(contentType: "text/plain", bytes: bytes)
    }
    router.on(.post, "/long") { _ in .text(Self.long, status: .created) }
    return ContentNegotiation(router)
  }()

  // MARK: - Conditions

  @Test(
    arguments: [
      #"W/"v1""#, #""v1""#, #""v0", W/"v1""#, "*", #""a,b","v1""#,
    ])
  func `a request whose If-None-Match contains the tag gets a 304 without a body`(header: String) throws {
    for method in [HTTPMethod.get, .head] {
      try expect(
        handler, method, "/fixed", headers: ["If-None-Match": header],
        gives: #"304 W/"v1" no-cache nil nil"#
      ) { answer in
        "\(answer.status) \(answer.headers["ETag"] ?? "") \(answer.headers["Cache-Control"] ?? "") "
          + "\(answer.headers["Content-Type"] ?? "nil") \(answer.body.isEmpty ? "nil" : answer.body)"
      }
    }
  }

  @Test(
    arguments: [#""v2""#, #"W/"V1""#, "v1", #""v1"#, #"W/v1"#, #"w/"v1""#, #""v1" "v1""#, ""])
  func `a request whose If-None-Match is malformed or has only other tags gets the content`(header: String) throws {
    try expect(handler, .get, "/fixed", headers: ["If-None-Match": header], gives: "200 content") {
      "\($0.status) \($0.body)"
    }
  }

  @Test
  func `several If-None-Match headers are read as one list`() throws {
    try expect(
      handler, .get, "/fixed", headers: ["If-None-Match": #""a""#, "If-None-Match": #""v1""#], gives: 304
    ) { $0.status }
  }

  @Test(
    arguments: [(HTTPMethod.get, "/plain", 200), (.get, "/missing", 404), (.get, "/none", 404), (.post, "/fixed", 200)])
  func `conditions do not apply to POST, errors, or responses without a tag`(
    method: HTTPMethod, target: String, status: Int
  ) throws {
    try expect(
      handler, method, target, headers: ["If-None-Match": "*", "If-Match": #""x""#], gives: status
    ) { $0.status }
  }

  @Test(
    arguments: [
      ("/strong", #""v1""#, 200), ("/strong", #""v0", "v1""#, 200), ("/strong", "*", 200), ("/strong", #"W/"v1""#, 412),
      ("/strong", #""v2""#, 412), ("/fixed", #"W/"v1""#, 412), ("/fixed", "*", 200), ("/strong", "v2", 200),
    ])
  func `If-Match compares strongly, so a weak tag never matches`(target: String, header: String, status: Int) throws {
    try expect(handler, .get, target, headers: ["If-Match": header], gives: status) { $0.status }
  }

  @Test
  func `If-Match is evaluated before If-None-Match`() throws {
    let headers: HTTPHeaders = ["If-Match": #""v2""#, "If-None-Match": #""v1""#]
    try expect(
      handler, .get, "/strong", headers: headers,
      gives: """
        412
        Content-Type: application/problem+json
        ETag: "v1"

        {"type":"about:blank","title":"Precondition Failed","status":412,"code":"precondition-failed",\
        "detail":"The current version does not match the If-Match header."}

        """)
  }

  @Test
  func `a response has the same tag compressed or not, and a request with that tag gets a 304`() throws {
    let plain = try bothAnswers(handler, .get, "/tagged")
    let zipped = try bothAnswers(handler, .get, "/tagged", headers: ["Accept-Encoding": "gzip"])
    let tags = [plain.direct, plain.overSocket, zipped.direct, zipped.overSocket].map { $0.headers["ETag"] }
    #expect(Set(tags).count == 1)
    let tag = try #require(tags[0])
    #expect(plain.direct.headers["Cache-Control"] == "no-cache")
    for encoding in ["gzip", "identity"] {
      let headers: HTTPHeaders = ["If-None-Match": tag, "Accept-Encoding": encoding]
      try expect(
        handler, .get, "/tagged", headers: headers,
        gives: "304\nETag: \(tag)\nCache-Control: no-cache\nVary: Accept-Encoding")
    }
  }

  @Test
  func `a connection stays open after a 304`() throws {
    try withServer(handler) { server in
      let client = try RawClient(port: server.port)
      for _ in 0..<3 {
        client.send(request(.get, "/fixed", headers: ["If-None-Match": "*"]) + request(.get, "/plain"))
        #expect(try client.receive().status == 304)
        #expect(try client.receive().body == "content")
      }
    }
  }

  // MARK: - Compression

  /// The `Content-Encoding` and `Vary` of an answer.
  private func seen(_ answer: Answer) -> String {
    "\(answer.headers["Content-Encoding"] ?? "plain") \(answer.headers["Vary"] ?? "-")"
  }

  @Test(
    arguments: [
      ("gzip", "gzip"), ("GZIP", "gzip"), ("x-gzip", "gzip"), ("br, gzip;q=0.5", "gzip"), ("*", "gzip"),
      ("gzip, deflate, br, zstd", "gzip"), ("gzip; q=1.0", "gzip"), ("identity;q=0.5, gzip", "gzip"),
      ("gzip;q=0.001", "gzip"),
      ("", "plain"), ("identity", "plain"), ("br", "plain"), ("gzip;q=0", "plain"), ("gzip;q=0.000", "plain"),
      ("*;q=0", "plain"), ("*, gzip;q=0", "plain"), ("gzip;q=2", "plain"), ("gzip;q", "plain"),
      ("gzip;level=9", "plain"),
      ("identity, gzip;q=0.5", "plain"), ("agzip", "plain"),
    ])
  func `content is compressed only if Accept-Encoding allows gzip`(header: String, encoding: String) throws {
    try expect(
      handler, .get, "/length/5000", headers: ["Accept-Encoding": header], gives: "\(encoding) Accept-Encoding", seen)
  }

  @Test(
    arguments: [
      ("text/html; charset=utf-8", true), ("text/css", true), ("TEXT/Plain", true), ("application/json", true),
      ("application/problem+json", true), ("image/svg+xml", true), ("text/javascript; charset=utf-8", true),
      ("application/x-ndjson", true), ("application/wasm", false), ("image/png", false), ("font/woff2", false),
      ("application/octet-stream", false), ("application/json-not", false), ("x-text/plain", false),
    ])
  func `text formats are compressed, and binary formats are not`(type: String, isCompressed: Bool) throws {
    let path = type.split(separator: "/").joined(separator: "%2F").split(separator: " ").joined(separator: "%20")
    let expected = isCompressed ? "gzip Accept-Encoding" : "plain -"
    try expect(handler, .get, "/type/\(path)", headers: ["Accept-Encoding": "gzip"], gives: expected, seen)
  }

  @Test(
    arguments: [("0", "plain -"), ("1023", "plain -"), ("1024", "gzip Accept-Encoding")])
  func `content of less than 1024 bytes is not compressed`(length: String, expected: String) throws {
    try expect(handler, .get, "/length/\(length)", headers: ["Accept-Encoding": "gzip"], gives: expected, seen)
  }

  @Test(
    arguments: [("/encoded", "br -"), ("/untouched", "plain -"), ("/random", "plain Accept-Encoding")])
  func `encoded, no-transform and incompressible content is sent unchanged`(target: String, expected: String) throws {
    try expect(handler, .get, target, headers: ["Accept-Encoding": "gzip"], gives: expected, seen)
  }

  @Test
  func `the response to a POST is compressed`() throws {
    try expect(
      handler, .post, "/long", headers: ["Accept-Encoding": "gzip"], body: "x", gives: "201 gzip Accept-Encoding"
    ) { "\($0.status) \(seen($0))" }
  }

  @Test(arguments: ["gzip", "identity"])
  func `HEAD has the same Content-Length as GET`(encoding: String) throws {
    let headers: HTTPHeaders = ["Accept-Encoding": encoding]
    let length = try bothAnswers(handler, .get, "/tagged", headers: headers).overSocket.contentLength
    try expect(handler, .head, "/tagged", headers: headers, gives: length) { $0.contentLength }
    #expect((length == Self.long.utf8.count) == (encoding == "identity"))
  }

  @Test
  func `a stream response is not changed`() throws {
    let streaming = ContentNegotiation(
      ClosureHandler { _ in
        HTTPResponse(headers: ["Content-Type": "text/event-stream"], body: .stream(HTTPStream()))
      })
    let request = try HTTPRequest(target: "/", headers: ["Accept-Encoding": "gzip"])
    let response = try streaming.handle(request)
    #expect(response.headers.fields.count == 1)
    guard case .stream = response.body else {
      Issue.record("the body is not a stream")
      return
    }
  }
}
