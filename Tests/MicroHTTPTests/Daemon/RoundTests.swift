import Dispatch
import MicroHTTP
import Testing

/// Requests with a body wait until all that lie ready have been read, and are handled one after another: see
/// `Daemon+Rounds.swift`. Nobody may see that they do.
@Suite("Rounds")
struct RoundTests {
  /// Holds requests until they are released.
  private struct Gate: Sendable {
    let entered = DispatchSemaphore(value: 0)
    let open = DispatchSemaphore(value: 0)

    func hold() {
      entered.signal()
      open.wait()
    }
  }

  /// Says what it was sent.
  private struct Holding: Sendable {
    /// Holds what goes to `/hold`.
    let threads = Gate()
    /// Holds the post that says "hold".
    let post = Gate()

    var handler: ClosureHandler {
      ClosureHandler { request in
        let text = String(decoding: request.body, as: UTF8.self)
        if request.path == "/hold" { threads.hold() }
        if text == "hold" { post.hold() }
        return .text("\(request.method) \(request.path) \(text)")
      }
    }
  }

  /// Clients whose posts come to lie ready together: all threads of the server are held while they send.
  private func post(_ bodies: [String], to server: HTTPServer, of holding: Holding) throws -> [RawClient] {
    let clients = try bodies.map { _ in
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/connected"))
      #expect(try client.receive().status == 200)
      return client
    }
    // Who connects is given to a thread that is free.
    let holders = try (0..<serverThreads()).map { _ in
      let holder = try RawClient(port: server.port)
      holder.send(request(.get, "/hold"))
      holding.threads.entered.wait()
      return holder
    }
    for (client, body) in zip(clients, bodies) { client.send(request(.post, "/", body: body)) }
    for _ in holders { holding.threads.open.signal() }
    for holder in holders { #expect(try holder.receive().status == 200) }
    return clients
  }

  @Test("each of many that post together gets its own answer")
  func together() throws {
    let holding = Holding()
    try withServer(holding.handler) { server in
      for round in 0..<5 {
        let bodies = (0..<40).map { "\(round), \($0 * 7_919 % 1_000) and so on" }
        let clients = try post(bodies, to: server, of: holding)
        for (client, body) in zip(clients, bodies) { #expect(try client.receive().body == "POST / \(body)") }
      }
    }
  }

  @Test("one that takes long does not lose those that wait with it")
  func long() throws {
    let holding = Holding()
    try withServer(holding.handler) { server in
      var bodies = (0..<30).map { "number \($0)" }
      bodies[10] = "hold"
      let clients = try post(bodies, to: server, of: holding)
      holding.post.entered.wait()
      holding.post.open.signal()
      for (client, body) in zip(clients, bodies) { #expect(try client.receive().body == "POST / \(body)") }
    }
  }

  @Test("those that wait when the server stops are answered")
  func stopping() throws {
    let holding = Holding()
    let server = HTTPServer(handler: holding.handler)
    try server.start()
    var bodies = (0..<30).map { "number \($0)" }
    bodies[10] = "hold"
    let clients = try post(bodies, to: server, of: holding)
    holding.post.entered.wait()
    let stopping = StoppingTests.Stopping(server)
    holding.post.open.signal()
    for (client, body) in zip(clients, bodies) {
      let answer = try client.receive()
      // Read before the server stopped, or turned away; not cut off.
      #expect(answer.body == "POST / \(body)" || answer.status == 503)
    }
    #expect(stopping.wait() == 0)
  }

  @Test("requests in one piece are answered in their order, with and without bodies")
  func pipelined() throws {
    try withServer(Holding().handler) { server in
      let client = try RawClient(port: server.port)
      let numbers = 0..<60
      client.send(
        numbers.map { $0 % 3 == 1 ? request(.get, "/\($0)") : request(.post, "/\($0)", body: "body \($0)") }.joined())
      for number in numbers {
        let expected = number % 3 == 1 ? "GET /\(number) " : "POST /\(number) body \(number)"
        #expect(try client.receive().body == expected)
      }
    }
  }

  @Test("what was handled is reported once, though its client is gone before its turn")
  func gone() throws {
    let (handled, reports) = (Collected<String>(), Collected<RequestReport>())
    let server = HTTPServer(
      handler: ClosureHandler { request in
        handled.append(request.path)
        return .text("done")
      }, onRequest: { reports.append($0) })
    try server.start()
    let threads = (0..<4).map { thread in
      Background {
        for number in 0..<400 {
          guard let client = try? RawClient(port: server.port) else { continue }
          client.send(request(.post, "/\(thread)/\(number)", body: "x"))
          client.reset()
        }
      }
    }
    let neighbour = try RawClient(port: server.port)
    for number in 0..<400 {
      neighbour.send(request(.post, "/neighbour/\(number)", body: "x"))
      #expect(try neighbour.receive().body == "done")
    }
    for thread in threads { thread.wait() }
    #expect(eventually { server.connections == 1 })
    neighbour.disconnect()
    #expect(server.stop() == 0)
    #expect(reports.all.filter { $0.status == .ok }.compactMap(\.path).sorted() == handled.all.sorted())
  }
}
