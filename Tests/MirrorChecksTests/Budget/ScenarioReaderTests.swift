import Testing

@testable import MirrorChecks

@Suite struct ScenarioReaderTests {
  private func problems(_ yaml: String) -> [String] {
    do throws(YAMLProblems) {
      _ = try ScenarioReader.read(Array(yaml.utf8), name: "s")
      return []
    } catch { return error.lines.map { String($0.dropFirst(2)) } }
  }

  @Test func `steps have an action, a target and options`() throws {
    let steps = try ScenarioReader.read(
      Array(
        """
        # A scenario
        - wait_for: "#count"
        - click: "#inc"
          within: 2s
        - change: "#user_name"
          value: ""
        - within: 100ms
          submit: form#new
          values: {"user[name]": Ada, age: 36}
        - assert: "#count"
          text: 1
        - assert_text: Saved
        - assert_none: .error
        - pause: 500ms
        """.utf8), name: "s")
    #expect(
      steps == [
        Step(action: .waitFor, target: "#count", time: 5_000, line: 2),
        Step(action: .click, target: "#inc", time: 2_000, line: 3),
        Step(action: .change, target: "#user_name", value: "", time: 5_000, line: 5),
        Step(
          action: .submit, target: "form#new",
          values: [.init(name: "user[name]", value: "Ada"), .init(name: "age", value: "36")], time: 100, line: 8),
        Step(action: .assert, target: "#count", text: "1", time: 5_000, line: 10),
        Step(action: .assertText, target: "Saved", time: 5_000, line: 12),
        Step(action: .assertNone, target: ".error", time: 5_000, line: 13),
        Step(action: .pause, target: "500ms", time: 500, line: 14),
      ])
  }

  @Test(arguments: [
    ("- clck: a", "1:3: “clck” is not a key: did you mean “click”?"),
    ("- click: a\n  withn: 2s", "2:3: “withn” is not a key: did you mean “within”?"),
    ("- waitfor: a", "1:3: “waitfor” is not a key: did you mean “wait_for”?"),
    ("- click: #inc", "1:3: click: the value is missing. A selector that begins with # must be in quotes"),
    ("- click: \"p >\"", "1:10: click: “p >” must be a CSS selector, such as “#inc”"),
    ("- click: [a]", "1:10: click: must be a text"),
    (
      "- click: a\n  within: soon",
      "2:11: within: “soon” must be a time of at most 10 minutes with a unit, such as 500ms or 2s"
    ),
    ("- pause: 1h", "1:10: pause: “1h” must be a time of at most 10 minutes with a unit, such as 500ms or 2s"),
    ("- click: a\n  value: b", "2:3: “value” has no meaning for click: remove it"),
    ("- click: a\n  submit: b", "2:3: a step has one action, and this one has click too: begin another step with “-”"),
    ("- submit: a\n  values: b", "2:11: values: must be fields with their values, such as {\"user[name]\": Ada}"),
    ("- click", "1:3: a step must be an action with its target, such as “click: \"#inc\"”"),
    ("click: a", "1:1: the file must contain a list of steps, such as “- click: \"#inc\"”"),
    (
      "- within: 2s",
      "1:3: the step has no action: it must have one of click, change, submit, wait_for, assert, assert_text, "
        + "assert_none, pause"
    ),
    ("", "1:1: the file is empty: it must contain a list of steps, such as “- click: \"#inc\"”"),
  ])
  func `a wrong step is named with its line`(yaml: String, problem: String) {
    #expect(problems(yaml) == [problem])
  }
}
