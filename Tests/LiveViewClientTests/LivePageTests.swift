import Foundation
import LiveViewMirror
import ScriptedPhoenix
import Testing

@testable import LiveViewClient

/// The client on a server that fails.
@Suite(.timeLimit(.minutes(10))) struct LivePageTests {
  static let topic = ScriptedApp.topic

  var quick: ClientOptions {
    var options = ClientOptions()
    options.reloadDelay = .milliseconds(20) ... .milliseconds(40)
    return options
  }

  /// Opens a page of an app and watches it during a test.
  func follow(
    _ app: ScriptedApp, _ path: String = "/", _ options: ClientOptions? = nil,
    _ body: (LivePage, Watch) async throws -> Void
  ) async throws {
    let page = try await LiveViewClient(options: options ?? quick).open(app.server.address + path)
    await Watch.during(page, body)
    // The last frames.
    try await RecordedRun.until { !app.isConnected }
    try app.server.stop()
  }

  // MARK: - Events

  @Test func `an event is answered by a diff, which the document shows`() async throws {
    let app = try ScriptedApp()
    try await follow(app) { page, watch in
      try await watch.wait { $0.joined == 1 }
      #expect(await page.markup(of: Self.topic) == "<p>0</p>")
      #expect(try await page.push("inc", to: Self.topic) == #"{"diff":{"0":"1"}}"#)
      #expect(await page.markup(of: "phx-app") == "<p>1</p>")
      #expect(await page.serverVersion == "1.1.33")
    }
    #expect(
      app.received.map(\.text) == [
        #"["4","4","lv:phx-app","phx_join",{"params":{"_csrf_token":"TOKEN","_mount_attempts":0,"_mounts":0},"session":"SESSION-1","static":"TOKEN","sticky":false,"url":"\#(try app.server.address)/"}]"#,
        #"["4","8","lv:phx-app","event",{"event":"inc","type":"click","value":{}}]"#,
        #"["4","9","lv:phx-app","phx_leave",{}]"#,
      ])
  }

  @Test func `an event before the join waits for it`() async throws {
    let app = try ScriptedApp()
    try await follow(app) { page, _ in
      try await page.push("inc", to: Self.topic)
      #expect(await page.markup(of: Self.topic) == "<p>1</p>")
    }
  }

  @Test func `an event of an unknown view is an error`() async throws {
    try await follow(try ScriptedApp()) { page, _ in
      await #expect(throws: ClientError.unknownView("lv:other")) { try await page.push("inc", to: "lv:other") }
    }
  }

  // MARK: - Failures of the connection

  @Test func `a lost connection is opened again, and the views are joined again`() async throws {
    let app = try ScriptedApp()
    try await follow(app) { page, watch in
      try await watch.wait { $0.joined == 1 }
      app.change { $0.count = 7 }
      app.drop()
      try await watch.wait { $0.joined == 2 }
      #expect(await page.markup(of: Self.topic) == "<p>7</p>")
      let again = try #require(app.joins.last?.payload as? [String: Any])
      let parameters = try #require(again["params"] as? [String: Any])
      #expect((parameters["_mounts"] as? Int, parameters["_mount_attempts"] as? Int) == (1, 0))
      // LiveView 1.1 sends null.
      #expect(again["flash"] is NSNull)
    }
  }

  @Test func `a restarted server is found again`() async throws {
    let app = try ScriptedApp()
    try await follow(app) { page, watch in
      try await watch.wait { $0.joined == 1 }
      try app.server.stop()
      try await watch.wait { $0.events.contains { if case .disconnected = $0 { true } else { false } } }
      await #expect(throws: ClientError.unanswered(event: "inc", reason: "the view is being joined again")) {
        try await page.push("inc", to: Self.topic)
      }
      try await Task.sleep(for: .milliseconds(300))
      try app.server.start()
      try await watch.wait { $0.joined == 2 }
      #expect(try await page.push("inc", to: Self.topic) == #"{"diff":{"0":"1"}}"#)
    }
  }

  @Test func `a socket that the server closes on purpose leads to a new page`() async throws {
    let app = try ScriptedApp()
    try await follow(app) { _, watch in
      try await watch.wait { $0.joined == 1 }
      app.close(code: 1000)
      try await watch.wait { $0.joined == 2 }
    }
    #expect(app.change { $0.requests.count } == 2)
  }

  // MARK: - Failures of views

  @Test func `a crashed view is joined again`() async throws {
    let app = try ScriptedApp()
    try await follow(app) { page, watch in
      try await watch.wait { $0.joined == 1 }
      await #expect(throws: ClientError.self) { try await page.push("crash", to: Self.topic) }
      try await watch.wait { $0.joined == 2 }
    }
    #expect(app.change { $0.requests.count } == 1)
  }

  @Test func `a stale session is replaced by loading the page again`() async throws {
    let app = try ScriptedApp()
    try await follow(app) { _, watch in
      try await watch.wait { $0.joined == 1 }
      app.change { $0.session = "SESSION-2" }
      app.drop()
      try await watch.wait { $0.joined == 2 }
    }
    let sessions = app.joins.map { ($0.payload as? [String: Any])?["session"] as? String }
    #expect(sessions == ["SESSION-1", "SESSION-1", "SESSION-2"])
  }

  @Test func `a session that is stale on every page is an error`() async throws {
    let app = try ScriptedApp()
    app.change { $0.refusals = Array(repeating: #"{"reason":"stale"}"#, count: 9) }
    try await follow(app) { _, watch in
      try await watch.wait { $0.ended != nil }
      #expect(await watch.ended == .staleSession(url: try app.server.address + "/"))
    }
    #expect(app.joins.count == 3)
  }

  @Test func `a refused join is repeated, and then an error`() async throws {
    let app = try ScriptedApp()
    app.change { $0.refusals = Array(repeating: #"{"reason":"join crashed"}"#, count: 3) }
    try await follow(app) { _, watch in
      try await watch.wait { $0.ended != nil }
      #expect(
        await watch.ended
          == .refusedJoin(view: Self.topic, url: try app.server.address + "/", reason: "join crashed"))
    }
    let other = try ScriptedApp()
    other.change { $0.refusals = [#"{"reason":"join crashed"}"#] }
    try await follow(other) { _, watch in try await watch.wait { $0.joined == 1 } }
    #expect(other.change { $0.requests.count } == 2)
  }

  @Test func `a join that is answered with a redirect leads there`() async throws {
    let app = try ScriptedApp()
    app.change { $0.refusals = [#"{"redirect":{"to":"/login","flash":"FLASH"}}"#] }
    try await follow(app) { page, watch in
      try await watch.wait { $0.joined == 1 }
      #expect(await page.url == (try app.server.address) + "/login")
    }
    let cookies = app.change { $0.requests.map { $0.headers.first { $0.name == "Cookie" }?.value } }
    #expect(cookies == [nil, "__phoenix_flash__=FLASH"])
  }

  @Test func `the flash of a redirect to another host is a cookie of the page's own host`() async throws {
    let app = try ScriptedApp()
    let port = try app.server.port
    app.change { $0.refusals = [#"{"redirect":{"to":"http://localhost:\#(port)/login","flash":"FLASH"}}"#] }
    try await follow(app) { page, watch in
      try await watch.wait { $0.joined == 1 }
      try await page.load("http://127.0.0.1:\(port)/back")
      try await watch.wait { $0.joined == 2 }
    }
    let cookies = app.change { $0.requests.map { $0.headers.first { $0.name == "Cookie" }?.value } }
    #expect(cookies == [nil, nil, "__phoenix_flash__=FLASH"])
  }

  @Test func `joins that redirect without an end are an error`() async throws {
    let app = try ScriptedApp()
    app.change { $0.refusals = Array(repeating: #"{"redirect":{"to":"/again"}}"#, count: 50) }
    try await follow(app) { _, watch in
      try await watch.wait { $0.ended != nil }
      #expect(await watch.ended == .tooManyRedirects(url: try app.server.address + "/again"))
    }
  }

  @Test func `a server that starts later is found, and the first join is sent once`() async throws {
    let app = try ScriptedApp()
    let page = FetchedPage(
      Array(RecordedPage.html(id: ScriptedApp.id, session: "SESSION-1").utf8),
      at: try #require(WebAddress(app.server.address + "/")))
    try app.server.stop()
    let live = LivePage(PageLoader(quick, for: page.address))
    let watch = Watch(live)
    let reading = Task { await watch.run() }
    await live.begin(page)
    try await watch.wait { $0.events.contains { if case .disconnected = $0 { true } else { false } } }
    try app.server.start()
    try await watch.wait { $0.joined == 1 }
    #expect(app.joins.count == 1)
    await live.close()
    await reading.value
    try app.server.stop()
  }

  // MARK: - Pages

  @Test func `cookies and headers pass redirects, and cookies have their attributes`() async throws {
    let app = try ScriptedApp(pages: { request in
      switch request.target {
      case "/":
        .init("", status: 302, headers: [("location", "/a/b?x=1"), ("set-cookie", "first=1; Path=/; HttpOnly")])
      case "/a/b?x=1":
        .init(
          "", status: 307,
          headers: [
            ("location", "../home"), ("set-cookie", "inner=2; Path=/a"), ("set-cookie", "user=none; Max-Age=0; Path=/"),
          ])
      default: nil
      }
    })
    var options = quick
    options.cookies = [("user", "me")]
    options.headers = [("X-Key", "secret")]
    try await follow(app, "/", options) { page, watch in
      try await watch.wait { $0.joined == 1 }
      #expect(await page.url == (try app.server.address) + "/home")
    }
    let requests = app.change { $0.requests }
    #expect(
      requests.map { $0.headers.first { $0.name == "Cookie" }?.value } == ["user=me", "user=me; first=1", "first=1"])
    #expect(requests.allSatisfy { $0.headers.contains { $0.name == "X-Key" && $0.value == "secret" } })
  }

  @Test func `a page without a LiveView, or no page, is an error`() async throws {
    let app = try ScriptedApp(pages: { request in
      switch request.target {
      case "/plain": .init("<p>Hello</p>")
      case "/old": .init("", status: 302, headers: [("location", "/plain")])
      case "/loop": .init("", status: 302, headers: [("location", "/loop")])
      case "/secret": .init("", status: 401)
      case "/ftp": .init("", status: 302, headers: [("location", "ftp://user:pass@files.test/a")])
      default: nil
      }
    })
    let address = try app.server.address
    let expected: [(String, ClientError)] = [
      ("/plain", .noLiveView(url: address + "/plain", requested: address + "/plain")),
      ("/old", .noLiveView(url: address + "/plain", requested: address + "/old")),
      ("/loop", .tooManyRedirects(url: address + "/loop")), ("/secret", .status(url: address + "/secret", 401)),
      ("/ftp", .unsupportedRedirect(url: address + "/ftp", to: "ftp://user:pass@files.test/a")),
    ]
    for (path, error) in expected {
      await #expect(throws: error) { try await LiveViewClient().open(address + path) }
    }
    try app.server.stop()
    // Nothing listens at port 1. Another test may already use the port of the stopped server.
    let none = "http://127.0.0.1:1"
    let gone = await #expect(throws: ClientError.self) { try await LiveViewClient().open(none) }
    #expect(gone == .unreachable(url: none, reason: "Connection refused"))
  }

  @Test func `a view that redirects to another scheme is an error`() async throws {
    let app = try ScriptedApp()
    app.change { $0.refusals = [#"{"redirect":{"to":"mailto:me@h.test"}}"#] }
    try await follow(app) { _, watch in
      try await watch.wait { $0.ended != nil }
      #expect(await watch.ended == .unsupportedRedirect(url: try app.server.address + "/", to: "mailto:me@h.test"))
    }
  }

  // MARK: - Secrets

  @Test func `the user name and password of the URL are sent to its host only, and are shown nowhere`() async throws {
    let app = try ScriptedApp(pages: { request in
      request.target == "/away" ? .init("", status: 302, headers: [("location", "/home")]) : nil
    })
    let port = try app.server.port
    let page = try await LiveViewClient(options: quick).open("http://user:p%40ss@127.0.0.1:\(port)/away")
    let watch = Watch(page)
    let reading = Task { await watch.run() }
    try await watch.wait { $0.joined == 1 }
    #expect(await page.url == "http://127.0.0.1:\(port)/home")
    try await page.load("http://localhost:\(port)/other")
    try await watch.wait { $0.joined == 2 }
    await page.close()
    await reading.value
    try app.server.stop()
    let sent = app.change { $0.requests.map { $0.headers.first { $0.name == "Authorization" }?.value } }
    #expect(sent == ["Basic dXNlcjpwQHNz", "Basic dXNlcjpwQHNz", nil])
    let events = await watch.events
    #expect(!events.contains { "\($0)".contains("p%40ss") || "\($0)".contains("user") })
  }

  @Test func `the socket has the user name and password too, and a header overrides them`() throws {
    let home = try #require(WebAddress("http://me@h.test:4000/"))
    var options = ClientOptions()
    let page = FetchedPage([], at: home)
    func authorization() -> [String] {
      let loader = PageLoader(options, for: home)
      return loader.headers(for: loader.socketAddress(of: page)).filter { $0.name.lowercased() == "authorization" }
        .map(\.value)
    }
    // Without a password it is empty.
    #expect(authorization() == ["Basic bWU6"])
    options.headers = [("authorization", "Bearer 1")]
    #expect(authorization() == ["Bearer 1"])
  }

  @Test(arguments: [
    ("http://h.test/", "https://h.test/", true), ("http://h.test/", "https://h.test:444/", false),
    ("http://h.test:4000/", "https://h.test/", false), ("https://h.test/", "http://h.test/", false),
    ("http://h.test/", "https://w.h.test/", false), ("http://h.test:4000/", "http://h.test:4001/", false),
  ])
  func `a host that redirects to TLS gets the headers there`(home: String, target: String, isSent: Bool) throws {
    var options = ClientOptions()
    options.headers = [("X-Key", "1")]
    let loader = PageLoader(options, for: try #require(WebAddress(home)))
    #expect(loader.headers(for: try #require(WebAddress(target))).contains { $0.name == "X-Key" } == isSent)
  }

  @Test func `messages show neither passwords nor queries`() {
    let url = "http://user:PASSWORD@h.test/a?token=SECRET#SECRET"
    let errors: [ClientError] = [
      .invalidURL(url), .unreachable(url: url, reason: "r"), .failedExchange(url: url, reason: "r"),
      .status(url: url, 500),
      .tooManyRedirects(url: url), .unsupportedRedirect(url: url, to: "ftp://user:PASSWORD@h.test/a?token=SECRET"),
      .tooLarge(url: url), .noLiveView(url: url, requested: "http://h.test/b?token=SECRET"),
      .refusedSocket(url: url, status: 403), .lostSocket(url: url, .lost), .unknownProtocol(url: url, excerpt: "x"),
      .staleSession(url: url), .refusedJoin(view: "lv:a", url: url, reason: "r"),
    ]
    for error in errors {
      #expect(!error.description.contains("SECRET") && !error.description.contains("PASSWORD"), "\(error)")
      #expect(error.description.contains("h.test/a?\u{2026}"))
    }
    #expect(WebAddress.withoutSecrets("user:pass@h") == "user:pass@h")
    #expect(WebAddress.withoutSecrets("http://a@b@h:80/x@y?") == "http://h:80/x@y?\u{2026}")
    // Not a valid URL, because the password ends the host's part.
    #expect(WebAddress.withoutSecrets("http://user:pa/ss@host/a?b@c") == "http://host/a?\u{2026}")
  }

  @Test func `a socket that is not LiveView's has a remedy`() {
    let error = ClientError.refusedJoin(view: "lv:a", url: "http://h/", reason: "unmatched topic")
    #expect(
      error.description == "the server refuses the join of lv:a at http://h/: unmatched topic; "
        + "the socket is not a LiveView socket: name the path of the LiveView socket with --socket-path")
  }

  @Test(arguments: [
    (301, "it redirects: open the page at its final address"),
    (401, "pass the session with --cookie or --header"), (403, "check check_origin of the endpoint"),
    (404, "name it with --socket-path"), (502, "check the server, or the proxy before it"),
  ])
  func `a refused socket has a remedy`(status: Int, remedy: String) {
    let error = ClientError.refusedSocket(url: "http://h/live/websocket", status: status)
    #expect(
      error.description.hasPrefix("http://h/live/websocket refuses the WebSocket with status \(status); ")
        && error.description.contains(remedy))
  }

  // MARK: - Headers

  @Test(arguments: [
    "Connection", "upgrade", "Sec-WebSocket-Key", "sec-websocket-version", "Content-Length", "Transfer-Encoding", "TE",
    "Accept-Encoding", "Na me", "Name:", "", "N\u{e4}me", "X\r\nY",
  ])
  func `a header that breaks the connection is refused`(name: String) async throws {
    var options = ClientOptions()
    options.headers = [("X-Fine", "1"), (name, "x")]
    let error = await #expect(throws: ClientError.self) {
      try await LiveViewClient(options: options).open("http://127.0.0.1:1/")
    }
    guard case .invalidHeader(name, _) = error else { throw RecordedRun.TimedOut() }
  }

  @Test func `values and cookies with control characters are refused, and others are sent`() {
    #expect(ClientOptions.problem(ofHeader: "Host", value: "app.test:4000") == nil)
    #expect(ClientOptions.problem(ofHeader: "X-Key", value: "a\tb: \u{fc}") == nil)
    #expect(
      ClientOptions.problem(ofHeader: "X-Key", value: "a\r\nB: c") == "must have a value without control characters")
    var options = ClientOptions()
    options.cookies = [("a", "1"), ("b", "x\n")]
    #expect(
      options.problem?.description
        == "the header \u{201C}Cookie: b\u{201D} must have a value without control characters")
    options.cookies = [("a b", "1")]
    #expect(
      options.problem?.description
        == "the header \u{201C}Cookie: a b\u{201D} must have a name of letters, digits and !#$%&'*+-.^_`|~")
  }

  // MARK: - The protocol

  @Test(arguments: [#"{"topic":"lv:phx-app","event":"diff","payload":{}}"#, "hello", "[1,2]"])
  func `a message that is not a frame is an error`(text: String) async throws {
    let app = try ScriptedApp()
    try await follow(app) { _, watch in
      try await watch.wait { $0.joined == 1 }
      app.sendRaw(text)
      try await watch.wait { $0.ended != nil }
      #expect(await watch.ended == .unknownProtocol(url: try app.server.address + "/", excerpt: text))
    }
  }

  @Test func `a refused socket is an error`() async throws {
    let app = try ScriptedApp(accepts: { _ in false })
    try await follow(app) { _, watch in
      try await watch.wait { $0.ended != nil }
      #expect(await watch.ended == .refusedSocket(url: try app.server.address + "/live/websocket", status: 403))
    }
  }

  @Test func `a frame of an earlier join changes nothing`() async throws {
    let app = try ScriptedApp()
    try await follow(app) { page, watch in
      try await watch.wait { $0.joined == 1 }
      app.sendRaw(#"["1",null,"lv:phx-app","diff",{"0":"stale"}]"#)
      app.tick(1)
      try await watch.wait { $0.frames == 3 }
      #expect(await page.markup(of: Self.topic) == "<p>1</p>")
      #expect(await watch.rejected == [])
    }
  }

  @Test func `the preflight of an upload is answered`() async throws {
    let app = try ScriptedApp()
    var upload = ScriptedUpload()
    upload.accepted = [".txt"]
    upload.maximumEntries = 2
    upload.maximumFileSize = 100
    app.change { $0.uploads["phx-U1"] = upload }
    func entry(_ ref: String, _ name: String, _ size: Int) -> JSONValue {
      [
        "ref": .string(ref), "name": .string(name), "relative_path": "", "size": .integer(size), "type": "text/plain",
        "last_modified": 1_700_000_000_000,
      ]
    }
    try await follow(app) { page, watch in
      try await watch.wait { $0.joined == 1 }
      let answer = try await page.send(
        "allow_upload",
        ["ref": "phx-U1", "entries": [entry("0", "a.txt", 10), entry("1", "b.txt", 99)], "cid": nil],
        to: Self.topic)
      #expect(
        answer
          == #"{"config":{"chunk_size":64000,"chunk_timeout":10000,"max_entries":2,"max_file_size":100},"entries":{"0":"TOKEN-0","1":"TOKEN-1"},"errors":{},"ref":"phx-U1"}"#
      )
      // LiveView answers an upload with an entry that is not valid with errors alone, and with the
      // status ok.
      let refusal = try await page.send(
        "allow_upload", ["ref": "phx-U1", "entries": [entry("2", "c.png", 10), entry("3", "d.txt", 101)], "cid": nil],
        to: Self.topic)
      #expect(refusal == #"{"error":[["2","not_accepted"],["3","too_large"]],"ref":"phx-U1"}"#)
      await #expect(throws: ClientError.unanswered(event: "allow_upload", reason: "the view was left, or has crashed"))
      {
        try await page.send("allow_upload", ["ref": "phx-U2", "entries": []], to: Self.topic)
      }
    }
    #expect(app.received.filter { $0.event == "allow_upload" }.count == 3)
  }

  @Test func `a frame of 10 MB is followed`() async throws {
    let app = try ScriptedApp()
    // The mirror's pages have at most 8 MiB of text, so most of the frame is an event for a hook.
    let filling = String(repeating: "x", count: 10 << 20)
    try await follow(app) { page, watch in
      try await watch.wait { $0.joined == 1 }
      app.send("diff", #"{"0":"9","e":[["big",{"text":"\#(filling)"}]]}"#)
      try await watch.wait { $0.frames == 2 }
      #expect(await page.markup(of: Self.topic) == "<p>9</p>")
    }
  }
}

extension Watch {
  /// The number of successful joins.
  var joined: Int { events.count { if case .joined = $0 { true } else { false } } }
}
