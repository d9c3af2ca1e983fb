import Dispatch
import MicroHTTP
import Testing

@Suite("Stopping")
struct StoppingTests {
  /// Has requests for `/slow` held.
  func handler(held gate: Gate) -> ClosureHandler {
    ClosureHandler { request in
      if request.segments == ["slow"] { gate.hold() }
      return .text("\(request.path) \(request.body.count)")
    }
  }

  /// Stops a server on a thread of its own.
  final class Stopping: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let cut = Collected<Int>()

    init(_ server: HTTPServer) {
      DispatchQueue(label: "Stopping").async { [self] in
        cut.append(server.stop())
        done.signal()
      }
    }

    /// How many requests were cut off.
    func wait() -> Int? {
      done.wait()
      return cut.all.first
    }
  }

  /// A connection of a thread that is not held by the gate. One that waits to be accepted when the server stops may be
  /// given to a thread that is, and would not be answered before the gate opens.
  func servedClient(of server: HTTPServer) throws -> RawClient {
    let client = try RawClient(port: server.port)
    client.send(request(.get, "/fast"))
    #expect(try client.receive().status == 200)
    return client
  }

  /// Asks on the connection until the server says that it closes: the first to hear of it may still have been let in.
  func waitUntilStopping(_ client: RawClient) throws {
    var isClosing = false
    while !isClosing {
      client.send(request(.get, "/fast"))
      isClosing = try client.receive().headers["Connection"] == "close"
    }
  }

  @Test("a request in flight is answered, a new one on a kept connection is turned away")
  func inFlight() throws {
    let gate = Gate()
    let server = HTTPServer(handler: handler(held: gate))
    try server.start()
    let slow = try RawClient(port: server.port)
    slow.send(request(.get, "/slow"))
    gate.waitForRequest()
    let witness = try servedClient(of: server)
    let kept = try servedClient(of: server)

    let stopping = Stopping(server)
    try waitUntilStopping(witness)
    kept.send(request(.get, "/fast"))
    #expect(
      "\(try kept.receive())" == """
        503
        Connection: close
        Content-Type: application/problem+json
        Retry-After: 1

        {"type":"about:blank","title":"Service Unavailable","status":503,"detail":"The server is stopping."}
        """)
    #expect(kept.isClosed())
    gate.release()
    #expect(
      "\(try slow.receive())" == """
        200
        Connection: close
        Content-Type: text/plain; charset=utf-8

        /slow 0
        """)
    #expect(slow.isClosed())
    #expect(stopping.wait() == 0)
  }

  @Test("a body on its way is read to its end")
  func upload() throws {
    let server = HTTPServer(handler: echo)
    try server.start()
    let upload = try RawClient(port: server.port)
    upload.send("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nExpect: 100-continue\r\n\r\n")
    #expect(try upload.receiveStatusLine() == "HTTP/1.1 100 Continue")
    let witness = try servedClient(of: server)

    let stopping = Stopping(server)
    try waitUntilStopping(witness)
    upload.send("abc")
    upload.send("def")
    #expect(
      "\(try upload.receive())" == """
        200
        Connection: close
        Content-Type: text/plain; charset=utf-8

        POST ["up"] [] 6
        """)
    #expect(stopping.wait() == 0)
  }

  @Test("a request that takes longer than the grace is cut off, and counted")
  func grace() throws {
    let server = HTTPServer(handler: echo)
    try server.start()
    let upload = try RawClient(port: server.port)
    upload.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nExpect: 100-continue\r\n\r\n")
    #expect(try upload.receiveStatusLine() == "HTTP/1.1 100 Continue")
    #expect(server.stop(grace: .zero) == 1)
    #expect(upload.isClosed())
  }

  @Test("a client that left in the middle of its body is not waited for")
  func abandoned() throws {
    let server = HTTPServer(handler: echo)
    try server.start()
    for _ in 0..<50 {
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc")
    }
    #expect(server.stop(grace: .seconds(3600)) == 0)
  }

  @Test("a client that has nothing more to send still gets its answer")
  func halfClosed() throws {
    let gate = Gate()
    let server = HTTPServer(handler: handler(held: gate))
    try server.start()
    let slow = try RawClient(port: server.port)
    slow.send(request(.get, "/slow"))
    slow.finishSending()
    gate.waitForRequest()
    let witness = try servedClient(of: server)
    let stopping = Stopping(server)
    try waitUntilStopping(witness)
    gate.release()
    #expect(try slow.receive().body == "/slow 0")
    #expect(stopping.wait() == 0)
  }

  @Test("a connection that nobody has accepted yet gets an answer")
  func backlog() throws {
    let gate = Gate()
    let server = HTTPServer(handler: handler(held: gate))
    try server.start()
    // The first connection is held by one thread, the other threads take the next ones; whatever the number of threads,
    // the last of these wait for a thread to come back.
    let clients = try (0..<64).map { _ in
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/slow"))
      return client
    }
    gate.waitForRequest()
    let stopping = Stopping(server)
    for _ in clients { gate.release() }
    for client in clients {
      #expect([200, 503].contains(try client.receive().status))
    }
    #expect(stopping.wait() == 0)
  }

  @Test("a server that was stopped starts again on its port")
  func restart() throws {
    let server = HTTPServer(handler: echo)
    try server.start()
    let port = server.port
    #expect(port != 0)
    let kept = try RawClient(port: port)
    for round in 0..<3 {
      let client = try RawClient(port: port)
      client.send(request(.get, "/\(round)"))
      #expect(try client.receive().body == #"GET ["\#(round)"] [] 0"#)
      #expect(server.stop() == 0)
      #expect(client.isClosed())
      #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
      try server.start()
      #expect(server.port == port)
    }
    #expect(kept.isClosed())
    server.stop()
    #expect(server.stop() == 0)
  }

  @Test("a server that is let go stops")
  func letGo() throws {
    var server: HTTPServer? = HTTPServer(handler: echo)
    try server?.start()
    let port = try #require(server?.port)
    server = nil
    #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
  }

  private final class Token: Sendable {}

  /// Daemon and lanes hold each other while they run.
  @Test("a server that has stopped leaves nothing behind", arguments: [true, false])
  func nothingIsLeft(isStopped: Bool) throws {
    func serve() throws -> Weak<Token> {
      let token = Token()
      let server = HTTPServer(handler: ClosureHandler { _ in withExtendedLifetime(token) { .text("served\n") } })
      try server.start()
      _ = try servedClient(of: server)
      if isStopped { server.stop() }
      return Weak(token)
    }
    #expect(try serve().value == nil)
  }

  private struct Weak<Value: AnyObject> {
    weak var value: Value?
    init(_ value: Value) { self.value = value }
  }
}
