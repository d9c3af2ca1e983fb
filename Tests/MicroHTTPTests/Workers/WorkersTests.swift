import Testing

@testable import MicroHTTP

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Requests that may take long run on threads of their own.
@Suite("Workers")
struct WorkersTests {
  /// `/views/NAME/hold` is heavy and held; `/views/NAME/…` works on the view; `/all` looks at all; others are light.
  private struct Scene {
    let server: HTTPServer
    let gate = Gate()
    let handled = Collected<String>()
    /// The paths of all requests that have been read.
    let asked = Collected<String>()

    init() throws {
      server = HTTPServer(
        handler: ClosureHandler { [gate, handled] request in
          handled.append(request.path)
          if request.segments.last == "hold" { gate.hold() }
          return .text("\(request.path) \(request.body.count)")
        },
        demand: { [asked] request in
          asked.append(request.path)
          let parts = request.path.split(separator: "/")
          if parts.first == "views", parts.count > 1 { return .of(parts[1], isHeavy: parts.last == "hold") }
          return parts.first == "all" ? .several(queue: "") : .light
        })
      try server.start()
    }

    func send(_ path: String, body: String? = nil) throws -> RawClient {
      let client = try RawClient(port: server.port)
      if let body {
        client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      } else {
        client.send(request(.get, path))
      }
      return client
    }
  }

