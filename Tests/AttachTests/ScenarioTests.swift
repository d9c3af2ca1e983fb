import Foundation
import RecordingFixtures
import ScriptedPhoenix
import Testing

/// `check --attach URL --steps FILE` against the scripted Phoenix.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ScenarioTests {
  /// A counter with buttons and a form.
  private func app() throws -> ScriptedApp {
    let app = try ScriptedApp()
    app.change { state in
      state.content = """
        <button id="inc" phx-click="inc">+</button><button id="silent" phx-click="silence">?</button>\
        <button id="crash" phx-click="crash">!</button><a id="patch" href="/other" data-phx-link="patch" data-phx-link-state="push">\
        other</a><button id="plain">.</button><form id="f" phx-change="validate" phx-submit="save"><input name="user[name]"></form>
        """
      state.responses["validate"] = #"{"diff":{"0":"valid"}}"#
      state.responses["save"] = #"{"diff":{"0":"Saved  it"}}"#
    }
    return app
  }

  /// Writes steps into a file.
  private func steps(_ text: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "mirror-steps-\(UUID().uuidString).yml")
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }

  private func check(
    _ app: ScriptedApp, _ steps: String, _ arguments: String...
  ) async throws -> (output: String, errors: String, code: Int32) {
    let file = try self.steps(steps)
    defer { try? FileManager.default.removeItem(atPath: file) }
    let program = try Program(
      "liveview-mirror", ["check", "--attach", app.server.address + "/", "--steps", file] + arguments)
    let code = try await program.code()
    return (program.output, program.errors.replacing(file, with: "steps.yml"), code)
  }

  @Test func `a scenario within time is measured`() async throws {
    let app = try app()
    let result = try await check(
      app,
      """
      - wait_for: "#inc"
      - click: "#inc"
      - click: "#inc"
        within: 10s
      - assert: p
        text: "2"
      - assert_none: ".error"
      - change: "[name='user[name]']"
        value: Ada
      - assert_text: valid
      - submit: "#f"
        values: {"user[name]": Grace}
      - assert: p
        text: Saved it
      - click: "#patch"
      - pause: 1ms
      """, "--json", "--bytes", "100")
    #expect((result.errors, result.code) == ("", 0), "\(result)")
    let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    let check = try #require((json?["checks"] as? [[String: Any]])?.first)
    #expect(check["file"] as? String == (try app.server.address + "/"))
    let causes = check["causes"] as? [[String: Any]] ?? []
    #expect(causes.map { $0["event"] as? String } == ["inc", "live_patch", "save", "validate"])
    #expect(causes.map { $0["diffs"] as? Int } == [2, 0, 1, 1])
    #expect(causes.map { $0["latencies"] as? Int } == [2, 1, 1, 1])
    let forms = app.received.filter { $0.event == "event" }.compactMap {
      ($0.payload as? [String: Any])?["value"] as? String
    }
    #expect(forms.map { $0.contains("Ada") } == [true, false])
    #expect(app.received.contains { $0.event == "live_patch" })
    #expect(forms.map { $0.contains("Grace") } == [false, true])
  }

  @Test func `a budget that the scenario exceeds fails`() async throws {
    let result = try await check(try app(), "- click: \"#inc\"", "--bytes", "8")
    #expect((result.errors, result.code) == ("", 1))
    #expect(result.output.contains("✗ bytes of a diff"))
  }

  @Test(arguments: [
    (
      "- wait_for: p\n- click: \"#silent\"\n  within: 300ms",
      "steps.yml:2: step 2 of 2, click \"#silent\": the LiveView has not answered within 300 ms", 1
    ),
    (
      "- wait_for: \".later\"\n  within: 100ms",
      "steps.yml:1: step 1 of 1, wait_for \".later\": no element matches within 100 ms", 1
    ),
    (
      "- assert: p\n  text: \"7\"\n  within: 100ms",
      "steps.yml:1: step 1 of 1, assert \"p\" with \"7\": no matching element has this text within 100 ms; found \"0\"",
      1
    ),
    (
      "- assert_none: p\n  within: 50ms",
      "steps.yml:1: step 1 of 1, assert_none \"p\": an element still matches after 50 ms", 1
    ),
    (
      "- assert_text: Hello\n  within: 50ms",
      "steps.yml:1: step 1 of 1, assert_text \"Hello\": the page does not have this text within 50 ms", 1
    ),
    (
      "- click: \"#crash\"",
      "steps.yml:1: step 1 of 1, click \"#crash\": the event crash was not answered: the view was left, or has crashed",
      1
    ),
    ("- clik: p", "steps.yml:1:3: “clik” is not a key: did you mean “click”?", 65),
  ])
  func `a step beyond its time fails with its line`(steps: String, message: String, code: Int32) async throws {
    let result = try await check(try app(), steps)
    #expect(result.errors == "liveview-mirror: \(message)\n")
    #expect(result.output.hasSuffix("\n✗ 1 failure\n") && result.code == code, "\(result.output)")
  }

  @Test func `an element without a binding, and an app that does not run, are named`() async throws {
    let app = try app()
    let plain = try await check(app, "- click: \"#plain\"")
    #expect(plain.errors.hasPrefix("liveview-mirror: steps.yml:1: step 1 of 1, click \"#plain\": "), "\(plain.errors)")
    #expect(plain.code == 1)
    let nowhere = try Program(
      "liveview-mirror", ["check", "--attach", "http://127.0.0.1:1/", "--steps", "/nowhere.yml"])
    #expect(
      (try await nowhere.code(), nowhere.errors) == (
        66, "liveview-mirror: cannot read /nowhere.yml: No such file or directory\n"
      ))
    let file = try steps("- click: p")
    defer { try? FileManager.default.removeItem(atPath: file) }
    let stopped = try Program("liveview-mirror", ["check", "--attach", "http://127.0.0.1:1/", "--steps", file])
    #expect(try await stopped.code() == 69, "\(stopped.errors)")
  }

  @Test func `a scenario fails if the join is refused`() async throws {
    let app = try app()
    app.change { $0.refusals = Array(repeating: #"{"reason":"unauthorized"}"#, count: 9) }
    let result = try await check(app, "- click: \"#inc\"")
    #expect(result.code == 77, "\(result)")
  }

  @Test func `a failed step writes every output, with the recording`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func file(_ name: String) -> String { folder.appending(path: name).path }
    func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }
    let result = try await check(
      try app(), "- click: \"#inc\"\n- assert: .later\n  within: 100ms", "--github", "--junit", file("a.xml"),
      "--markdown", file("a.md"), "--record", file("a.ndjson"))
    #expect(result.code == 1)
    let reason = "step 2 of 2, assert \".later\": no element matches within 100 ms"
    #expect(result.output.contains(",line=2,title=liveview-mirror::"), "\(result.output)")
    #expect(result.output.contains("\n  inc "))
    #expect(try text("a.xml").contains("step 2 of 2, assert &quot;.later&quot;"))
    #expect(try text("a.md").contains("1 failure") && text("a.md").contains("step 2 of 2"))
    #expect(result.errors == "liveview-mirror: steps.yml:2: \(reason)\n")
    let replay = try Program("liveview-mirror", ["replay", file("a.ndjson")])
    #expect(try await replay.code() == 0)
    #expect(replay.output.contains("click inc → 1 node changed"))
  }

  @Test func `a scenario logs in by a form, and the session reaches the page and its socket`() async throws {
    let form = """
      <form action="/search"><input name="q"></form>
      <form action="/users/log-in" method="post"><input type="hidden" name="_csrf_token" value="T+1"><input name="user[email]">
      <input type="password" name="user[password]"><input type="checkbox" name="user[remember_me]" value="true" checked></form>
      """
    let app = try ScriptedApp(pages: { request in
      let isKnown = request.headers.contains { $0.name.lowercased() == "cookie" && $0.value.contains("_key=in") }
      switch (request.method, request.target) {
      case ("GET", "/users/log-in"): return .init(form)
      case ("POST", "/users/log-in"):
        let isRight = request.body.contains("user%5Bpassword%5D=a+secret%21")
        return .init(
          "", status: 302,
          headers: [
            ("location", isRight ? "/" : "/users/log-in"), ("set-cookie", isRight ? "_key=in; path=/" : "_key=out"),
          ])
      default: return isKnown ? nil : .init("", status: 302, headers: [("location", "/users/log-in")])
      }
    })
    app.change { $0.content = "<button id=\"inc\" phx-click=\"inc\">+</button>" }
    let steps = { (password: String) in
      """
      - log_in: /users/log-in
        values: {"user[email]": ada@example.org, "user[password]": "\(password)"}
      - click: "#inc"
      """
    }
    let result = try await check(app, steps("a secret!"))
    #expect((result.errors, result.code) == ("", 0), "\(result)")
    let posted = app.change { $0.requests }.first { $0.method == "POST" }
    #expect(
      posted?.body
        == "_csrf_token=T%2B1&user%5Bremember_me%5D=true&user%5Bemail%5D=ada%40example.org&user%5Bpassword%5D=a+secret%21"
    )
    let wrong = try await check(app, steps("wrong"))
    #expect(wrong.code == 1)
    #expect(wrong.errors.contains("/users/log-in is shown again after the submission: check the values"), "\(wrong)")
    #expect(!wrong.errors.contains("wrong\""))
    let other = try await check(app, "- log_in: /users/log-in\n  values: {name: Ada}")
    #expect(
      other.errors.contains("has these fields; it has _csrf_token, user[email], user[password], user[remember_me]\n")
    )
    let unknown = try await check(app, "- click: \"#inc\"")
    #expect(unknown.code == 65 && unknown.errors.contains("has no LiveView"))
    let cookie = try await check(app, "- cookie: _key\n  value: in\n- click: \"#inc\"")
    #expect((cookie.errors, cookie.code) == ("", 0))
  }

  @Test func `every error of the steps is in the outputs, and a step has a limit of time`() async throws {
    let wrong = try await check(try app(), "- clik: a\n- clik: b", "--json")
    #expect(wrong.code == 65)
    let json = try JSONSerialization.jsonObject(with: Data(wrong.output.utf8)) as? [String: Any]
    #expect((json?["failures"] as? [String])?.count == 2)
    let slow = try ScriptedApp(pages: { request in
      if request.target == "/slow" { Thread.sleep(forTimeInterval: 1) }
      return nil
    })
    for step in ["navigate: /slow", "open: /slow\n  as: b"] {
      let late = try await check(slow, "- wait_for: p\n- \(step)\n  within: 200ms")
      #expect(late.errors.contains(": it takes longer than 200 ms\n") && late.code == 1, "\(late)")
    }
    let cookie = try await check(slow, "- cookie: a\n  value: \"x\\r\\nX: y\"")
    #expect(cookie.errors.contains("the cookie must have a value without control characters"), "\(cookie)")
    let both = try await check(slow, "- wait_for: p", "--record", "-")
    #expect(both.code == 64 && both.errors.contains("--record - and the report both use standard output"))
  }

  @Test func `keys are pressed on an element and on the window`() async throws {
    let app = try app()
    app.change { state in
      state.content = """
        <input id="q" phx-keydown="down" phx-keyup="up"><div phx-window-keyup="close" phx-key="Escape"></div><b id="b"></b>
        """
    }
    let result = try await check(app, "- press: a\n  on: \"#q\"\n- press: Escape")
    #expect((result.errors, result.code) == ("", 0), "\(result)")
    let events = app.received.compactMap { $0.payload as? [String: Any] }.filter { $0["event"] != nil }
    #expect(events.map { $0["event"] as? String } == ["down", "up", "close"])
    #expect(events.map { ($0["value"] as? [String: Any])?["key"] as? String } == ["a", "a", "Escape"])
    let unbound = try await check(app, "- press: Enter")
    #expect(
      unbound.errors.contains(
        "step 1 of 1, press \"Enter\": no phx-window-keydown and no phx-window-keyup receives this key"))
  }

  @Test func `several pages share their cookies, and each has its frames in the recording`() async throws {
    let app = try app()
    let file = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID().uuidString).ndjson")
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try await check(
      app,
      """
      - click: "#inc"
      - open: /second
        as: other
      - click: "#inc"
        page: other
      - click: "#inc"
        page: other
      - navigate: /third
      - click: "#inc"
      """, "--record", file.path, "--json")
    #expect((result.errors, result.code) == ("", 0), "\(result)")
    let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    let check = try #require((json?["checks"] as? [[String: Any]])?.first)
    #expect((check["views"] as? [String])?.count == 2, "\(check)")
    #expect((check["all"] as? [String: Any])?["diffs"] as? Int == 4)
    #expect((check["all"] as? [String: Any])?["mounts"] as? Int == 3)
    #expect(app.change { $0.requests.map(\.target) }.filter { !$0.hasPrefix("/live") } == ["/", "/second", "/third"])
    let replay = try Program("liveview-mirror", ["replay", file.path])
    #expect(try await replay.code() == 0, "\(replay.errors)")
  }

  @Test func `the recording is kept with --record, and replays`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID().uuidString).ndjson")
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try await check(try app(), "- click: \"#inc\"", "--record", file.path)
    let replay = try Program("liveview-mirror", ["replay", file.path])
    #expect(try await replay.code() == 0)
    #expect(replay.output.contains("click inc → 1 node changed"))
  }
}
