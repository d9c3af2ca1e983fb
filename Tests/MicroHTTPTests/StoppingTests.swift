import Dispatch
import MicroHTTP
import Testing

@Suite("Stopping")
struct StoppingTests {
  /// A handler that blocks in `gate` for requests to `/slow`.
  func handler(held gate: Gate) -> ClosureHandler {
    ClosureHandler { request in
      if request.segments == ["slow"] { gate.hold() }
      return .text("\(request.path) \(request.body.count)")
    }
  }

  /// Calls `server.stop()` on another thread.
  final class Stopping: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let cut = Collected<Int>()

    init(_ server: HTTPServer) {
      DispatchQueue(label: "Stopping").async { [self] in
        cut.append(server.stop())
        done.signal()
      }
    }

    /// Waits until `stop()` has returned.
    ///
    /// - Returns: the number of requests that were cut off.
    func wait() -> Int? {
      done.wait()
      return cut.all.first
    }
  }

  /// A connection that a server thread has already answered, so that thread is not blocked by the
  /// gate. A connection that is not yet accepted when the server stops may go to a blocked thread,
  /// which answers only after the gate opens.
  func servedClient(of server: HTTPServer) throws -> RawClient {
    let client = try RawClient(port: server.port)
    client.send(request(.get, "/fast"))
    #expect(try client.receive().status == 200)
    return client
  }

  /// Sends requests until a response has `Connection: close`: requests that arrive right after
  /// `stop()` was called on the other thread may still be served.
  func waitUntilStopping(_ client: RawClient) throws {
    var isClosing = false
    while !isClosing {
      client.send(request(.get, "/fast"))
      isClosing = try client.receive().headers["Connection"] == "close"
    }
  }

  @Test
  func `a stopping server answers a running request and refuses a new one on an open connection with a 503`() throws {
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

        {"type":"about:blank","title":"Service Unavailable","status":503,"code":"service-unavailable",\
        "detail":"The server is stopping."}

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

  @Test
  func `a stopping server reads a body that has begun to its end`() throws {
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

  @Test
  func `a request that takes longer than the grace period is cut off and counted`() throws {
    let server = HTTPServer(handler: echo)
    try server.start()
    let upload = try RawClient(port: server.port)
    upload.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nExpect: 100-continue\r\n\r\n")
    #expect(try upload.receiveStatusLine() == "HTTP/1.1 100 Continue")
    #expect(server.stop(grace: .zero) == 1)
    #expect(upload.isClosed())
  }

  @Test
  func `a stopping server does not wait for clients that disconnected in the middle of a body`() throws {
    let server = HTTPServer(handler: echo)
    try server.start()
    for _ in 0..<50 {
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc")
    }
    #expect(server.stop(grace: .seconds(3600)) == 0)
  }

  @Test
  func `a client that closed its sending side still gets its response while the server stops`() throws {
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

  @Test
  func `a connection that is not yet accepted when the server stops gets a response`() throws {
    let gate = Gate()
    let server = HTTPServer(handler: handler(held: gate))
    try server.start()
    // More connections than the server has threads. The gate blocks every thread that reads a
    // request, so the last connections wait until a thread is free again.
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

  @Test
  func `a stopped server can be started again on the same port`() throws {
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

  @Test
  func `a server stops when its last reference is released`() throws {
    var server: HTTPServer? = HTTPServer(handler: echo)
    try server?.start()
    let port = try #require(server?.port)
    server = nil
    #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
  }

  private final class Token: Sendable {}

  /// The daemon and its threads form a reference cycle while they run; stopping must break it.
  @Test(arguments: [true, false])
  func `a stopped or released server releases its handler`(isStopped: Bool) throws {
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
