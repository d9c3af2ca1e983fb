import Foundation
import LiveViewClient
import RecordingFixtures
import ScriptedPhoenix
import Testing

/// The programs `liveview-mirror` and `liveview-mirror-attach`, as a user starts them.
@Suite(.serialized, .timeLimit(.minutes(10))) struct AttachTests {
  private func attach(_ arguments: String..., environment: [String: String] = [:]) throws -> Program {
    try Program("liveview-mirror", ["attach"] + arguments, environment: environment)
  }

  /// The id of the view in a line such as `… is mirrored at
  /// http://127.0.0.1:8080/views/lv:phx-app~mw…`.
  private func view(of program: Program) async throws -> String {
    String(try await program.after("is mirrored at ").split(separator: "/views/", maxSplits: 1).last ?? "")
  }

  // MARK: - Feeding

  @Test func `two pages are mirrored by a running mirror, and closed at the end`() async throws {
    let (first, second) = (try ScriptedApp(), try ScriptedApp())
    first.change { $0.count = 1 }
    second.change { $0.count = 2 }
    let mirror = try await RunningMirror()
    let attach = try attach(
      first.server.address + "/one", second.server.address + "/two", "--mirror", mirror.address)
    try await attach.until("two joined pages") { attach.output.split(separator: "\n").count == 2 }
    let urls = [try first.server.address + "/one", try second.server.address + "/two"]
    try await attach.until("two views in the mirror") {
      try await mirror.call("GET", "/views").json["views"]?.elements?.count == 2
    }
    let pages = try #require(try await mirror.call("GET", "/pages").json["pages"]?.elements)
    #expect(Set(pages.compactMap { $0["url"]?.string }) == Set(urls))
    #expect(pages.compactMap { $0["title"]?.string } == ["App", "App"])
    #expect(pages.allSatisfy { $0["closed_at"]?.isNull == true && $0["carrier"]?.text == "true" })
    var contents: Set<String> = []
    for page in pages {
      for view in page["views"]?.elements ?? [] {
        #expect(view["status"]?.string == "joined")
        contents.insert(try await mirror.html(of: view["view"]?.string ?? ""))
      }
    }
    #expect(contents == ["<p>1</p>", "<p>2</p>"])
    #expect(try await attach.stop() == 0)
    let closed = try #require(try await mirror.call("GET", "/pages").json["pages"]?.elements)
    #expect(closed.allSatisfy { $0["closed_at"]?.isNull == false })
  }

  @Test func `the status of a view follows the connection`() async throws {
    let app = try ScriptedApp()
    let mirror = try await RunningMirror()
    let attach = try attach(app.server.address, "--mirror", mirror.address)
    let view = try await view(of: attach)
    func status() async throws -> String? { try await mirror.call("GET", "/views/\(view)").json["status"]?.string }
    #expect(try await status() == "joined")
    try app.server.stop()
    try await attach.until("a closed view") { try await status() == "closed" }
    try app.server.start()
    try await attach.until("a joined view") { try await status() == "joined" }
    #expect(try await attach.stop() == 0)
  }

  @Test func `without a running mirror it starts one, which ends with it`() async throws {
    let app = try ScriptedApp()
    let attach = try attach(app.server.address, "--port", "0")
    let address = try await attach.after("the mirror is at ")
    let view = try await view(of: attach)
    #expect(view.hasPrefix("lv:phx-app~"))
    #expect(attach.errors == "liveview-mirror: joined lv:phx-app (LiveView 1.1.33)\n")
    #expect(try await attach.stop() == 0)
    #expect(app.received.last?.event == "phx_leave")
    let target = try #require(WebAddress(address))
    await #expect(throws: ClientError.self) { _ = try await HTTPConnection.open(target, by: Transport()) }
  }

  @Test func `with --once it ends when all views are joined and mirrored`() async throws {
    let app = try ScriptedApp()
    let mirror = try await RunningMirror(environment: ["MIRROR_TOKEN": "correct-horse"])
    let attach = try attach(
      app.server.address, "--mirror", mirror.address, "--once", environment: ["MIRROR_TOKEN": "correct-horse"])
    #expect(try await attach.code() == 0)
    #expect(attach.output.hasPrefix("\(try app.server.address)/ is mirrored at \(mirror.address)/views/lv:phx-app~"))
  }

  @Test func `with --once and a mirror of its own it prints a summary, and no address that ends with it`() async throws
  {
    let app = try ScriptedApp()
    let attach = try attach(app.server.address, "--port", "0", "--once")
    #expect(try await attach.code() == 0)
    // The join, the reply to it, and the leave.
    #expect(attach.output == "\(try app.server.address)/: 1 view joined, 3 frames mirrored\n")
  }

  @Test func `with --once, a mirror that does not take the frames is a failure`() async throws {
    let app = try ScriptedApp()
    let mirror = try MirrorStub { request in
      request.target.hasPrefix("/frames") ? .init(status: 503) : .init(status: 200)
    }
    let attach = try attach(app.server.address, "--mirror", mirror.address, "--once")
    #expect(try await attach.code() == 69)
    #expect(attach.output == "")
    #expect(
      attach.errors.hasSuffix(
        "liveview-mirror: the mirror at \(mirror.address) has not taken all frames of \(try app.server.address)\n"))
  }

  @Test func `a restarted mirror gets the whole page again`() async throws {
    let app = try ScriptedApp()
    var mirror = try await RunningMirror()
    let attach = try attach(app.server.address, "--mirror", mirror.address)
    let view = try await view(of: attach)
    app.tick(10)
    try await attach.until("the tenth tick") { try await mirror.html(of: view) == "<p>10</p>" }
    try await mirror.program.stop()
    app.tick(10)
    mirror = try await RunningMirror(port: mirror.port)
    app.tick(10)
    try await attach.until("the thirtieth tick") { try await mirror.html(of: view) == "<p>30</p>" }
    #expect(app.joins.count >= 2)
    // This program has closed the connection to join again, which is no failure of the app.
    #expect(!attach.errors.contains("was closed"), "\(attach.errors)")
    #expect(try await attach.stop() == 0)
  }

  @Test func `frames arrive in order, without a gap or a repetition, and memory does not grow`() async throws {
    let app = try ScriptedApp()
    let mirror = try await RunningMirror(environment: ["MIRROR_VERSIONS": "100"])
    let attach = try attach(app.server.address, "--mirror", mirror.address)
    let view = try await view(of: attach)
    let count = TestEffort.count(6_000, long: 100_000)
    func version() async throws -> Int? {
      try await mirror.call("GET", "/views/\(view)").json["version"]?.integer
    }
    app.tick(count / 3)
    try await attach.until("a third of the ticks") { try await version() == count / 3 }
    let memory = attach.memory
    for _ in 0..<4 {
      app.tick((count - count / 3) / 4)
      let target = app.change { $0.count }
      try await attach.until("\(target) ticks") { try await version() == target }
    }
    let total = app.change { $0.count }
    #expect(try await mirror.html(of: view) == "<p>\(total)</p>")
    #expect(attach.memory < memory + 16 << 10)
    // Each diff replaced the number before it.
    let entries = try #require(try await mirror.call("GET", "/views/\(view)/log?limit=100").json["entries"]?.elements)
    for entry in entries {
      guard let version = entry["version"]?.integer, let change = entry["changes"]?.elements?.first else { continue }
      #expect(change["after"]?.string == String(version))
    }
    #expect(try await attach.stop() == 0)
  }

  @Test func `a frame of 10 MB reaches the mirror`() async throws {
    let app = try ScriptedApp()
    let mirror = try await RunningMirror()
    let attach = try attach(app.server.address, "--mirror", mirror.address)
    let view = try await view(of: attach)
    let filling = String(repeating: "x", count: 10 << 20)
    app.send("diff", #"{"0":"big","e":[["big",{"text":"\#(filling)"}]]}"#)
    app.tick(1)
    try await attach.until("the tick after it") { try await mirror.html(of: view) == "<p>1</p>" }
    #expect(try await mirror.call("GET", "/views/\(view)").json["version"]?.integer == 2)
    #expect(try await attach.stop() == 0)
  }

  // MARK: - Carrying

  @Test func `a push reaches the LiveView, and is answered by its change set`() async throws {
    let app = try ScriptedApp()
    let mirror = try await RunningMirror()
    let attach = try attach(app.server.address, "--mirror", mirror.address)
    let view = try await view(of: attach)
    let page = try #require(view.split(separator: "~").last)
    try await attach.until("a carrier") {
      try await mirror.call("GET", "/pages/\(page)").json["carrier_connected"]?.text == "true"
    }
    let (status, change) = try await mirror.call(
      "POST", "/views/\(view)/push", #"{"event":"inc","value":{"by":1.50},"target":3}"#)
    #expect(status == 200)
    #expect(change["changes"]?.elements?.first?["after"]?.string == "1")
    #expect(change["cause"]?["event"]?.string == "inc")
    let event = try #require(app.received.first { $0.event == "event" })
    #expect(event.canonicalPayload == #"{"cid":3,"event":"inc","type":"click","value":{"by":1.5}}"#)
    #expect(try await attach.stop() == 0)
    #expect(try await mirror.call("POST", "/views/\(view)/push", #"{"event":"inc"}"#).status == 409)
  }

  // MARK: - Failures

  @Test func `each failure has a message and an exit code`() async throws {
    let app = try ScriptedApp(pages: { $0.target == "/plain" ? .init("<p>no view</p>") : nil })
    let address = try app.server.address
    let mirror = try await RunningMirror(environment: ["MIRROR_TOKEN": "correct-horse"])
    let gone = try ScriptedApp()
    try gone.server.stop()
    let goneAddress = try gone.server.address
    let cases: [([String], Int32, String)] = [
      ([], 64, "Missing expected argument"),
      (["localhost:4000"], 64, "must be a complete http or https URL"),
      ([address, "--for", "3"], 64, "--for: \u{201C}3\u{201D} must be a time with a unit"),
      ([address, "--header", "x"], 64, "must have the form Name: value"),
      ([address + "/plain", "--port", "0"], 65, "\(address)/plain has no LiveView: no element has data-phx-session"),
      ([goneAddress, "--port", "0"], 69, "cannot reach \(goneAddress): Connection refused"),
      (
        [address, "--mirror", goneAddress], 69,
        "cannot reach the mirror at \(goneAddress): Connection refused; start it there with liveview-mirror serve, or omit"
      ),
      ([address, "--mirror", mirror.address], 77, "\(mirror.address) needs a token: set --token, --token-file,"),
      (
        [address, "--mirror", mirror.address, "--token", "wrong-horse"], 77, "does not accept the token: check --token"
      ),
      ([address, "--mirror", "localhost:8080"], 64, "must be the address of a mirror, such as http://localhost:8080"),
    ]
    for (arguments, code, message) in cases {
      let attach = try Program("liveview-mirror", ["attach"] + arguments)
      #expect(try await attach.code() == code, "\(arguments)")
      #expect(attach.errors.contains(message), "\(arguments): \(attach.errors)")
    }
  }

  @Test func `a stale session and a message of another protocol end the program`() async throws {
    let stale = try ScriptedApp()
    stale.change { $0.refusals = Array(repeating: #"{"reason":"stale"}"#, count: 9) }
    var attach = try attach(stale.server.address, "--port", "0")
    #expect(try await attach.code() == 77)
    #expect(attach.errors.contains("whose session it does not accept (stale)"))
    let app = try ScriptedApp()
    attach = try self.attach(app.server.address, "--port", "0")
    _ = try await view(of: attach)
    app.sendRaw(#"{"topic":"lv:phx-app"}"#)
    #expect(try await attach.code() == 76)
    #expect(attach.errors.contains("is not a frame [join_ref, ref, topic, event, payload] of protocol 2.0.0"))
  }

  @Test(arguments: [
    ("a b: 1", "must have a name of letters"), ("x(y): 1", "must have a name of letters"),
    ("\u{E9}: 1", "must have a name of letters"), ("Connection: close", "must not be set"),
    ("keep-alive: 5", "must not be set"), ("Upgrade: h2c", "must not be set"),
    ("Sec-WebSocket-Key: x", "must not be set"),
    ("Content-Length: 3", "must not be set"), ("Transfer-Encoding: chunked", "must not be set"),
    ("TE: x", "must not be set"),
  ])
  func `a header that requests must not have is refused`(header: String, message: String) async throws {
    let app = try ScriptedApp()
    let attach = try attach(app.server.address, "--port", "0", "--once", "--header", header)
    #expect(try await attach.code() == 64)
    #expect(attach.errors.contains(message), "\(attach.errors)")
    #expect(app.change { $0.requests.isEmpty })
  }

  @Test(arguments: [
    ("a b=1", "must have a name of letters"), ("a=1; b=2", "must be one cookie: repeat the option"),
  ])
  func `a cookie that is none is refused`(cookie: String, message: String) async throws {
    let app = try ScriptedApp()
    let attach = try attach(app.server.address, "--port", "0", "--once", "--cookie", cookie)
    #expect(try await attach.code() == 64)
    #expect(attach.errors.contains(message), "\(attach.errors)")
  }

  @Test func `the host of a request can be another than that of the URL`() async throws {
    let app = try ScriptedApp()
    let attach = try attach(app.server.address, "--port", "0", "--once", "--header", "Host: app.test")
    #expect(try await attach.code() == 0)
    let request = try #require(app.change { $0.requests.first })
    #expect(request.headers.filter { $0.name.lowercased() == "host" }.map(\.value) == ["app.test"])
  }

  @Test func `--give-up counts while the page cannot be loaded`() async throws {
    let isBroken = SharedFlag()
    let app = try ScriptedApp(pages: { _ in isBroken.isSet ? .init("broken", status: 500) : nil })
    let mirror = try await RunningMirror()
    let attach = try attach(app.server.address, "--mirror", mirror.address, "--give-up", "1s")
    _ = try await view(of: attach)
    isBroken.set()
    // The view's crash leads to a join, whose session is stale, so the page is loaded. The socket
    // is not lost.
    app.change { $0.session = "SESSION-2" }
    app.send("phx_error", "{}")
    #expect(try await attach.code() == 69)
    #expect(attach.errors.contains("no view of \(try app.server.address) was joined for 1 s, the time of --give-up"))
  }

  @Test func `--give-up begins anew when a view is joined`() async throws {
    let isBroken = SharedFlag()
    let app = try ScriptedApp(pages: { _ in isBroken.isSet ? .init("broken", status: 500) : nil })
    let mirror = try await RunningMirror()
    let attach = try attach(app.server.address, "--mirror", mirror.address, "--give-up", "12s")
    _ = try await view(of: attach)
    isBroken.set()
    app.change { $0.session = "SESSION-2" }
    app.send("phx_error", "{}")
    try await attach.until("a failed page load") { attach.errors.contains("status 500") }
    isBroken.clear()
    try await attach.until("another join") { attach.errors.components(separatedBy: ": joined ").count == 3 }
    try await Task.sleep(for: .seconds(13))
    #expect(try await attach.stop() == 0)
  }

  // MARK: - The mirror of its own

  @Test func `the death of its own mirror ends the program`() async throws {
    let app = try ScriptedApp()
    let attach = try attach(app.server.address, "--port", "0")
    _ = try await view(of: attach)
    let mirror = try #require(attach.children.first)
    // A request is waiting for an answer when the mirror ends.
    kill(mirror, SIGSTOP)
    app.tick(1)
    try await Task.sleep(for: .milliseconds(300))
    kill(mirror, SIGKILL)
    try await attach.until("the end of the mirror") { attach.children.isEmpty }
    app.tick(3)
    #expect(try await attach.code() == 69)
    #expect(attach.errors.contains("the mirror of this program has ended with signal 9 (Killed)"), "\(attach.errors)")
    #expect(!attach.errors.contains("cannot reach") && !attach.errors.contains("left"))
    #expect(!attach.errors.contains("cannot be fed"), "\(attach.errors)")
    try await attach.until("the end of the connection") { !app.isConnected }
  }

  @Test func `a Ctrl-C that reaches both programs is no death of the mirror`() async throws {
    let app = try ScriptedApp()
    let attach = try attach(app.server.address, "--port", "0")
    _ = try await view(of: attach)
    let mirror = try #require(attach.children.first)
    kill(mirror, SIGINT)
    try await attach.until("the end of the mirror") { attach.children.isEmpty }
    kill(attach.id, SIGINT)
    #expect(try await attach.code() == 0)
    #expect(attach.errors == "liveview-mirror: joined lv:phx-app (LiveView 1.1.33)\n")
  }

  @Test(arguments: [1, 2])
  func `signals end a mirror that has not started yet`(count: Int) async throws {
    // A mirror that never says where it listens.
    let folder = try ProgramFolder(["liveview-mirror": "#!/bin/sh\nexec sleep 60\n"], copying: "liveview-mirror-attach")
    let attach = try Program(folder.path("liveview-mirror-attach"), ["http://localhost:1/"])
    try await attach.until("the mirror") { attach.children.count == 1 }
    let mirror = try #require(attach.children.first)
    for _ in 0..<count { kill(attach.id, SIGTERM) }
    _ = try await attach.code()
    try await attach.until("the end of the mirror") { kill(mirror, 0) != 0 }
    #expect(attach.output == "" && attach.errors == "")
  }

  @Test func `a signal ends the program while a page is being loaded`() async throws {
    let silent = try MirrorStub { _ in .init(status: 200, delay: .seconds(120)) }
    let attach = try attach(silent.address, "--port", "0")
    try await attach.until("the request") { silent.log.contains("begin GET /") }
    let start = ContinuousClock.now
    #expect(try await attach.stop() == 0)
    #expect(start.duration(to: .now) < .seconds(10))
    #expect(attach.errors == "")
  }

  @Test func `a page is ended in the mirror after the last request of its carrier`() async throws {
    let app = try ScriptedApp()
    let announcements = SharedCount()
    let mirror = try MirrorStub { request in
      if request.target.hasSuffix("/pushes") { return .init(status: 404) }
      let isAgain = request.isAnnouncement && announcements.next() > 1
      return .init(status: 200, delay: isAgain ? .milliseconds(700) : .zero)
    }
    let attach = try attach(app.server.address, "--mirror", mirror.address)
    try await attach.until("a second announcement") { mirror.log.count { $0 == "begin POST /pages" } == 2 }
    #expect(try await attach.stop() == 0)
    try await attach.until("the response to it") { mirror.log.count { $0 == "end POST /pages" } == 2 }
    let log = mirror.log
    let announced = try #require(log.lastIndex(of: "end POST /pages"))
    let ended = try #require(log.firstIndex(of: "begin DELETE /pages"))
    #expect(announced < ended, "\(log)")
  }

  @Test func `a missing program is named`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mirror-alone-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appending(path: "liveview-mirror")
    try FileManager.default.copyItem(at: Fixtures.program, to: copy)
    let process = Process()
    let pipe = Pipe()
    process.executableURL = copy
    process.arguments = ["attach", "http://localhost:4000"]
    process.environment = ["PATH": "/usr/bin"]
    process.standardError = pipe
    try process.run()
    let errors = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 69)
    #expect(
      String(decoding: errors, as: UTF8.self).contains(
        "“script/build liveview-mirror-attach”, in the folder of the mirror's source, builds it"))
  }
}
