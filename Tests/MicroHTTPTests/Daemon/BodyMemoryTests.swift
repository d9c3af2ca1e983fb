import MicroHTTP
import Testing

@Suite("Memory for bodies")
struct BodyMemoryTests {
  @Test
  func `the memory of all bodies together is bounded, and is freed after each request`() throws {
    let server = HTTPServer(maximumBodyBytes: 1000, maximumBodyMemory: 2500, handler: echo)
    try server.start()
    defer { server.stop() }
    let other = try RawClient(port: server.port)
    var refusals = 0
    // The server may read the third body before the other two. Then it refuses one of those, or
    // none, and the round decides nothing.
    for _ in 0..<1000 where refusals < 3 {
      // Two bodies without their last byte, which is sent at the end.
      let waiting = try (0..<2).map { _ in
        let client = try RawClient(port: server.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.receiveStatusLine() == "HTTP/1.1 100 Continue")
        client.send(String(repeating: "x", count: 999))
        return client
      }
      other.send(request(.post, "/", body: String(repeating: "x", count: 900)))
      let third = try other.receive()
      if third.status == 503 {
        refusals += 1
        #expect(third.headers["Retry-After"] == "1")
        other.send(request(.post, "/", body: "small"))
        #expect(try other.receive().status == 200)
      }
      let answers = try waiting.map { client in
        client.send("x")
        return try client.receive()
      }
      if third.status == 503 { #expect(answers.map(\.body) == ["POST [] [] 1000", "POST [] [] 1000"]) }
      #expect((answers + [third]).count { $0.status == 503 } <= 1)
      other.send(request(.post, "/", body: String(repeating: "x", count: 900)))
      #expect(try other.receive().status == 200)
    }
    #expect(refusals == 3)
  }
}
