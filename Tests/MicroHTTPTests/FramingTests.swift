import MicroHTTP
import Testing

/// Requests whose end is ambiguous: a proxy and this server could disagree about it (request
/// smuggling).
@Suite("Framing")
struct FramingTests {
  @Test(
    arguments: [
      ("Content-Length: 2\r\nContent-Length: 3", 400, "The request has more than one Content-Length header."),
      ("Content-Length: 2\r\ncontent-length: 2", 400, "The request has more than one Content-Length header."),
      ("Host: b", 400, "The request has more than one Host header."),
      (
        "Transfer-Encoding: chunked\r\nContent-Length: 2", 400,
        "The request has both Transfer-Encoding and Content-Length."
      ),
      (
        "Content-Length: 2\r\nTransfer-Encoding: chunked", 400,
        "The request has both Transfer-Encoding and Content-Length."
      ),
      ("Transfer-Encoding: gzip", 501, "The only supported Transfer-Encoding is chunked."),
      ("Transfer-Encoding: gzip, chunked", 501, "The only supported Transfer-Encoding is chunked."),
      ("Transfer-Encoding: chunked \t", 501, "The only supported Transfer-Encoding is chunked."),
      (
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 501,
        "The only supported Transfer-Encoding is chunked."
      ),
    ])
  func `a request with ambiguous framing is refused, and the connection is closed`(
    headers: String, status: Int, detail: String
  ) throws {
    try withServer(echo) { server in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\r\nok")
      let (title, code) = status == 400 ? ("Bad Request", "bad-request") : ("Not Implemented", "not-implemented")
      #expect(
        "\(try client.receive())" == """
          \(status)
          Connection: close
          Content-Type: application/problem+json

          {"type":"about:blank","title":"\(title)","status":\(status),"code":"\(code)","detail":"\(detail)"}

          """)
      #expect(client.isClosed())
    }
  }

  @Test
  func `a body with a Content-Encoding is refused, and the connection stays open`() throws {
    try withServer(echo) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.post, "/", headers: ["Content-Encoding": "gzip"], body: "abc"))
      #expect(
        "\(try client.receive())" == """
          415
          Content-Type: application/problem+json
          Accept-Encoding: identity

          {"type":"about:blank","title":"Unsupported Media Type","status":415,"code":"unsupported-media-type",\
          "detail":"Content-Encoding gzip is not supported: send the body uncompressed."}

          """)
      client.send(request(.post, "/", headers: ["Content-Encoding": "identity"], body: "abc"))
      #expect(try client.receive().body == "POST [] [] 3")
      client.send(request(.get, "/", headers: ["Content-Encoding": "gzip"]))
      #expect(try client.receive().body == "GET [] [] 0")
    }
  }

  @Test(arguments: ["Content-Length: x", "Content-Length: -1"])
  func `an invalid Content-Length gets a 400`(header: String) throws {
    #expect(try exchange("POST / HTTP/1.1\r\nHost: a\r\n\(header)\r\n\r\n", with: echo).status == 400)
  }
}
