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
    #expect((result.output, result.code) == ("", code))
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

  @Test func `the recording is kept with --record, and replays`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID().uuidString).ndjson")
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try await check(try app(), "- click: \"#inc\"", "--record", file.path)
    let replay = try Program("liveview-mirror", ["replay", file.path])
    #expect(try await replay.code() == 0)
    #expect(replay.output.contains("click inc → 1 node changed"))
  }
}
