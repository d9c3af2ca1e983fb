import MicroHTTP
import Testing

@Suite("HTTPError")
struct HTTPErrorTests {
  struct Secret: Error {}

  @Test("an HTTPError is the answer it describes")
  func thrown() throws {
    let handler = ClosureHandler { _ in
      throw HTTPError(
        ProblemDetails(
          status: .unprocessableContent, type: "/problems/slot", title: "Not a slot", detail: "A slot is a string.",
          pointer: "/diff/0~1", offset: 12,
          extensions: [
            .init("code", .string("slot")), .init("retry", .boolean(false)), .init("allowed", .strings(["a", "b"])),
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

        {"type":"/problems/slot","title":"Not a slot","status":422,"detail":"A slot is a string.",\
        "pointer":"/diff/0~1","offset":12,"code":"slot","retry":false,"allowed":["a","b"],"version":-7,"raw":[1,{}]}
        """)
  }

  @Test("any other error is a 500 that tells nothing, and is logged")
  func otherErrors() throws {
    let handler = ClosureHandler { _ in throw Secret() }
    try expect(
      handler, .get, "/",
      gives: """
        500
        Content-Type: application/problem+json

        {"type":"about:blank","title":"Internal Server Error","status":500,\
        "detail":"The request could not be handled; the server's log says why."}
        """)
    let lines = Collected<String>()
    try withServer(handler, log: { lines.append($0) }) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/a?b"))
      _ = try client.receive()
    }
    #expect(lines.all == ["GET /a: Secret()"])
  }

  @Test("what is quoted is escaped")
  func escaping() {
    let problem = ProblemDetails(status: .badRequest, detail: "a\"b\\c\n\r\t\u{0}\u{1F}\u{7F}/é😀\u{2028}")
    #expect(
      String(decoding: problem.json, as: UTF8.self)
        == #"{"type":"about:blank","title":"Bad Request","status":400,"detail":"a\"b\\c\n\r\t\u0000\u001f"#
        + "\u{7F}/é😀\u{2028}\"}")
  }

  @Test("a name is escaped too")
  func escapedName() {
    let problem = ProblemDetails(status: HTTPStatus(code: 499), extensions: [.init("a\"", .integer(1))])
    #expect(
      String(decoding: problem.json, as: UTF8.self)
        == #"{"type":"about:blank","title":"Client Error","status":499,"a\"":1}"#)
  }

  @Test(
    "an answer that cannot be sent is a 500",
    arguments: [
      HTTPResponse(headers: ["Location": "/a\r\nSet-Cookie: b"]),
      HTTPResponse(headers: ["Bad Name\n": "x"]),
      HTTPResponse(status: HTTPStatus(code: 42)),
      HTTPResponse(status: HTTPStatus(code: 100)),
      HTTPResponse(status: HTTPStatus(code: 100_000)),
    ])
  func unsendable(response: HTTPResponse) throws {
    let answer = try exchange(request(.get, "/"), with: ClosureHandler { _ in response })
    #expect(
      "\(answer)" == """
        500
        Content-Type: application/problem+json

        {"type":"about:blank","title":"Internal Server Error","status":500}
        """)
  }

  @Test("a wrong Content-Length of a handler is not believed")
  func wrongLength() throws {
    let answer = try exchange(
      request(.get, "/"),
      with: ClosureHandler { _ in HTTPResponse(headers: ["Content-Length": "99", "X-Empty": ""], body: .bytes([65])) })
    #expect("\(answer)" == "200\n\nA")
  }
}
