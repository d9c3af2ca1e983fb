import MicroHTTP
import Testing

@Suite("Memory for bodies")
struct BodyMemoryTests {
  @Test
  func `the memory of all bodies together is bounded, and is freed after each request`() async throws {
    let server = HTTPServer(maximumBodyBytes: 1000, maximumBodyMemory: 2500, handler: echo)
    try server.start()
    defer { server.stop() }
    for _ in 0..<3 {
      // Two bodies without their last byte, which is sent at the end.
      let waiting = try (0..<2).map { _ in
        let client = try RawClient(port: server.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.receiveStatusLine() == "HTTP/1.1 100 Continue")
        client.send(String(repeating: "x", count: 999))
        return client
      }
      // The server must have read both bodies before it reads the next one, which it refuses only then.
      try await Task.sleep(for: .milliseconds(300))
      let other = try RawClient(port: server.port)
      var status = 200
      while status == 200 {
        other.send(request(.post, "/", body: String(repeating: "x", count: 900)))
        let answer = try other.receive()
        status = answer.status
        if status == 503 { #expect(answer.headers["Retry-After"] == "1") }
      }
      #expect(status == 503)
      other.send(request(.post, "/", body: "small"))
      #expect(try other.receive().status == 200)
      for client in waiting {
        client.send("x")
        #expect(try client.receive().body == "POST [] [] 1000")
      }
      other.send(request(.post, "/", body: String(repeating: "x", count: 900)))
      #expect(try other.receive().status == 200)
    }
  }
}
