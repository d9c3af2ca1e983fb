import MicroHTTP
import Testing

@Suite("A body over the limit")
struct BodyLimitTests {
  let tooLarge = """
    413
    Content-Type: application/problem+json

    {"type":"about:blank","title":"Content Too Large","status":413,\
    "detail":"The body is longer than the 1000 bytes that are taken."}
    """

  func chunk(_ count: Int) -> String {
    "\(String(count, radix: 16))\r\n\(String(repeating: "x", count: count))\r\n"
  }

  let chunkedHead = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

  @Test("a body of just the limit is taken")
  func justTheLimit() throws {
    try withServer(echo, maximumBodyBytes: 1000) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.post, "/", body: String(repeating: "x", count: 1000)))
      #expect(try client.receive().body == "POST [] [] 1000")
      client.send(chunkedHead + chunk(600) + chunk(400) + "0\r\n\r\n")
      #expect(try client.receive().body == "POST [] [] 1000")
    }
  }

  @Test("the client has written all of it before it hears of it, and may go on", arguments: [1001, 8000])
  func swallowed(count: Int) throws {
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

  @Test("a length that is far too large is refused before the body")
  func farTooLarge() throws {
    try withServer(echo, maximumBodyBytes: 1000) { server in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8001\r\n\r\n")
      let answer = try client.receive()
      #expect(answer.status == 413)
      #expect(answer.headers["Connection"] == "close")
      #expect(client.isClosed())
    }
  }

  @Test("a client that asks first is refused before the body")
  func askedFirst() throws {
    try withServer(echo, maximumBodyBytes: 1000) { server in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n")
      #expect(try client.receiveStatusLine() == "HTTP/1.1 413 Content Too Large")
    }
  }

  @Test("a chunked body that does not end is cut off")
  func endless() throws {
    try withServer(echo, maximumBodyBytes: 1000) { server in
      let client = try RawClient(port: server.port)
      client.send(chunkedHead)
      for _ in 0..<9 { client.send(chunk(1000)) }
      #expect(client.isClosed())
    }
  }

  @Test("sixty-four megabytes against the default limit are answered with a 413")
  func sixtyFourMegabytes() throws {
    try withServer(echo) { server in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(64 << 20)\r\n\r\n")
      let piece = [UInt8](repeating: 120, count: 1 << 20)
      for _ in 0..<64 { #expect(client.send(piece)) }
      #expect(try client.receive().status == 413)
    }
  }
}
