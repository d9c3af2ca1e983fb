import MicroHTTP
import Testing

/// Requests that equal, or nearly equal, the request before them on the connection. A connection
/// reuses the parsed head of its last request, and an event loop reuses recent responses. Neither
/// may be reused for a request or response that differs.
@Suite("Repeated requests")
struct RepeatedRequestTests {
  /// Responds with every part of the request, so that a part of another request would be noticed.
  private let mirror = ClosureHandler { request in
    let fields = request.headers.fields.map { "\($0.name)=\($0.value)" }
    let body = String(decoding: request.body, as: UTF8.self)
    return .text("\(request.method) \(request.path) \(request.query ?? "-") \(fields) \(body)")
  }

  private func head(_ line: String, _ fields: String...) -> String {
    ([line] + fields).joined(separator: "\r\n") + "\r\n\r\n"
  }

  @Test
  func `requests that differ in one part are not confused with the request before them`() throws {
    let cases = [
      (head("GET /a HTTP/1.1", "Host: a", "X: 1"), #"GET /a - ["Host=a", "X=1"] "#),
      (head("GET /a HTTP/1.1", "Host: a", "X: 1"), #"GET /a - ["Host=a", "X=1"] "#),
      (head("GET /a HTTP/1.1", "Host: a", "X: 2"), #"GET /a - ["Host=a", "X=2"] "#),
      (head("GET /b HTTP/1.1", "Host: a", "X: 2"), #"GET /b - ["Host=a", "X=2"] "#),
      (head("GET /b?c HTTP/1.1", "Host: a", "X: 2"), #"GET /b c ["Host=a", "X=2"] "#),
      (head("GET /b?d HTTP/1.1", "Host: a", "X: 2"), #"GET /b d ["Host=a", "X=2"] "#),
      (head("PUT /b?d HTTP/1.1", "Host: a", "X: 2"), #"PUT /b d ["Host=a", "X=2"] "#),
      (head("PUT /b?d HTTP/1.1", "Host: aX", ": 2"), nil),
    ]
    try withServer(mirror) { server in
      let client = try RawClient(port: server.port)
      for (sent, expected) in cases {
        client.send(sent)
        let answer = try client.receive()
        if let expected { #expect(answer.body == expected) } else { #expect(answer.status == 400) }
      }
    }
  }

  @Test
  func `a handler that changes its request does not affect the next request with the same head`() throws {
    let handler = ClosureHandler { [mirror] request in
      let seen = try mirror.handle(request)
      var request = request
      request.method = .delete
      request.headers["X"] = "changed"
      request.body = Array("changed".utf8)
      let changed = try mirror.handle(request)
      return HTTPResponse(body: .bytes(seen.bytes + Array(" -> ".utf8) + changed.bytes))
    }
    try withServer(handler) { server in
      let client = try RawClient(port: server.port)
      for _ in 0..<3 {
        client.send(head("GET /a?b HTTP/1.1", "Host: a", "X: 1"))
        #expect(
          try client.receive().body
            == #"GET /a b ["Host=a", "X=1"]  -> DELETE /a b ["Host=a", "X=changed"] changed"#)
      }
    }
  }

  @Test
  func `headers that divide the same letters differently into name and value are not confused`() throws {
    try withServer(mirror) { server in
      let client = try RawClient(port: server.port)
      for (name, value) in [("A", "BC"), ("AB", "C"), ("A", "BC")] {
        client.send(head("GET / HTTP/1.1", "Host: a", "\(name): \(value)"))
        #expect(try client.receive().body == #"GET / - ["Host=a", "\#(name)=\#(value)"] "#)
      }
    }
  }

  @Test
  func `each request with the same head has its own body`() throws {
    try withServer(mirror) { server in
      let client = try RawClient(port: server.port)
      for body in ["one", "two", "", "three", "seven"] {
        client.send(request(.post, "/", body: body))
        #expect(try client.receive().body.hasSuffix("] \(body)"))
      }
    }
  }

  @Test
  func `an unread response is not overwritten by later responses of the same length`() throws {
    let handler = ClosureHandler { request in
      .text(String(repeating: request.query ?? "-", count: 4_000))
    }
    try withServer(handler) { server in
      let count = 3_000
      let stuck = try RawClient(port: server.port, window: 4_096)
      // The responses are longer than the socket buffers, so one of them is only partly sent.
      stuck.send(String(repeating: request(.get, "/?a"), count: count))
      let others = try (0..<2 * serverThreads()).map { _ in try RawClient(port: server.port) }
      for _ in 0..<500 {
        for other in others {
          other.send(request(.get, "/?b"))
          #expect(try other.receive().body == String(repeating: "b", count: 4_000))
        }
      }
      let expected = String(repeating: "a", count: 4_000)
      for _ in 0..<count where try stuck.receive().body != expected { Issue.record("wrong response bytes") }
    }
  }

  @Test
  func `a head with a bare line feed is refused after a valid head that otherwise equals it`() throws {
    try withServer(mirror) { server in
      let client = try RawClient(port: server.port)
      client.send("GET /a HTTP/1.1\r\nHost: a\r\nX: b\r\n\r\n")
      #expect(try client.receive().status == 200)
      client.send("GET /a HTTP/1.1\r\nHost: a\nX: b\r\n\r\n")
      #expect(try client.receive().status == 400)
    }
  }

  @Test
  func `a head that was accepted before is refused once the server stops`() throws {
    try withServer(mirror) { server in
      let clients = try (0..<8).map { _ in
        let client = try RawClient(port: server.port)
        client.send(request(.get, "/"))
        #expect(try client.receive().status == 200)
        return client
      }
      // The server does not finish stopping before this unfinished request is answered.
      let slow = try RawClient(port: server.port)
      slow.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n")
      #expect(try slow.receiveStreamHead().status == 100)
      let stopping = StoppingTests.Stopping(server)
      // Requests that arrive right after `stop()` was called on the other thread may still be
      // served.
      #expect(
        eventually {
          clients.contains { client in
            client.send(request(.get, "/"))
            return (try? client.receive().status) == 503
          }
        })
      slow.send("x")
      #expect(try slow.receive().status == 200)
      #expect(stopping.wait() == 0)
    }
  }

  @Test
  func `responses that differ in status, header, body or request method are not confused`() throws {
    let handler = ClosureHandler { request in
      switch request.path {
      case "/status": HTTPResponse(status: .accepted, headers: ["A": "1"], body: .bytes([120]))
      case "/header": HTTPResponse(status: .ok, headers: ["A": "2"], body: .bytes([120]))
      case "/body": HTTPResponse(status: .ok, headers: ["A": "1"], body: .bytes([121]))
      case "/none": HTTPResponse(status: .noContent, headers: ["A": "1"])
      case "/broken": HTTPResponse(status: .ok, headers: ["A": "1\n"], body: .bytes([120]))
      default: HTTPResponse(status: .ok, headers: ["A": "1"], body: .bytes([120]))
      }
    }
    try withServer(handler) { server in
      let client = try RawClient(port: server.port)
      let targets = [
        "/", "/", "/status", "/", "/header", "/", "/body", "/", "/none", "/none", "/broken", "/broken", "/",
      ]
      for (place, target) in targets.enumerated() {
        for method in place % 2 == 0 ? [HTTPMethod.get, .head, .get] : [.get] {
          client.send(request(method, target))
          let answer = try client.receive(toHead: method == .head)
          let expected = try handler.handle(HTTPRequest(method: method, target: target))
          let sent = target == "/broken" ? HTTPError(.internalServerError).response : expected
          #expect("\(answer)" == "\(Answer(sent, to: method))", "\(method) \(target)")
        }
      }
    }
  }
}
