import Dispatch
import MicroHTTP
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Requests with a body that lie ready together are read, then handled, then answered; the first, before it is known that
/// there are others, at once. See `Round.swift`.
@Suite("Rounds")
struct RoundTests {
  /// Holds whoever comes until it is released.
  private struct Gate: Sendable {
    let entered = DispatchSemaphore(value: 0)
    let open = DispatchSemaphore(value: 0)

    func hold() {
      entered.signal()
      open.wait()
    }
  }

  /// Clients of one thread of the server.
  ///
  /// A `GET` of `/thread` is told which one answers; `/hold` holds it. A `POST` is told what it said, when `onPost` has
  /// returned, which is given the number of the post, from 1 on, and what it said.
  private struct Scene {
    let server: HTTPServer
    let gate = Gate()
    let posts = Collected<String>()
    let reports = Collected<RequestReport>()

    init(onPost: @escaping @Sendable (Int, String) -> Void = { _, _ in }) throws {
      server = HTTPServer(
        handler: ClosureHandler { [gate, posts] request in
          switch request.path {
          case "/thread": return .text("\(pthread_self())")
          case "/hold":
            gate.hold()
            return .text("held")
          default:
            let text = String(decoding: request.body, as: UTF8.self)
            onPost(posts.append(text), text)
            return .text("said \(text)")
          }
        }, onRequest: { [reports] in if $0.method == .post { reports.append($0) } })
      try server.start()
    }

    func clients(_ count: Int) throws -> [RawClient] {
      var found: [String: [RawClient]] = [:]
      while true {
        let client = try RawClient(port: server.port)
        client.send(request(.get, "/thread"))
        let thread = try client.receive().body
        found[thread, default: []].append(client)
        if let clients = found[thread], clients.count == count { return clients }
      }
    }

    /// Holds the clients' thread while others send.
    func holding(with client: RawClient, _ others: () throws -> Void) throws {
      client.send(request(.get, "/hold"))
      gate.entered.wait()
      try others()
      gate.open.signal()
      #expect(try client.receive().body == "held")
    }
  }

  @Test("each of many that post together gets its own answer")
  func together() throws {
    let scene = try Scene()
    let clients = try scene.clients(41)
    for round in 0..<5 {
      let texts = (1..<clients.count).map { "\(round), \($0 * 7_919 % 1_000) and so on" }
      try scene.holding(with: clients[0]) {
        for (client, text) in zip(clients.dropFirst(), texts) { client.send(request(.post, "/", body: text)) }
      }
      for (client, text) in zip(clients.dropFirst(), texts) { #expect(try client.receive().body == "said \(text)") }
    }
    #expect(scene.server.stop() == 0)
    #expect(scene.reports.all.count == 200)
  }

  @Test("all are handled before one of them is answered, but for the first")
  func rounds() throws {
    let last = Gate()
    let scene = try Scene { number, _ in if number == 6 { last.hold() } }
    let clients = try scene.clients(7)
    try scene.holding(with: clients[0]) {
      for client in clients.dropFirst() { client.send(request(.post, "/", body: "x")) }
    }
    last.entered.wait()
    // What is sent is there at once.
    #expect(clients.dropFirst().count { $0.waitForBytes(milliseconds: 5) } == 1)
    last.open.signal()
    for client in clients.dropFirst() { #expect(try client.receive().body == "said x") }
    scene.server.stop()
  }

  @Test("answers do not wait for many that take long")
  func slow() throws {
    let last = Gate()
    let scene = try Scene { number, _ in
      usleep(2_000)
      if number == 10 { last.hold() }
    }
    let clients = try scene.clients(11)
    try scene.holding(with: clients[0]) {
      for client in clients.dropFirst() { client.send(request(.post, "/", body: "x")) }
    }
    last.entered.wait()
    // The one before it may be on its way.
    #expect(clients.dropFirst().count { $0.waitForBytes(milliseconds: 0) } >= 8)
    last.open.signal()
    for client in clients.dropFirst() { #expect(try client.receive().body == "said x") }
    scene.server.stop()
  }

  @Test("answers do not wait for a request without a body after one that took long")
  func mixed() throws {
    let scene = try Scene { _, _ in usleep(2_000) }
    let clients = try scene.clients(5)
    try scene.holding(with: clients[0]) {
      clients[1].send(request(.post, "/", body: "x"))
      clients[2].send(request(.post, "/", body: "y"))
      // In the pass in which the posts are read.
      clients[3].send(request(.get, "/hold"))
    }
    scene.gate.entered.wait()
    // In the pass in which the second one is handled.
    clients[4].send(request(.get, "/hold"))
    scene.gate.open.signal()
    scene.gate.entered.wait()
    #expect(clients[1].waitForBytes(milliseconds: 0) && clients[2].waitForBytes(milliseconds: 0))
    scene.gate.open.signal()
    #expect(try clients[1].receive().body == "said x")
    #expect(try clients[2].receive().body == "said y")
    for client in clients[3...4] { #expect(try client.receive().body == "held") }
    scene.server.stop()
  }

  @Test("requests in one piece are answered in their order, with and without bodies")
  func pipelined() throws {
    let scene = try Scene()
    let client = try RawClient(port: scene.server.port)
    let thread = try { () throws -> String in
      client.send(request(.get, "/thread"))
      return try client.receive().body
    }()
    let numbers = 0..<60
    client.send(
      numbers.map { $0 % 3 == 1 ? request(.get, "/thread") : request(.post, "/", body: "number \($0)") }.joined())
    for number in numbers {
      #expect(try client.receive().body == (number % 3 == 1 ? thread : "said number \(number)"))
    }
    scene.server.stop()
  }

  @Test("whoever goes away while it waits is neither handled nor reported, and nobody else minds")
  func gone() throws {
    let scene = try Scene()
    let clients = try scene.clients(42)
    let (posting, holder) = (clients[1...40], clients[41])
    try scene.holding(with: clients[0]) {
      for (number, client) in zip(1..., posting) { client.send(request(.post, "/", body: "\(number)")) }
      // In the pass in which the posts are read.
      holder.send(request(.get, "/hold"))
    }
    scene.gate.entered.wait()
    let staying = zip(1..., posting).filter { number, client in
      // The first does not wait.
      if number % 4 != 1 { client.reset() }
      return number % 4 == 1
    }
    scene.gate.open.signal()
    #expect(try holder.receive().body == "held")
    for (number, client) in staying { #expect(try client.receive().body == "said \(number)") }
    #expect(scene.server.stop() == 0)
    #expect(scene.posts.all.sorted() == staying.map { "\($0.0)" }.sorted())
    #expect(scene.reports.all.count == staying.count)
  }

  @Test("those that wait when the server stops are answered")
  func stopping() throws {
    let second = Gate()
    let scene = try Scene { number, _ in if number == 2 { second.hold() } }
    let clients = try scene.clients(31)
    try scene.holding(with: clients[0]) {
      for client in clients.dropFirst() { client.send(request(.post, "/", body: "x")) }
    }
    second.entered.wait()
    let stopping = StoppingTests.Stopping(scene.server)
    second.open.signal()
    for client in clients.dropFirst() { #expect(try client.receive().body == "said x") }
    #expect(stopping.wait() == 0)
  }
}
