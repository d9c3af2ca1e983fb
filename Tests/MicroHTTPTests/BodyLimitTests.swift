import MicroHTTP
import Testing

@Suite("A body over the limit")
struct BodyLimitTests {
  let tooLarge = """
    413
    Content-Type: application/problem+json

    {"type":"about:blank","title":"Content Too Large","status":413,"code":"content-too-large",\
    "detail":"The body must have at most 1000 bytes."}

    """

  func chunk(_ count: Int) -> String {
    "\(String(count, radix: 16))\r\n\(String(repeating: "x", count: count))\r\n"
  }

  let chunkedHead = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

  @Test
  func `a body of exactly the maximum length is accepted`() throws {
    try withServer(echo, maximumBodyBytes: 1000) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.post, "/", body: String(repeating: "x", count: 1000)))
      #expect(try client.receive().body == "POST [] [] 1000")
      client.send(chunkedHead + chunk(600) + chunk(400) + "0\r\n\r\n")
      #expect(try client.receive().body == "POST [] [] 1000")
    }
  }

  @Test(arguments: [1001, 8000])
  func `a body up to eight times the limit is read completely and refused with a 413`(count: Int) throws {
    try withServer(echo, maximumBodyBytes: 1000) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.post, "/", body: String(repeating: "x", count: count)))
      #expect("\(try client.receive())" == tooLarge)
      client.send(chunkedHead + chunk(count - 1) + chunk(1) + "0\r\n\r\n")
      #expect("\(try client.receive())" == tooLarge)
      client.send(request(.get, "/again"))
      #expect(try client.receive().body == #"GET ["again"] [] 0"#)
    }
  }

  @Test
  func `a Content-Length far above the limit gets a 413 before the body is read, and the connection closes`() throws {
    try withServer(echo, maximumBodyBytes: 1000) { server in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8001\r\n\r\n")
      let answer = try client.receive()
      #expect(answer.status == 413)
      #expect(answer.headers["Connection"] == "close")
      #expect(client.isClosed())
    }
  }

  @Test
  func `a client that expects 100 Continue for an overlong body gets the 413 instead`() throws {
    try withServer(echo, maximumBodyBytes: 1000) { server in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n")
      #expect(try client.receiveStatusLine() == "HTTP/1.1 413 Content Too Large")
    }
  }

  @Test
  func `a chunked body far above the limit is cut off, and the connection is closed`() throws {
    try withServer(echo, maximumBodyBytes: 1000) { server in
      let client = try RawClient(port: server.port)
      client.send(chunkedHead)
      for _ in 0..<9 { client.send(chunk(1000)) }
      #expect(client.isClosed())
    }
  }

  /// Requests with a body that the server refuses, and the status.
  static let refused: [(headers: String, body: String, status: Int)] = [
    ("Content-Length: 5\r\n", "12345", 413),
    ("Content-Length: 33\r\n", "", 413),
    ("Content-Length: 5\r\nExpect: 100-continue\r\n", "", 413),
    ("Transfer-Encoding: chunked\r\n", "5\r\n12345\r\n0\r\n\r\n", 413),
    ("Content-Length: 1\r\nContent-Encoding: gzip\r\n", "x", 415),
  ]

  @Test(arguments: refused)
  func `the middleware checks a request with a refused body, and adds headers to the response`(
    headers: String, body: String, status: Int
  ) throws {
    let allowed = try WebOrigin("http://localhost:4000")
    try withServer(echo, maximumBodyBytes: 4, middleware: { OriginCheck($0, allowed: [allowed]) }) { server in
      for (origin, status) in [("http://localhost:4000", status), ("https://evil.test", 403)] {
        let client = try RawClient(port: server.port)
        client.send("POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: \(origin)\r\n\(headers)\r\n\(body)")
        let answer = try client.receive()
        #expect(answer.status == status)
        #expect(answer.headers["Access-Control-Allow-Origin"] == (status == 403 ? nil : origin))
        #expect(answer.headers["Vary"] == "Origin")
      }
    }
  }

  @Test
  func `a client that sends a body of 64 MiB can read the 413 after it has written all of it`() throws {
    try withServer(echo) { server in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(64 << 20)\r\n\r\n")
      let piece = [UInt8](repeating: 120, count: 1 << 20)
      for _ in 0..<64 { #expect(client.send(piece)) }
      #expect(try client.receive().status == 413)
    }
  }
}
