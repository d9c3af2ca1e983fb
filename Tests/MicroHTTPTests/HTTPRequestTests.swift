import MicroHTTP
import Testing

@Suite("HTTPRequest")
struct HTTPRequestTests {
  let handler = ClosureHandler { request in
    .text("\(request.segments)\n\(request.queryItems.map { "\($0.name)=\($0.value)" })")
  }

  @Test(
    arguments: [
      ("/", "[]"),
      ("/views/main", #"["views", "main"]"#),
      ("/views/", #"["views", ""]"#),
      ("/a//b", #"["a", "", "b"]"#),
      ("/caf%C3%A9", #"["café"]"#),
      ("/a%2Fb", #"["a/b"]"#),
      ("/%252e%252e", #"["%2e%2e"]"#),
      ("/a+b", #"["a+b"]"#),
      ("/a%3Fb?c", #"["a?b"]"#),
    ])
  func `a path is split at its slashes, and each segment is decoded once`(target: String, expected: String) throws {
    let items = target.hasSuffix("?c") ? #"["c="]"# : "[]"
    try expect(
      handler, .get, target,
      gives: """
        200
        Content-Type: text/plain; charset=utf-8

        \(expected)
        \(items)
        """)
  }

  @Test(
    arguments: [
      ("/?a=1&b=2", #"["a=1", "b=2"]"#),
      ("/?a=1&a=2", #"["a=1", "a=2"]"#),
      ("/?a=x%26y%3Dz", #"["a=x&y=z"]"#),
      ("/?q=one+two%2Bthree", #"["q=one two+three"]"#),
      ("/?flag&x=", #"["flag=", "x="]"#),
      ("/?&&a=b=c&", #"["a=b=c"]"#),
      ("/?%252e=%2525", #"["%2e=%25"]"#),
      ("/?a=?", #"["a=?"]"#),
      ("/?", "[]"),
    ])
  func `a query is split into names and values, and each is decoded once`(target: String, expected: String) throws {
    try expect(
      handler, .get, target,
      gives: """
        200
        Content-Type: text/plain; charset=utf-8

        []
        \(expected)
        """)
  }

  @Test
  func `path and query keep their escapes`() throws {
    let request = try HTTPRequest(target: "/a%20b/?c=%20d")
    #expect(request.path == "/a%20b/")
    #expect(request.query == "c=%20d")
    #expect(request.queryItem("c") == " d")
    #expect(request.queryItem("d") == nil)
    #expect(try HTTPRequest(target: "/").query == nil)
  }

  @Test(
    arguments: [
      ("/%", "“%” has a % that is not followed by two hexadecimal digits"),
      ("/a/%4", "“%4” has a % that is not followed by two hexadecimal digits"),
      ("/%zz", "“%zz” has a % that is not followed by two hexadecimal digits"),
      ("/%2", "“%2” has a % that is not followed by two hexadecimal digits"),
      ("/%FF", "“%FF” does not decode to UTF-8"),
      ("/%C0%AE", "“%C0%AE” does not decode to UTF-8"),
      ("/%ED%A0%80", "“%ED%A0%80” does not decode to UTF-8"),
      ("/a%00.css", "“a%00.css” contains a NUL character"),
      ("/?q=100%", "“100%” has a % that is not followed by two hexadecimal digits"),
      ("/?%FE=1", "“%FE” does not decode to UTF-8"),
    ])
  func `a target that cannot be decoded is refused`(target: String, reason: String) throws {
    try expect(
      handler, .get, target,
      gives: """
        400
        Content-Type: application/problem+json

        {"type":"about:blank","title":"Bad Request","status":400,"code":"bad-request",\
        "detail":"The request target is invalid: \(reason)."}

        """)
  }

  @Test(
    arguments: ["ftp://localhost/views", "*", "views"])
  func `a target that is neither a path nor an http URL is refused, and the connection closes`(target: String) throws {
    let error = #expect(throws: HTTPError.self) { try HTTPRequest(target: target) }
    #expect(error?.problem.detail == "The request target must be a path that begins with a slash.")
    #expect(
      "\(try exchange(request(.get, target), with: handler))" == """
        400
        Connection: close
        Content-Type: application/problem+json

        {"type":"about:blank","title":"Bad Request","status":400,"code":"bad-request",\
        "detail":"The request target must be a path that begins with a slash."}

        """)
  }

  @Test
  func `a target with raw bytes that are not UTF-8 is refused`() throws {
    try withServer(handler) { server in
      let client = try RawClient(port: server.port)
      client.send(Array("GET /".utf8) + [0xFF] + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      #expect(
        "\(try client.receive())" == """
          400
          Content-Type: application/problem+json

          {"type":"about:blank","title":"Bad Request","status":400,"code":"bad-request",\
          "detail":"The request target must be valid UTF-8."}

          """)
    }
  }

  @Test
  func `changing a copy of a request does not change the original`() throws {
    let request = try HTTPRequest(
      method: .post, target: "/a?b=c", headers: ["Host": "a", "X": "1"], body: Array("body".utf8))
    var copy = request
    copy.method = .get
    copy.headers["X"] = "2"
    copy.headers.add("Y", "3")
    copy.body.append(UInt8(ascii: "!"))
    #expect(request.method == .post)
    #expect("\(request.headers)" == "Host: a\nX: 1")
    #expect(request.body == Array("body".utf8))
    #expect(copy.method == .get)
    #expect("\(copy.headers)" == "Host: a\nX: 2\nY: 3")
    #expect(copy.body == Array("body!".utf8))
    #expect(copy.path == "/a" && copy.query == "b=c" && copy.segments == ["a"])
  }
}
