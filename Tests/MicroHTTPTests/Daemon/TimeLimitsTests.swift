import MicroHTTP
import Testing

@Suite("Time limits")
struct TimeLimitsTests {
  let late = """
    408
    Connection: close
    Content-Type: application/problem+json

    {"type":"about:blank","title":"Request Timeout","status":408,"code":"request-timeout",\
    "detail":"The request took too long to arrive."}

    """

  /// Sends the bytes one by one, a few milliseconds apart, until the server responds or closes the
  /// connection.
  func trickle(_ text: String, on client: RawClient) {
    for byte in text.utf8 {
      if !client.send([byte]) || client.waitForBytes(milliseconds: 5) { return }
    }
  }

  @Test(arguments: ["fresh", "kept"])
  func `a request line that arrives too slowly gets a 408`(connection: String) throws {
    try withServer(echo, timeLimits: TimeLimits(head: .milliseconds(100))) { server in
      let client = try RawClient(port: server.port)
      if connection == "kept" {
        client.send(request(.get, "/"))
        #expect(try client.receive().status == 200)
      }
      trickle("GET /" + String(repeating: "x", count: 2000), on: client)
      #expect("\(try client.receive())" == late)
      #expect(client.isClosed())
    }
  }

  @Test
  func `headers that arrive too slowly get a 408`() throws {
    try withServer(echo, timeLimits: TimeLimits(head: .milliseconds(100))) { server in
      let client = try RawClient(port: server.port)
      client.send("GET / HTTP/1.1\r\n")
      trickle("X: " + String(repeating: "x", count: 2000), on: client)
      #expect("\(try client.receive())" == late)
      #expect(client.isClosed())
    }
  }

  @Test(arguments: [true, false])
  func `a body that arrives too slowly gets a 408, sized or chunked`(isSized: Bool) throws {
    try withServer(echo, timeLimits: TimeLimits(body: .milliseconds(100))) { server in
      let client = try RawClient(port: server.port)
      client.send(
        "POST / HTTP/1.1\r\nHost: a\r\n\(isSized ? "Content-Length: 9999" : "Transfer-Encoding: chunked")\r\n\r\n")
      trickle(String(repeating: isSized ? "x" : "1\r\nx\r\n", count: 2000), on: client)
      #expect("\(try client.receive())" == late)
      #expect(client.isClosed())
    }
  }

  @Test
  func `a body that arrives at the minimum rate may take longer than the time limit`() throws {
    let limits = TimeLimits(body: .seconds(1), bodyRate: 1000)
    try withServer(echo, timeLimits: limits) { server in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
      client.send(String(repeating: "x", count: 50_000))
      _ = client.waitForBytes(milliseconds: 1_300)
      client.send(String(repeating: "x", count: 50_000))
      #expect(try client.receive().status == 200)
    }
  }

  @Test(arguments: ["fresh", "kept"])
  func `an idle connection is closed without a response`(connection: String) throws {
    try withServer(echo, timeLimits: TimeLimits(idle: .milliseconds(50))) { server in
      let client = try RawClient(port: server.port)
      if connection == "kept" {
        client.send(request(.get, "/"))
        #expect(try client.receive().status == 200)
      }
      #expect(client.receiveRest() == "")
    }
  }

  @Test
  func `a response that the client does not read is aborted, and other requests are served meanwhile`() throws {
    let big = ClosureHandler { request in
      request.segments.isEmpty
        ? HTTPResponse(contentType: "a/b", bytes: [UInt8](repeating: 120, count: 64 << 20)) : .text("small")
    }
    try withServer(big, timeLimits: TimeLimits(stalled: .milliseconds(100))) { server in
      let lazy = try RawClient(port: server.port)
      lazy.send(request(.get, "/"))
      let other = try RawClient(port: server.port)
      while server.connections < 2 { _ = other.waitForBytes(milliseconds: 1) }
      while server.connections == 2 {
        other.send(request(.get, "/other"))
        #expect(try other.receive().body == "small")
      }
      #expect(server.connections == 1)
      #expect(lazy.receiveRest().utf8.count < 64 << 20)
    }
  }

  @Test
  func `the time limits do not apply while a handler runs`() throws {
    let limits = TimeLimits(
      idle: .milliseconds(500), head: .milliseconds(500), body: .milliseconds(500), stalled: .milliseconds(500))
    let gate = Gate()
    try withServer(StoppingTests().handler(held: gate), timeLimits: limits) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/slow"))
      gate.waitForRequest()
      #expect(!client.waitForBytes(milliseconds: 800))
      gate.release()
      #expect(try client.receive().body == "/slow 0")
    }
  }

  @Test
  func `two hundred slow clients do not delay another client, and all of them are disconnected`() throws {
    try withServer(echo, timeLimits: TimeLimits(head: .seconds(2))) { server in
      let slow = try (0..<200).map { _ in try RawClient(port: server.port) }
      let client = try RawClient(port: server.port)
      var rounds = 0
      var isOpen = true
      while isOpen {
        isOpen = false
        for one in slow where one.send("G") { isOpen = true }
        for _ in 0..<20 {
          client.send(request(.get, "/\(rounds)"))
          #expect(try client.receive().body == #"GET ["\#(rounds)"] [] 0"#)
        }
        rounds += 1
      }
      #expect(rounds > 2)
      while server.connections > 1 { _ = client.waitForBytes(milliseconds: 5) }
    }
  }
}
