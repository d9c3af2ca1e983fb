import CLibrary
import MirrorSupport
import Testing

@testable import MicroHTTP

/// Responses that are held back until somebody decides about them, on event loops and on workers.
@Suite("Held responses")
struct HeldResponseTests {
  /// A server that holds back the responses of `/a/…`, which run on an event loop, and of `/heavy/…`, which run on workers.
  private struct Scene {
    let server: HTTPServer
    let holds = Collected<ResponseHold>()
    /// Whether each request could have a hold.
    let handled = Collected<Bool>()

    init() throws {
      server = HTTPServer(
        handler: ClosureHandler { [holds, handled] request in
          handled.append(request.allowsHold)
          var response = HTTPResponse.text("\(request.path) \(handled.all.count)")
          guard request.allowsHold else { return response }
          let hold = ResponseHold()
          holds.append(hold)
          response.hold = hold
          return response
        }, demand: { .of($0.path.dropFirst().prefix { $0 != "/" }, isHeavy: $0.path.hasPrefix("/heavy")) })
      try server.start()
    }

    func send(_ path: String) throws -> RawClient {
      let client = try RawClient(port: server.port)
      client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
      return client
    }

    func waitForHolds(_ count: Int) {
      let deadline = ContinuousClock.now + .seconds(60)
      while holds.all.count < count, .now < deadline { usleep(1_000) }
    }
  }

  @Test(arguments: ["/a/x", "/heavy/x"])
  func `requests of one resource are handled while the response to the first is held back`(path: String) throws {
    let scene = try Scene()
    let clients = try (0..<8).map { _ in try scene.send(path) }
    scene.waitForHolds(8)
    #expect(scene.holds.all.count == 8)
    for hold in scene.holds.all { hold.decide(.send) }
    for client in clients { #expect(try client.receive().status == 200) }
    #expect(scene.server.stop() == 0)
  }

  @Test(arguments: ["/a/x", "/heavy/x"])
  func `an error is sent instead, or the request is handled again without a hold`(path: String) throws {
    let scene = try Scene()
    let (first, second) = (try scene.send(path), try scene.send(path))
    scene.waitForHolds(2)
    scene.holds.all[0].decide(.refuse(HTTPError(.serviceUnavailable, "Not now.")))
    scene.holds.all[1].decide(.handleAgain)
    let answers = [try first.receive(), try second.receive()]
    #expect(Set(answers.map(\.status)) == [200, 503])
    #expect(answers.contains { $0.body == "\(path) 3" })
    #expect(scene.handled.all == [true, true, false])
    #expect(scene.server.stop() == 0)
  }
}
