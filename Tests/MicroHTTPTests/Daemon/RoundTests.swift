@testable import MicroHTTP
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
  /// Clients of one thread of the server.
  ///
  /// A `GET` of `/thread` is told which one answers; `/hold` holds it, `/fast` does neither. A `POST` is told what it said, when `onPost` has
  /// returned, which is given the number of the post, from 1 on, and what it said.
  private struct Scene {
    let server: HTTPServer
    let gate = Gate()
    let posts = Collected<String>()
    let reports = Collected<RequestReport>()

    init(
      limits: TimeLimits = TimeLimits(), onPost: @escaping @Sendable (Int, String) -> Void = { _, _ in }
    ) throws {
      server = HTTPServer(
        timeLimits: limits,
        handler: ClosureHandler { [gate, posts] request in
          switch request.path {
          case "/thread": return .text("\(pthread_self())")
          case "/hold":
            gate.hold()
            return .text("held")
          case "/fast": return .text("fast")
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
      gate.waitForRequest()
      try others()
      gate.release()
      #expect(try client.receive().body == "held")
    }
  }

  @Test("each of many that post together gets its own answer")
  func together() throws {
    let scene = try Scene()
    let clients = try scene.clients(13)
    for round in 0..<5 {
      let texts = (1..<clients.count).map { "\(round), \($0 * 7_919 % 1_000) and so on" }
      try scene.holding(with: clients[0]) {
        for (client, text) in zip(clients.dropFirst(), texts) { client.send(request(.post, "/", body: text)) }
      }
      for (client, text) in zip(clients.dropFirst(), texts) { #expect(try client.receive().body == "said \(text)") }
    }
    #expect(scene.server.stop() == 0)
    #expect(scene.reports.all.count == 60)
  }

  @Test("all are handled before one of them is answered, but for the first")
  func rounds() throws {
    let last = Gate()
    let scene = try Scene(limits: TimeLimits(round: .seconds(60))) { number, _ in if number == 6 { last.hold() } }
    let clients = try scene.clients(7)
    try scene.holding(with: clients[0]) {
      for client in clients.dropFirst() { client.send(request(.post, "/", body: "x")) }
    }
    last.waitForRequest()
    // What is sent is there at once.
    #expect(clients.dropFirst().count { $0.waitForBytes(milliseconds: 5) } == 1)
    last.release()
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
    last.waitForRequest()
    // The one before it may be on its way.
    #expect(clients.dropFirst().count { $0.waitForBytes(milliseconds: 0) } >= 8)
    last.release()
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
    scene.gate.waitForRequest()
    // In the pass in which the second one is handled.
    clients[4].send(request(.get, "/hold"))
    scene.gate.release()
    scene.gate.waitForRequest()
    #expect(clients[1].waitForBytes(milliseconds: 0) && clients[2].waitForBytes(milliseconds: 0))
    scene.gate.release()
    #expect(try clients[1].receive().body == "said x")
    #expect(try clients[2].receive().body == "said y")
    for client in clients[3...4] { #expect(try client.receive().body == "held") }
    scene.server.stop()
  }

  @Test("a long body is answered while others keep the thread busy")
  func busy() throws {
    let scene = try Scene { _, _ in usleep(1_000) }
    let clients = try scene.clients(9)
    let posts = 100
    try scene.holding(with: clients[0]) {
      for client in clients[1...7] {
        client.send(String(repeating: request(.post, "/", body: "x"), count: posts))
      }
      clients[8].send(request(.post, "/", body: String(repeating: "y", count: 300_000)))
    }
    #expect(try clients[8].receive().body.hasSuffix("y"))
    #expect(scene.posts.all.count < 7 * posts / 2)
    for client in clients[1...7] {
      for _ in 0..<posts { #expect(try client.receive().body == "said x") }
    }
    scene.server.stop()
  }

  @Test("who posts alone, again and again, is handled when the daemon asks first")
  func alone() throws {
    let scene = try Scene()
    let clients = try scene.clients(3)
    for number in 0..<5 {
      // Read together; the post comes first, so it does not wait for the other.
      try scene.holding(with: clients[0]) {
        clients[1].send(request(.post, "/", body: "\(number)"))
        clients[2].send(request(.get, "/hold"))
      }
      scene.gate.waitForRequest()
      #expect(clients[1].waitForBytes(milliseconds: 0))
      scene.gate.release()
      #expect(try clients[1].receive().body == "said \(number)")
      #expect(try clients[2].receive().body == "held")
    }
    scene.server.stop()
  }

  @Test("who is asked about before all others, and never sees a pass begin, is handled all the same")
  func first() throws {
    var round = Round(longest: .zero)
    let limits = BodyLimits(accepted: 1 << 20, budget: BodyBudget(limit: 1 << 20))
    let (first, others) = (
      Client(descriptor: -1, limits: limits), (0..<4).map { _ in Client(descriptor: -1, limits: limits) }
    )
    let request = try HTTPRequest(method: .post, target: "/", body: [120])
    func pass(over clients: [Client]) {
      for client in clients {
        round.ask(about: client)
        if client.waiting == nil {
          // Each comes again when it was handled.
          _ = round.postpones(request, of: client)
        } else if !round.holdsBack(client) {
          _ = round.take(from: client)
          if client === first { return }
        }
      }
    }
    for _ in 0..<3 { pass(over: others) }
    pass(over: [first] + others)
    #expect(first.waiting != nil)
    var passes = 0
    while first.waiting != nil, passes < 100 {
      pass(over: [first] + others)
      passes += 1
    }
    #expect(passes <= others.count + 1)
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
    let clients = try scene.clients(14)
    let (posting, holder) = (clients[1...12], clients[13])
    try scene.holding(with: clients[0]) {
      for (number, client) in zip(1..., posting) { client.send(request(.post, "/", body: "\(number)")) }
      // In the pass in which the posts are read.
      holder.send(request(.get, "/hold"))
    }
    scene.gate.waitForRequest()
    let staying = zip(1..., posting).filter { number, client in
      // The first does not wait.
      if number % 4 != 1 { client.reset() }
      return number % 4 == 1
    }
    scene.gate.release()
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
    let clients = try scene.clients(11)
    try scene.holding(with: clients[0]) {
      for client in clients.dropFirst() { client.send(request(.post, "/", body: "x")) }
    }
    second.waitForRequest()
    // Of a thread that is free.
    let witness = try RawClient(port: scene.server.port)
    witness.send(request(.get, "/thread"))
    #expect(try witness.receive().status == 200)
    let stopping = StoppingTests.Stopping(scene.server)
    try StoppingTests().waitUntilStopping(witness)
    second.release()
    for client in clients.dropFirst() { #expect(try client.receive().body == "said x") }
    #expect(stopping.wait() == 0)
  }
}
