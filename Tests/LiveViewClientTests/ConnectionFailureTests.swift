import MirrorSupport
import ScriptedPhoenix
import Testing

@testable import LiveViewClient

/// Connections that the server refuses, does not answer, or closes.
@Suite(.timeLimit(.minutes(10))) struct ConnectionFailureTests {
  private static let topic = ScriptedApp.topic

  private func follow(
    _ app: ScriptedApp, _ options: ClientOptions = ClientOptions(), _ body: (LivePage, Watch) async throws -> Void
  ) async throws {
    let page = try await LiveViewClient(options: options).open(app.server.address + "/")
    await Watch.during(page, body)
    try app.server.stop()
  }

  // MARK: - Reasons

  @Test func `a message that is too long is named, and the views are joined again after a delay`() async throws {
    let app = try ScriptedApp()
    var options = ClientOptions()
    options.maximumMessage = 10_000
    try await follow(app, options) { _, watch in
      try await watch.wait { $0.joined == 1 }
      app.send("diff", "{\"0\":\"\(String(repeating: "x", count: 20_000))\"}")
      try await watch.wait { $0.disconnections.count == 1 }
      let text = await watch.disconnections[0]
      #expect(text.contains("the server has sent a message of more than 10000 bytes"))
    }
  }

  @Test(arguments: [1001, 1012, 4000])
  func `the code of the server's close frame is named`(code: Int) async throws {
    let app = try ScriptedApp()
    try await follow(app) { _, watch in
      try await watch.wait { $0.joined == 1 }
      app.close(code: code)
      try await watch.wait { $0.joined == 2 }
      #expect(
        await watch.disconnections.first?.contains("the server has closed the connection with code \(code)") == true)
    }
  }

  @Test func `a refused socket and an unreachable server are named`() async throws {
    let refuses = Guarded(false)
    let app = try ScriptedApp(
      pages: { $0.target.hasPrefix("/live/") ? .init("", status: 503) : nil },
      accepts: { _ in !refuses.current })
    try await follow(app) { _, watch in
      try await watch.wait { $0.joined == 1 }
      refuses.withLock { $0 = true }
      app.drop()
      try await watch.wait { $0.disconnections.count == 6 }
      try app.server.stop()
      let last = "Connection refused"
      try await watch.wait { $0.disconnections.last?.contains(last) == true }
      refuses.withLock { $0 = false }
      try app.server.start()
      try await watch.wait { $0.joined == 2 }
      let texts = await watch.disconnections
      #expect(texts[0].contains("the connection was lost"))
      #expect(texts[1].contains("the server refuses the WebSocket with status 503"))
    }
  }

  // MARK: - Before the first join

  @Test(arguments: [500, 503])
  func `a socket that is refused three times before the first join is an error`(status: Int) async throws {
    let app = try ScriptedApp(
      pages: { $0.target.hasPrefix("/live/") ? .init("", status: status) : nil }, accepts: { _ in false })
    try await follow(app) { _, watch in
      try await watch.wait { $0.ended != nil }
      #expect(
        await watch.ended == .refusedSocket(url: try app.server.address + "/live/websocket", status: status))
      #expect(await watch.disconnections.count == 2)
    }
    #expect(app.change { $0.requests.filter { $0.target.hasPrefix("/live/") }.count } == 3)
  }

  @Test(arguments: [403, 404])
  func `a socket that does not exist is an error at once`(status: Int) async throws {
    let app = try ScriptedApp(
      pages: { $0.target.hasPrefix("/live/") ? .init("", status: status) : nil }, accepts: { _ in false })
    try await follow(app) { _, watch in
      try await watch.wait { $0.ended != nil }
      #expect(
        await watch.ended == .refusedSocket(url: try app.server.address + "/live/websocket", status: status))
      #expect(await watch.disconnections == [])
    }
  }

  @Test func `a server that ends after the page was loaded is an error`() async throws {
    let app = try ScriptedApp()
    let address = try app.server.address
    let page = FetchedPage(
      Array(RecordedPage.html(id: ScriptedApp.id).utf8), at: try #require(WebAddress(address + "/")))
    try app.server.stop()
    let live = LivePage(PageLoader(ClientOptions(), for: page.address))
    let watch = Watch(live)
    let reading = Task { await watch.run() }
    await live.begin(page)
    try await watch.wait { $0.ended != nil }
    #expect(await watch.ended == .unreachable(url: address, reason: "Connection refused"))
    await reading.value
  }

  @Test func `a server that closes each connection before the first join is an error`() async throws {
    let app = try ScriptedApp()
    app.change { $0.ignoresJoins = true }
    let dropping = Task {
      var dropped = 0
      while !Task.isCancelled {
        // Once for each join: a connection that ends before its join would not be counted.
        if app.joins.count > dropped {
          dropped = app.joins.count
          app.drop()
        }
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    defer { dropping.cancel() }
    try await follow(app) { _, watch in
      try await watch.wait { $0.ended != nil }
      #expect(await watch.ended?.description.contains("the connection was lost") == true)
    }
    #expect(app.joins.count == 3)
  }

  // MARK: - The end of the handshake

  /// Sends a text as soon as the socket is open, and may close it.
  private final class AtOnce: SocketScript {
    let text: String?
    let drops: Bool

    init(_ text: String?, drops: Bool) { (self.text, self.drops) = (text, drops) }

    func opened(_ output: SocketOutput) {
      if let text { output.send(text) }
      if drops { output.drop() }
    }
    func received(_ text: String) {}
  }

  @Test(arguments: [("hello", false), (nil, true), ("hello", true)])
  func `frames and the end of a connection right behind the handshake are noticed`(
    text: String?, drops: Bool
  ) async throws {
    let server = try PhoenixServer(
      joinsFirstPacket: true, pages: { _ in nil }, script: { _ in AtOnce(text, drops: drops) })
    defer { server.stop() }
    for _ in 0..<20 {
      let connection = try await WebSocketConnection.open(
        #require(WebAddress(server.address + "/live/websocket")), headers: [], maximumMessage: 1_000, by: Transport())
      let log = Guarded<[String]>([])
      let reading = Task {
        for await event in connection.events {
          switch event {
          case .message(let bytes): log.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
          case .closed: log.withLock { $0.append("closed") }
          }
        }
      }
      let expected = (text.map { [$0] } ?? []) + (drops ? ["closed"] : [])
      for _ in 0..<6_000 where log.withLock({ $0.last }) != expected.last {
        try await Task.sleep(for: .milliseconds(5))
      }
      // swift-nio may drop the frames of a connection that has ended with them.
      #expect(drops ? log.withLock { $0.last } == "closed" : log.current == expected)
      connection.close()
      reading.cancel()
    }
  }

  // MARK: - Other protocols

  func message(_ url: String, timeout: Duration = .seconds(15)) async -> String {
    var options = ClientOptions()
    options.timeout = timeout
    do {
      _ = try await LiveViewClient(options: options).open(url)
      return ""
    } catch { return error.description }
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.6\r\n", "220 mail ESMTP\r\n", "HTTP\r\n\r\n", "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}F",
  ])
  func `answers that are not HTTP`(answer: String) async throws {
    let raw = try RawServer(answer)
    #expect(
      await message("http://\(raw.authority)/")
        == "http://\(raw.authority): the server does not answer with HTTP; if it speaks TLS on this port, use https")
    raw.stop()
  }

  @Test func `no answer, half an answer, and an answer that is too long are not a server that does not run`()
    async throws
  {
    let silent = try RawServer(nil)
    #expect(
      await message("http://\(silent.authority)/", timeout: .seconds(1))
        == "http://\(silent.authority): the server does not answer within 1 s")
    silent.stop()
    let half = try RawServer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
    #expect(
      await message("http://\(half.authority)/")
        == "http://\(half.authority): the server has closed the connection before the end of its answer")
    half.stop()
    var options = ClientOptions()
    options.maximumMessage = 100
    let app = try ScriptedApp()
    let error = await #expect(throws: ClientError.self) {
      try await LiveViewClient(options: options).open(app.server.address)
    }
    #expect(error?.description == "\(try app.server.address): the answer has more than 100 bytes")
    try app.server.stop()
  }

  @Test func `a server that does not run`() async throws {
    let app = try ScriptedApp()
    let address = try app.server.address
    try app.server.stop()
    #expect(
      await message(address) == "cannot reach \(address): Connection refused; check that the server runs there")
  }

  #if MIRROR_TLS
    @Test(arguments: ["", "x"]) func `https to a server that closes the connection`(answer: String) async throws {
      let raw = try RawServer(answer)
      #expect(
        await message("https://\(raw.authority)/")
          == "https://\(raw.authority): the server does not speak TLS on this port; use http")
      raw.stop()
    }

    private static let schemes = [
      "http": "speaks TLS on this port, use https", "https": "does not speak TLS on this port, use http",
    ]
  #else
    private static let schemes = ["http": "speaks TLS on this port, use https"]
  #endif

  @Test(arguments: schemes) func `a connection that is reset before an answer`(scheme: String, remedy: String)
    async throws
  {
    // Bandit 1.12 does this with a TLS handshake.
    let raw = try RawServer("", resets: true)
    #expect(
      await message("\(scheme)://\(raw.authority)/")
        == "\(scheme)://\(raw.authority): the server has closed the connection without an answer; if it \(remedy)")
    raw.stop()
  }

  @Test func `a limit of more than 4 GiB is possible`() async throws {
    let app = try ScriptedApp()
    var options = ClientOptions()
    options.maximumMessage = .max
    try await follow(app, options) { _, watch in try await watch.wait { $0.joined == 1 } }
  }

  @Test func `a handshake without an answer is named in words`() async throws {
    let raw = try RawServer(nil)
    let address = try #require(WebAddress("http://\(raw.authority)/live/websocket"))
    let error = await #expect(throws: ClientError.self) {
      _ = try await WebSocketConnection.open(
        address, headers: [], maximumMessage: 1_000, by: Transport(timeout: .seconds(1)))
    }
    #expect(error?.description == "\(address.origin): the server does not answer within 1 s")
    raw.stop()
  }
}
