import MicroHTTP
import Testing

@Suite("HTTPError")
struct HTTPErrorTests {
  struct Secret: Error {}

  @Test
  func `an HTTPError that a handler throws becomes the response that it describes`() throws {
    let handler = ClosureHandler { _ in
      throw HTTPError(
        ProblemDetails(
          status: .unprocessableContent, type: "/problems/slot", title: "Not a slot", detail: "A slot is a string.",
          pointer: "/diff/0~1", offset: 12,
          extensions: [
            .init("kind", .string("slot")), .init("retry", .boolean(false)), .init("allowed", .strings(["a", "b"])),
            .init("version", .integer(-7)), .init("raw", .json(Array("[1,{}]".utf8))),
          ]),
        headers: ["Retry-After": "3"])
    }
    try expect(
      handler, .post, "/", body: "{}",
      gives: """
        422
        Content-Type: application/problem+json
        Retry-After: 3

        {"type":"/problems/slot","title":"Not a slot","status":422,"code":"unprocessable-content",\
        "detail":"A slot is a string.",\
        "pointer":"/diff/0~1","offset":12,"kind":"slot","retry":false,"allowed":["a","b"],"version":-7,"raw":[1,{}]}

        """)
  }

  @Test
  func `any other error becomes a 500 without details, and is logged`() throws {
    let handler = ClosureHandler { _ in throw Secret() }
    try expect(
      handler, .get, "/",
      gives: """
        500
        Content-Type: application/problem+json

        {"type":"about:blank","title":"Internal Server Error","status":500,"code":"internal-server-error",\
        "detail":"The request could not be handled; see the server's log for the reason."}

        """)
    let lines = Collected<String>()
    try withServer(handler, log: { lines.append($0) }) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/a?b"))
      _ = try client.receive()
    }
    #expect(lines.all == ["GET /a: Secret()"])
  }

  @Test
  func `a detail is escaped as a JSON string`() {
    let problem = ProblemDetails(status: .badRequest, detail: "a\"b\\c\n\r\t\u{0}\u{1F}\u{7F}/é😀\u{2028}")
    #expect(
      String(decoding: problem.json, as: UTF8.self)
        == #"{"type":"about:blank","title":"Bad Request","status":400,"code":"bad-request","#
        + #""detail":"a\"b\\c\n\r\t\u0000\u001f"# + "\u{7F}/é😀\u{2028}\"}\n")
  }

  @Test
  func `the name of an extension member is escaped`() {
    let problem = ProblemDetails(status: HTTPStatus(code: 499), extensions: [.init("a\"", .integer(1))])
    #expect(
      String(decoding: problem.json, as: UTF8.self)
        == #"{"type":"about:blank","title":"Client Error","status":499,"code":"client-error","a\"":1}"# + "\n")
  }

  @Test(
    arguments: [
      HTTPResponse(headers: ["Location": "/a\r\nSet-Cookie: b"]),
      HTTPResponse(headers: ["Bad Name\n": "x"]),
      HTTPResponse(status: HTTPStatus(code: 42)),
      HTTPResponse(status: HTTPStatus(code: 100)),
      HTTPResponse(status: HTTPStatus(code: 100_000)),
    ])
  func `a response with an invalid header or status becomes a 500`(response: HTTPResponse) throws {
    let answer = try exchange(request(.get, "/"), with: ClosureHandler { _ in response })
    #expect(
      "\(answer)" == """
        500
        Content-Type: application/problem+json

        {"type":"about:blank","title":"Internal Server Error","status":500,"code":"internal-server-error"}

        """)
  }

  @Test
  func `a Content-Length that a handler sets is ignored`() throws {
    let answer = try exchange(
      request(.get, "/"),
      with: ClosureHandler { _ in HTTPResponse(headers: ["Content-Length": "99", "X-Empty": ""], body: .bytes([65])) })
    #expect("\(answer)" == "200\n\nA")
  }
}
