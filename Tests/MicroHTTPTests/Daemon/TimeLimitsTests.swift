import MicroHTTP
import Testing

@Suite("Time limits")
struct TimeLimitsTests {
  let late = """
    408
    Connection: close
    Content-Type: application/problem+json

    {"type":"about:blank","title":"Request Timeout","status":408,"detail":"The request took too long to arrive."}
    """

  /// Sends the bytes one by one, a few milliseconds apart, until the server has closed.
  func trickle(_ text: String, on client: RawClient) {
    for byte in text.utf8 {
      if !client.send([byte]) || client.waitForBytes(milliseconds: 5) { return }
    }
  }

  @Test("a head that trickles is cut off with a 408", arguments: ["fresh", "kept"])
  func slowHead(connection: String) throws {
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

  @Test("headers that trickle are cut off with a 408")
  func slowHeaders() throws {
    try withServer(echo, timeLimits: TimeLimits(head: .milliseconds(100))) { server in
      let client = try RawClient(port: server.port)
      client.send("GET / HTTP/1.1\r\n")
      trickle("X: " + String(repeating: "x", count: 2000), on: client)
      #expect("\(try client.receive())" == late)
      #expect(client.isClosed())
    }
  }

  @Test("a body that trickles is cut off with a 408, sized or chunked", arguments: [true, false])
  func slowBody(isSized: Bool) throws {
    try withServer(echo, timeLimits: TimeLimits(body: .milliseconds(100))) { server in
      let client = try RawClient(port: server.port)
      client.send(
        "POST / HTTP/1.1\r\nHost: a\r\n\(isSized ? "Content-Length: 9999" : "Transfer-Encoding: chunked")\r\n\r\n")
      trickle(String(repeating: isSized ? "x" : "1\r\nx\r\n", count: 2000), on: client)
      #expect("\(try client.receive())" == late)
      #expect(client.isClosed())
    }
  }

  @Test("a body that comes at the rate may take longer")
  func longBody() throws {
    let limits = TimeLimits(body: .milliseconds(20), bodyRate: 1000)
    try withServer(echo, timeLimits: limits) { server in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
      client.send(String(repeating: "x", count: 50_000))
      _ = client.waitForBytes(milliseconds: 200)
      client.send(String(repeating: "x", count: 50_000))
      #expect(try client.receive().status == 200)
    }
  }

  @Test("an idle connection is closed without a word", arguments: ["fresh", "kept"])
  func idle(connection: String) throws {
    try withServer(echo, timeLimits: TimeLimits(idle: .milliseconds(50))) { server in
      let client = try RawClient(port: server.port)
      if connection == "kept" {
        client.send(request(.get, "/"))
        #expect(try client.receive().status == 200)
      }
      #expect(client.receiveRest() == "")
    }
  }

  @Test("an answer that nobody reads is given up, and others are answered meanwhile")
  func unread() throws {
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

  @Test("a handler may take longer than any client")
  func slowHandler() throws {
    let limits = TimeLimits(
      idle: .milliseconds(10), head: .milliseconds(10), body: .milliseconds(10), stalled: .milliseconds(10))
    let gate = Gate()
    try withServer(StoppingTests().handler(held: gate), timeLimits: limits) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/slow"))
      gate.waitForRequest()
      #expect(!client.waitForBytes(milliseconds: 100))
      gate.release()
      #expect(try client.receive().body == "/slow 0")
    }
  }

  @Test("two hundred clients that send a byte now and then hold nobody up, and are all gone in the end")
  func manySlow() throws {
    try withServer(echo, timeLimits: TimeLimits(head: .milliseconds(400))) { server in
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
