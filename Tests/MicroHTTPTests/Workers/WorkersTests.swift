import CLibrary
import MirrorSupport
import Testing

@testable import MicroHTTP

/// Requests that may take long run on worker threads, not on the event loops.
@Suite("Workers")
struct WorkersTests {
  /// A server whose handler blocks in `gate` for heavy requests to `/views/NAME/hold`. Other
  /// requests to `/views/NAME/…` use the same resource, `/all` reads all resources, and the
  /// remaining requests are light.
  private struct Scene {
    let server: HTTPServer
    let gate = Gate()
    let handled = Collected<String>()
    /// The paths of the requests that `demand` was called for.
    let classified = Collected<String>()

    init() throws {
      server = HTTPServer(
        handler: ClosureHandler { [gate, handled] request in
          handled.append(request.path)
          if ["hold", "wait"].contains(request.segments.last) { gate.hold() }
          return .text("\(request.path) \(request.body.count)")
        },
        demand: { [classified] request in
          classified.append(request.path)
          let parts = request.path.split(separator: "/")
          if parts.last == "wait" { return .waiting(queue: parts[1]) }
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

  @Test
  func `requests that wait for another program take no worker from others`() throws {
    let scene = try Scene()
    // More than the server has workers, each with a resource of its own.
    let waiting = try (0..<40).map { try scene.send("/views/w\($0)/wait", body: "x") }
    while scene.handled.all.count < 40 { usleep(1_000) }
    for _ in 0..<5 {
      #expect(try scene.send("/views/b/diffs", body: String(repeating: "x", count: 20_000)).receive().status == 200)
    }
    for _ in waiting { scene.gate.release() }
    for (number, client) in waiting.enumerated() { #expect(try client.receive().body == "/views/w\(number)/wait 1") }
    #expect(scene.server.stop() == 0)
  }

  @Test
  func `requests of a blocked resource do not delay requests of other resources`() throws {
    let scene = try Scene()
    // 40 requests of one resource, more than the server has threads: one of them blocks, and the
    // others wait for it.
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

  @Test
  func `a resource moves to a worker after a handler that computed for long, not after one that waited`() throws {
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
    // After enough fast requests, the resource is trusted and its requests run on the event loop
    // again. A few more are needed on a busy machine: a client may read a response before the
    // worker counts its request as ended.
    for _ in 0..<WorkQueue<Job>.trustedAfter { #expect(try thread("/views") != daemon) }
    #expect(try (0..<10 * WorkQueue<Job>.trustedAfter).contains { _ in try thread("/views") == daemon })
    #expect(server.stop() == 0)
  }

  @Test
  func `the demand of consecutive requests with the same head on one connection is computed once`() throws {
    let scene = try Scene()
    let client = try RawClient(port: scene.server.port)
    for path in ["/views/a/b", "/views/a/b", "/views/a/c", "/views/a/c"] {
      client.send(request(.get, path))
      #expect(try client.receive().body == "\(path) 0")
    }
    #expect(scene.classified.all == ["/views/a/b", "/views/a/c"])
    #expect(scene.server.stop() == 0)
  }

  @Test
  func `a connection can be used again after one of its requests ran on a worker`() throws {
    let scene = try Scene()
    let client = try RawClient(port: scene.server.port)
    for round in 1...50 {
      let body = String(repeating: "x", count: round % 2 == 0 ? 20_000 : 3)
      client.send("POST /views/a/diffs HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      #expect(try client.receive().body == "/views/a/diffs \(body.utf8.count)")
    }
    #expect(scene.server.stop() == 0)
  }

  @Test
  func `a client that closes its sending side right after the request gets the response of a worker`() throws {
    let scene = try Scene()
    for _ in 0..<20 {
      let client = try scene.send("/views/a/diffs", body: String(repeating: "x", count: 20_000))
      client.finishSending()
      #expect(try client.receive().body == "/views/a/diffs 20000")
    }
    #expect(scene.server.stop() == 0)
  }

  @Test
  func `a waiting read is skipped if its client disconnected, and a waiting change still runs`() throws {
    let scene = try Scene()
    let held = try scene.send("/views/a/hold", body: "x")
    scene.gate.waitForRequest()
    let readers = try (0..<5).map { _ in try scene.send("/views/a/tree") }
    let writer = try scene.send("/views/a/diffs", body: "x")
    #expect(eventually { scene.classified.all.count == 7 })
    for client in readers + [writer] { client.reset() }
    scene.gate.release()
    #expect(try held.receive().status == 200)
    #expect(eventually { scene.server.connections == 1 })
    #expect(scene.handled.all == ["/views/a/hold", "/views/a/diffs"])
    #expect(scene.server.stop() == 0)
  }

  @Test
  func `a request of a worker gets a 503 without running while unread responses fill their memory budget`() throws {
    let handled = Collected<String>()
    let shared = [UInt8](repeating: 0x78, count: 3 << 20)
    let server = HTTPServer(
      maximumResponseMemory: 8 << 20,
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
    // Responses that share their bytes count once.
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

  @Test
  func `a stopping server refuses requests that wait behind a long one, and does not abort the running one`() throws {
    let scene = try Scene()
    let held = try scene.send("/views/a/hold", body: "x")
    scene.gate.waitForRequest()
    let waiting = try scene.send("/views/a/diffs", body: "x")
    #expect(eventually { scene.classified.all.count == 2 })
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

/// Uses the given amount of the thread's processor time.
private func compute(for time: Duration) {
  let beginning = MonotonicTime.processorTime
  while beginning.duration(to: .processorTime) < time {}
}