  @Test("while a resource is held on every worker that it can get, all other requests are answered")
  func othersGoOn() throws {
    let scene = try Scene()
    // More requests than there are threads of the daemon, all of which wait for the one that is held.
    let held = try (0..<20).map { _ in try scene.send("/views/a/hold", body: "x") }
    scene.gate.waitForRequest()
    let waiting = try (0..<20).map { _ in try scene.send("/views/a/diffs", body: "x") }
    for _ in 0..<20 {
      #expect(try scene.send("/healthz").receive().body == "/healthz 0")
      #expect(try scene.send("/views/b/diffs", body: "xy").receive().body == "/views/b/diffs 2")
      #expect(try scene.send("/views/b/diffs", body: String(repeating: "x", count: 20_000)).receive().status == 200)
      #expect(try scene.send("/all").receive().status == 200)
    }
    for _ in held { scene.gate.release() }
    for client in held { #expect(try client.receive().body == "/views/a/hold 1") }
    for client in waiting { #expect(try client.receive().body == "/views/a/diffs 1") }
    #expect(scene.server.stop() == 0)
  }

  @Test("after a handler that computed for long a resource has a worker, and after one that only took long it has not")
  func slow() throws {
    let server = HTTPServer(
      handler: ClosureHandler { request in
        switch request.segments.last {
        case "wait": usleep(20_000)
        case "compute": compute(for: .milliseconds(10))
        default: break
        }
        return .text("\(pthread_self())")
      },
      demand: { request in request.segments.first == "views" ? .of("a", isHeavy: false) : .light })
    try server.start()
    let client = try RawClient(port: server.port)
    func thread(_ path: String) throws -> String {
      client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
      return try client.receive().body
    }
    let daemon = try thread("/")
    for path in ["/views/wait", "/views", "/views/wait", "/views", "/views/compute", "/"] {
      #expect(try thread(path) == daemon, "\(path)")
    }
    // It is trusted again after some that are fast.
    for _ in 0..<WorkQueue<Job>.trustedAfter { #expect(try thread("/views") != daemon) }
    #expect(try thread("/views") == daemon)
    #expect(server.stop() == 0)
  }

  @Test("of the requests of a connection that have the same head, one is asked what it may wait for")
  func askedOnce() throws {
    let scene = try Scene()
    let client = try RawClient(port: scene.server.port)
    for path in ["/views/a/b", "/views/a/b", "/views/a/c", "/views/a/c"] {
      client.send(request(.get, path))
      #expect(try client.receive().body == "\(path) 0")
    }
    #expect(scene.asked.all == ["/views/a/b", "/views/a/c"])
    #expect(scene.server.stop() == 0)
  }

  @Test("a connection whose request ran on a worker takes the next request")
  func keptAlive() throws {
    let scene = try Scene()
    let client = try RawClient(port: scene.server.port)
    for round in 1...50 {
      let body = String(repeating: "x", count: round % 2 == 0 ? 20_000 : 3)
      client.send("POST /views/a/diffs HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      #expect(try client.receive().body == "/views/a/diffs \(body.utf8.count)")
    }
    #expect(scene.server.stop() == 0)
  }

  @Test("a client that closed its writing side before the request was read gets the answer of a worker")
  func halfClosed() throws {
    let scene = try Scene()
    for _ in 0..<20 {
      let client = try scene.send("/views/a/diffs", body: String(repeating: "x", count: 20_000))
      client.finishSending()
      #expect(try client.receive().body == "/views/a/diffs 20000")
    }
    #expect(scene.server.stop() == 0)
  }

  @Test("a reader that was reset before its turn costs nothing, a change is made all the same")
  func gone() throws {
    let scene = try Scene()
    let held = try scene.send("/views/a/hold", body: "x")
    scene.gate.waitForRequest()
    let readers = try (0..<5).map { _ in try scene.send("/views/a/tree") }
    let writer = try scene.send("/views/a/diffs", body: "x")
    #expect(eventually { scene.asked.all.count == 7 })
    for client in readers + [writer] { client.reset() }
    scene.gate.release()
    #expect(try held.receive().status == 200)
    #expect(eventually { scene.server.connections == 1 })
    #expect(scene.handled.all == ["/views/a/hold", "/views/a/diffs"])
    #expect(scene.server.stop() == 0)
  }

  @Test(
    "while answers that nobody reads take all the memory for them, requests of workers are refused, and change nothing")
  func unread() throws {
    let handled = Collected<String>()
    let shared = [UInt8](repeating: 0x78, count: 3 << 20)
    let server = HTTPServer(
      maximumAnswerMemory: 8 << 20,
      handler: ClosureHandler { request in
        handled.append(request.path)
        if request.segments.last == "shared" { return HTTPResponse(contentType: "text/plain", bytes: shared) }
        return request.segments.last == "long"
          ? HTTPResponse(contentType: "text/plain", bytes: Array(shared.dropLast())) : .text("short")
      },
      demand: { request in request.segments.first == "views" ? .of("a", isHeavy: true) : .light })
    try server.start()
    func send(_ path: String) throws -> RawClient {
      let client = try RawClient(port: server.port, window: 4096)
      client.send(request(.get, path))
      return client
    }
    // Many readers of the same bytes are no more than one.
    let sharing = try (0..<6).map { _ in try send("/views/shared") }
    #expect(eventually { handled.all.count == 6 })
    var reading = [try send("/views/long"), try send("/views/long")]
    #expect(eventually { handled.all.count == 8 })
    #expect(eventually { (try? send("/views/diffs").receive().status) == 503 })
    let count = handled.all.count
    let refused = try send("/views/diffs").receive()
    #expect(refused.status == 503 && refused.headers["Retry-After"] == "1")
    #expect(handled.all.count == count)
    #expect(try send("/healthz").receive().status == 200)
    reading.removeAll()
    #expect(eventually { (try? send("/views/diffs").receive().status) == 200 })
    for client in sharing { #expect(try client.receive().body.utf8.count == 3 << 20) }
    server.stop()
  }

  @Test("stopping answers what waits behind a request that outlasts the grace, and cuts nothing that runs")
  func stopping() throws {
    let scene = try Scene()
    let held = try scene.send("/views/a/hold", body: "x")
    scene.gate.waitForRequest()
    let waiting = try scene.send("/views/a/diffs", body: "x")
    #expect(eventually { scene.asked.all.count == 2 })
    let stopped = Collected<Int>()
    let background = Background {
      stopped.append(scene.server.stop(grace: .milliseconds(200)))
    }
    #expect(try waiting.receive().status == 503)
    #expect(stopped.all.isEmpty)
    scene.gate.release()
    background.wait()
    _ = try? held.receive()
    #expect(stopped.all.count == 1 && scene.handled.all == ["/views/a/hold"])
  }
}

/// Takes so much processor time of this thread.
private func compute(for time: Duration) {
  let beginning = Monotonic.processorTime
  while beginning.duration(to: .processorTime) < time {}
}
