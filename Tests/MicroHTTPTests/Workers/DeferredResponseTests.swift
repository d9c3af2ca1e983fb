import CLibrary
import MirrorSupport
import Testing

@testable import MicroHTTP

/// Responses that are completed later, on event loops and on workers.
@Suite("Deferred responses")
struct DeferredResponseTests {
  /// A server that defers the responses of `/a/…`, which run on an event loop, and of `/heavy/…`,
  /// which run on workers.
  private struct Scene {
    let server: HTTPServer
    let deferred = Collected<DeferredResponse>()
    /// Whether each request could be deferred.
    let handled = Collected<Bool>()

    init() throws {
      var router = Router()
      router.on(.post, "/{kind}/{name}") { [deferred, handled] request in
        handled.append(request.mayDefer)
        var response = HTTPResponse.text("\(request.path) \(handled.all.count)")
        guard request.mayDefer else { return response }
        let completion =
          request.queryItem("wait") == nil
          ? DeferredResponse() : DeferredResponse(until: .now + .milliseconds(1), orElse: .make { _ in .text("late") })
        deferred.append(completion)
        response.deferred = completion
        return response
      }
      server = HTTPServer(
        handler: router, demand: { .of($0.path.dropFirst().prefix { $0 != "/" }, isHeavy: $0.path.hasPrefix("/heavy")) }
      )
      try server.start()
    }

    func send(_ path: String) throws -> RawClient {
      let client = try RawClient(port: server.port)
      client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
      return client
    }

    func waitForDeferred(_ count: Int) {
      let deadline = ContinuousClock.now + .seconds(60)
      while deferred.all.count < count, .now < deadline { usleep(1_000) }
    }
  }

  @Test(arguments: ["/a/x", "/heavy/x"])
  func `requests of one resource are handled while the response to the first is deferred`(path: String) throws {
    let scene = try Scene()
    let clients = try (0..<8).map { _ in try scene.send(path) }
    scene.waitForDeferred(8)
    #expect(scene.deferred.all.count == 8)
    for response in scene.deferred.all { response.complete(.send) }
    for client in clients { #expect(try client.receive().status == 200) }
    #expect(scene.server.stop() == 0)
  }

  @Test(arguments: ["/a/x", "/heavy/x"])
  func `another response is made instead, or the request is handled again`(path: String) throws {
    let scene = try Scene()
    let clients = try (0..<4).map { _ in try scene.send(path) }
    scene.waitForDeferred(4)
    scene.deferred.all[0].complete(.make { _ in throw HTTPError(.serviceUnavailable, "Not now.") })
    scene.deferred.all[1].complete(.handleAgain)
    scene.deferred.all[2].complete(.make { request in .text("other \(request.path) \(request.mayDefer)") })
    scene.deferred.all[3].complete(
      .make { request in
        let next = DeferredResponse()
        next.complete(.make { _ in .text("chained") })
        return try next.response(for: request)
      })
    // Only the first completion counts.
    for response in scene.deferred.all { response.complete(.send) }
    let answers = try clients.map { try $0.receive() }
    #expect(answers.map(\.status).sorted() == [200, 200, 200, 503])
    #expect(
      Set(answers.filter { $0.status == 200 }.map(\.body)) == ["\(path) 5", "other \(path) true", "chained"])
    #expect(scene.handled.all == [true, true, true, true, false])
    #expect(scene.server.stop() == 0)
  }

  @Test(arguments: ["/a/x", "/heavy/x"])
  func `a server that stops responds with 503 instead of deferred responses`(path: String) throws {
    let scene = try Scene()
    let clients = try (0..<4).map { _ in try scene.send(path) }
    scene.waitForDeferred(4)
    #expect(scene.server.stop(grace: .zero) == 4)
    for client in clients { #expect((try? client.receive().status) ?? 503 == 503) }
    // Too late.
    for response in scene.deferred.all { response.complete(.send) }
  }

  @Test(arguments: ["/a/x?wait", "/heavy/x?wait"])
  func `a response is completed at its deadline`(path: String) throws {
    let scene = try Scene()
    let clients = try (0..<8).map { _ in try scene.send(path) }
    for client in clients { #expect(try client.receive().body == "late") }
    #expect(scene.server.stop() == 0)
  }

  @Test func `deadlines come in their order, and removed ones do not come`() {
    let deadlines = Deadlines()
    let called = Collected<Int>()
    let now = ContinuousClock.now
    let removed = deadlines.add(now + .milliseconds(10)) { called.append(0) }
    for number in [3, 1, 2] { _ = deadlines.add(now + .milliseconds(20 * number)) { called.append(number) } }
    deadlines.remove(removed)
    while called.all.count < 3 { usleep(1_000) }
    #expect(called.all == [1, 2, 3])
  }
}
