import MicroHTTP
import Testing

@Suite("Connection limit")
struct ConnectionLimitTests {
  @Test
  func `a new connection at the limit is accepted, and an idle one is closed for it`() throws {
    try withServer(echo, maximumConnections: 32) { server in
      var idle: [RawClient] = []
      for number in 0..<200 {
        idle.append(try RawClient(port: server.port))
        if number % 20 == 0 {
          let client = try RawClient(port: server.port)
          client.send(request(.get, "/\(number)"))
          #expect(try client.receive().body == #"GET ["\#(number)"] [] 0"#)
        }
      }
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/last"))
      #expect(try client.receive().body == #"GET ["last"] [] 0"#)
      #expect(server.connections <= 32)
    }
  }

  @Test
  func `a connection with an unfinished request is not closed to make room for others`() throws {
    try withServer(echo, maximumConnections: 16) { server in
      let busy = try RawClient(port: server.port)
      busy.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
      #expect(try busy.receiveStatusLine() == "HTTP/1.1 100 Continue")
      let idle = try (0..<100).map { _ in try RawClient(port: server.port) }
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/"))
      #expect(try client.receive().status == 200)
      busy.send("ok")
      #expect(try busy.receive().body == "POST [] [] 2")
      #expect(idle.count == 100)
    }
  }

  @Test
  func `thousands of short connections leak no file descriptors`() throws {
    let before = openDescriptorCount()
    try withServer(echo, timeLimits: TimeLimits(head: .milliseconds(200))) { server in
      for number in 0..<3000 {
        let client = try RawClient(port: server.port)
        if number % 3 == 1 { client.send("GET / HT") }
        if number % 3 == 2 { client.send(request(.get, "/")) }
        if number % 2 == 0 { client.reset() }
      }
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/"))
      #expect(try client.receive().status == 200)
      while server.connections > 1 { _ = client.waitForBytes(milliseconds: 5) }
    }
    #expect(openDescriptorCount() <= before)
  }

  @Test
  func `a connection limit above the descriptor limit is an error that names both`() {
    let server = HTTPServer(maximumConnections: 1 << 40, handler: echo)
    let error = #expect(throws: HTTPServerError.self) { try server.start() }
    #expect(error?.description.hasPrefix("1099511627776 connections need more than the ") == true)
  }
}
