import Foundation
import LiveViewClient
import ScriptedPhoenix
import Testing

@testable import liveview_mirror_attach

/// Mirrors that refuse frames, do not answer, or are not mirrors.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RefusalTests {
  private func attach(_ arguments: String..., environment: [String: String] = [:]) throws -> Program {
    try Program("liveview-mirror", ["attach"] + arguments, environment: environment)
  }

  /// An app whose join does not fit into a request of 1,000 bytes.
  private func largeApp() throws -> ScriptedApp {
    let app = try ScriptedApp()
    app.change { $0.content = "<p>\(String(repeating: "x", count: 2_000))</p>" }
    return app
  }

  @Test func `with --once, frames that are too long for the mirror are a failure`() async throws {
    let app = try largeApp()
    let attach = try attach(app.server.address, "--port", "0", "--once", environment: ["MIRROR_MAX_BODY": "1KB"])
    #expect(try await attach.code() == 77)
    #expect(attach.output == "")
    let message = " refuses frames: The body must have at most 1000 bytes; raise its --max-body\n"
    #expect(attach.errors.components(separatedBy: message).count == 2, "\(attach.errors)")
  }

  @Test func `an address is printed only if the mirror has taken the frames`() async throws {
    let app = try largeApp()
    let mirror = try await RunningMirror(environment: ["MIRROR_MAX_BODY": "1KB"])
    let once = try attach(app.server.address, "--mirror", mirror.address, "--once")
    #expect(try await once.code() == 77)
    #expect(once.output == "")
    let attach = try attach(app.server.address, "--mirror", mirror.address)
    try await attach.until("the refusal") { attach.errors.contains("raise its --max-body") }
    try await Task.sleep(for: .milliseconds(500))
    #expect(try await attach.stop() == 0)
    #expect(attach.output == "")
  }

  @Test func `a batch that is too long is divided, and no frame is lost`() async throws {
    let app = try ScriptedApp()
    let mirror = try await RunningMirror(environment: ["MIRROR_MAX_BODY": "1KB"])
    let attach = try attach(app.server.address, "--mirror", mirror.address)
    let view = String(try await attach.after("is mirrored at ").split(separator: "/views/").last ?? "")
    app.tick(3_000)
    try await attach.until("all ticks") { try await mirror.html(of: view) == "<p>3000</p>" }
    #expect(try await mirror.call("GET", "/views/\(view)").json["version"]?.integer == 3_000)
    #expect(try await attach.stop() == 0)
    #expect(!attach.errors.contains("refuses"), "\(attach.errors)")
  }

  @Test func `a single frame that is too long is reported as lost until the report succeeds`() async throws {
    let app = try ScriptedApp()
    let (reports, isReported) = (SharedCount(), SharedFlag())
    let mirror = try MirrorStub { request in
      if request.target.hasSuffix("/pushes") { return .init(status: 503) }
      if request.isAnnouncement, request.body.contains("\"lost\":{\"frames\":1,") {
        if reports.next() == 1 { return .init(status: 500) }
        isReported.set()
      }
      return .init(status: request.body.contains("too long") ? 413 : 200)
    }
    let attach = try attach(app.server.address, "--mirror", mirror.address)
    _ = try await attach.after("is mirrored at ")
    app.send("diff", #"{"0":"too long"}"#)
    try await attach.until("the refusal") {
      attach.errors.contains(" refuses frames: status 413; raise its --max-body")
    }
    app.tick(1)
    try await attach.until("a second report") { isReported.isSet }
    #expect(try await attach.stop() == 0)
    // Keeps the mirror alive.
    #expect(mirror.log.contains("end DELETE /pages"))
  }

  @Test func `a signal ends the program while the mirror does not answer`() async throws {
    let app = try ScriptedApp()
    let mirror = try MirrorStub { _ in .init(status: 200, delay: .seconds(120)) }
    let attach = try attach(app.server.address, "--mirror", mirror.address)
    try await attach.until("the announcement") { mirror.log.contains("begin POST /pages") }
    try await attach.until("the join") { !app.joins.isEmpty }
    let start = ContinuousClock.now
    #expect(try await attach.stop() == 0)
    #expect(start.duration(to: .now) < .seconds(20))
    #expect(attach.errors == "" && attach.output == "")
  }

  @Test func `the message about a mirror that does not answer names its address once`() async throws {
    let mirror = MirrorConnection(
      try #require(WebAddress("http://localhost:8080/")), token: nil, acceptsAnyCertificate: false)
    let error = ClientError.failedExchange(
      url: "http://localhost:8080", reason: "the server does not answer within 30 s")
    #expect(
      mirror.failure(error)
        == "the mirror at http://localhost:8080 cannot be fed: the server does not answer within 30 s")
  }

  @Test func `a signal ends the program when the mirror has stopped answering`() async throws {
    let app = try ScriptedApp()
    let mirror = try await RunningMirror()
    let attach = try attach(app.server.address, "--mirror", mirror.address)
    _ = try await attach.after("is mirrored at ")
    kill(mirror.program.id, SIGSTOP)
    defer { kill(mirror.program.id, SIGCONT) }
    app.tick(3)
    let start = ContinuousClock.now
    #expect(try await attach.stop() == 0)
    #expect(start.duration(to: .now) < .seconds(20))
  }

  @Test func `the address of the app is not that of a mirror`() async throws {
    let app = try ScriptedApp(pages: { request in
      request.target.hasPrefix("/pages/") ? .init("no route", status: 404) : nil
    })
    let address = try app.server.address
    let attach = try attach(address, "--mirror", address)
    #expect(try await attach.code() == 69)
    #expect(
      attach.errors
        == "liveview-mirror: there is no mirror at \(address): use the address of liveview-mirror serve\n")
    // A page that answers each request.
    let stub = try MirrorStub { _ in .init(status: 200, type: "text/html; charset=utf-8") }
    let other = try self.attach(address, "--mirror", stub.address)
    #expect(try await other.code() == 69)
    #expect(other.errors.contains("there is no mirror at \(stub.address)"))
  }

  @Test func `a wrong --socket-path is not answered with the advice to set it`() async throws {
    let app = try ScriptedApp(
      pages: { request in
        request.target.hasPrefix("/bad/") ? .init("no route", status: 404) : nil
      }, accepts: { !$0.hasPrefix("/bad/") })
    let attach = try attach(app.server.address, "--port", "0", "--socket-path", "/bad")
    #expect(try await attach.code() == 76)
    #expect(attach.errors.contains("/bad/websocket refuses the WebSocket with status 404; check --socket-path"))
    #expect(!attach.errors.contains("name it"), "\(attach.errors)")
  }

  @Test func `--give-up does not count while the server redirects in a loop`() async throws {
    let app = try ScriptedApp()
    app.change { $0.afterJoin = ("redirect", #"{"to":"/"}"#) }
    let mirror = try await RunningMirror()
    let attach = try attach(app.server.address, "--mirror", mirror.address, "--give-up", "1s")
    try await attach.until("the loop") { attach.errors.contains("in a loop") }
    try await Task.sleep(for: .seconds(3))
    #expect(try await attach.stop() == 0)
    #expect(!attach.errors.contains("--give-up"), "\(attach.errors)")
  }
}
