import MicroHTTP
import Testing

/// Requests that two programs could read in two ways.
@Suite("Framing")
struct FramingTests {
  @Test(
    "what can be read in two ways is refused, and the connection closed",
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
      ("Transfer-Encoding: gzip", 501, "The only Transfer-Encoding that is understood is chunked."),
      ("Transfer-Encoding: gzip, chunked", 501, "The only Transfer-Encoding that is understood is chunked."),
      ("Transfer-Encoding: chunked \t", 501, "The only Transfer-Encoding that is understood is chunked."),
      (
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 501,
        "The only Transfer-Encoding that is understood is chunked."
      ),
    ])
  func ambiguous(headers: String, status: Int, detail: String) throws {
    try withServer(echo) { server in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\r\nok")
      let title = status == 400 ? "Bad Request" : "Not Implemented"
      #expect(
        "\(try client.receive())" == """
          \(status)
          Connection: close
          Content-Type: application/problem+json

          {"type":"about:blank","title":"\(title)","status":\(status),"detail":"\(detail)"}
          """)
      #expect(client.isClosed())
    }
  }

  @Test("a body that is encoded is refused, and the connection goes on")
  func contentEncoding() throws {
    try withServer(echo) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.post, "/", headers: ["Content-Encoding": "gzip"], body: "abc"))
      #expect(
        "\(try client.receive())" == """
          415
          Content-Type: application/problem+json
          Accept-Encoding: identity

          {"type":"about:blank","title":"Unsupported Media Type","status":415,\
          "detail":"A body with Content-Encoding gzip is not understood; send it as it is."}
          """)
      client.send(request(.post, "/", headers: ["Content-Encoding": "identity"], body: "abc"))
      #expect(try client.receive().body == "POST [] [] 3")
      client.send(request(.get, "/", headers: ["Content-Encoding": "gzip"]))
      #expect(try client.receive().body == "GET [] [] 0")
    }
  }

  @Test("what the daemon cannot read is a 400, too", arguments: ["Content-Length: x", "Content-Length: -1"])
  func unreadable(header: String) throws {
    #expect(try exchange("POST / HTTP/1.1\r\nHost: a\r\n\(header)\r\n\r\n", with: echo).status == 400)
  }
}
