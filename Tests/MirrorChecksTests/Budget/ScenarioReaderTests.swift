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
        ScenarioStep(action: .waitFor, target: "#count", time: 5_000, line: 2),
        ScenarioStep(action: .click, target: "#inc", time: 2_000, line: 3),
        ScenarioStep(action: .change, target: "#user_name", value: "", time: 5_000, line: 5),
        ScenarioStep(
          action: .submit, target: "form#new",
          values: [.init(name: "user[name]", value: "Ada"), .init(name: "age", value: "36")], time: 100, line: 8),
        ScenarioStep(action: .assert, target: "#count", text: "1", time: 5_000, line: 10),
        ScenarioStep(action: .assertText, target: "Saved", time: 5_000, line: 12),
        ScenarioStep(action: .assertNone, target: ".error", time: 5_000, line: 13),
        ScenarioStep(action: .pause, target: "500ms", time: 500, line: 14),
      ])
  }

  @Test func `a scenario logs in, presses keys, and uses several pages`() throws {
    let steps = try ScenarioReader.read(
      Array(
        """
        - log_in: /users/log-in
          values: {"user[email]": ada@example.org, "user[password]": "x${PASSWORD}y"}
        - cookie: _key
          value: "${SESSION}"
        - press: Enter
          on: "#search"
        - press: Escape
        - navigate: /products/7
        - open: /admin
          as: admin
        - click: "#approve"
          page: admin
        """.utf8), name: "s"
    ) { ["PASSWORD": "secret", "SESSION": "abc"][$0] }
    #expect(
      steps == [
        ScenarioStep(
          action: .logIn, target: "/users/log-in",
          values: [
            .init(name: "user[email]", value: "ada@example.org"), .init(name: "user[password]", value: "xsecrety"),
          ], time: 5_000, line: 1),
        ScenarioStep(action: .cookie, target: "_key", value: "abc", time: 5_000, line: 3),
        ScenarioStep(action: .press, target: "Enter", element: "#search", time: 5_000, line: 5),
        ScenarioStep(action: .press, target: "Escape", time: 5_000, line: 7),
        ScenarioStep(action: .navigate, target: "/products/7", time: 5_000, line: 8),
        ScenarioStep(action: .open, target: "/admin", page: "admin", time: 5_000, line: 9),
        ScenarioStep(action: .click, target: "#approve", page: "admin", time: 5_000, line: 11),
      ])
    #expect(
      steps.map(\.title) == [
        #"log_in "/users/log-in""#, #"cookie "_key""#, ##"press "Enter" on "#search""##, #"press "Escape""#,
        #"navigate "/products/7""#, #"open "/admin" as admin"#, ##"click "#approve" of page admin"##,
      ])
  }

  @Test(arguments: [
    ("- cookie: a", "1:3: cookie: the value is missing, such as “value: \"${SESSION}\"”"),
    ("- cookie: a\n  value: \"${NONE}\"", "2:10: the environment variable NONE is not set"),
    (
      "- log_in: /in",
      "1:3: log_in: the values of the form are missing, such as “values: {\"user[email]\": ada@example.org}”"
    ),
    ("- log_in: in\n  values: {a: b}", "1:11: log_in: “in” must be a path or an address, such as /users/log-in"),
    ("- open: /a", "1:3: open: the page must have a name of its own, such as “as: admin”"),
    ("- open: /a\n  as: b\n- open: /a\n  as: b", "3:3: open: another page has the name “b”"),
    ("- click: a\n  page: admin", "1:3: page: no step has opened “admin”: open it first, with “- open:”"),
    (
      "- open: /a\n  as: admin\n- click: a\n  page: admn", "3:3: page: no step has opened “admn”: did you mean “admin”?"
    ),
    ("- click: a\n  on: b", "2:3: “on” has no meaning for click: remove it"),
    ("- press: Enter\n  on: \"p >\"", "2:7: on: “p >” must be a CSS selector, such as “#inc”"),
  ])
  func `what two keys of a step must have in common is checked`(yaml: String, problem: String) {
    let found = problems(yaml)
    #expect(found.contains(problem), "\(found)")
  }

  @Test(arguments: [
    ("- clck: a", "1:3: “clck” is not a key: did you mean “click”?"),
    ("- click: a\n  withn: 2s", "2:3: “withn” is not a key: did you mean “within”?"),
    ("- waitfor: a", "1:3: “waitfor” is not a key: did you mean “wait_for”?"),
    ("- click: #inc", "1:3: click: the value is missing. A value that begins with # must be in quotes"),
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
      "1:3: the step has no action: it must have one of log_in, cookie, open, navigate, click, press, change, submit, "
        + "wait_for, assert, assert_text, assert_none, pause"
    ),
    ("", "1:1: the file is empty: it must contain a list of steps, such as “- click: \"#inc\"”"),
  ])
  func `a wrong step is named with its line`(yaml: String, problem: String) {
    #expect(problems(yaml) == [problem])
  }
}
