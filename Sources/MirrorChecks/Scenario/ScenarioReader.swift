internal import MarkupDocument
internal import MirrorSupport

/// Reads the steps of a scenario from YAML. `liveview-mirror-attach` reads the file of `--steps`
/// with it.
///
///     - log_in: /users/log-in
///       values: {"user[email]": ada@example.org, "user[password]": "${PASSWORD}"}
///     - wait_for: "#count"
///     - click: "#inc"
///       within: 2s
///     - change: "#user_name"
///       value: Ada
///     - press: Enter
///       on: "#user_name"
///     - assert: "#count"
///       text: "1"
///     - open: /admin
///       as: admin
///     - assert_text: Ada
///       page: admin
///
/// `${NAME}` in a value is an environment variable.
package struct ScenarioReader {
  private var problems: [YAMLProblem] = []
  private let variable: (String) -> String?
  /// The pages that the steps so far have opened.
  private var pages: Set<String> = [ScenarioStep.mainPage]

  private enum Key: String, CaseIterable {
    case within, text, value, values, on, page
    case name = "as"

    /// Whether a step with this action may have the key.
    func isPermitted(for action: ScenarioStep.Action) -> Bool {
      switch self {
      case .within: action != .pause && action != .cookie
      case .text: action == .waitFor || action == .assert
      case .value: action == .change || action == .cookie
      case .values: action == .change || action == .submit || action == .logIn
      case .on: action == .press
      case .page: action.needsPage
      case .name: action == .open
      }
    }
  }

  /// Reads the steps.
  ///
  /// - Parameter variable: the value of an environment variable; `nil` if it is not set.
  /// - Throws: ``YAMLProblems`` with everything that is wrong.
  package static func read(
    _ yaml: [UInt8], name: String, variable: @escaping (String) -> String? = { _ in nil }
  ) throws(YAMLProblems) -> [ScenarioStep] {
    let expectation = "a list of steps, such as “- click: \"#inc\"”"
    let root = try YAMLNode(of: yaml, name: name, expecting: expectation)
    var reader = ScenarioReader(variable: variable)
    guard let list = root.sequence else {
      throw YAMLProblems(name: name, problems: [YAMLProblem(root.mark, "the file must contain \(expectation)")])
    }
    let steps = list.compactMap { reader.step($0) }
    if !reader.problems.isEmpty { throw YAMLProblems(name: name, problems: reader.problems) }
    return steps
  }

  private init(variable: @escaping (String) -> String?) { self.variable = variable }

  private mutating func step(_ node: YAMLNode) -> ScenarioStep? {
    guard let mapping = node.mapping else {
      note(node.mark, "a step must be an action with its target, such as “click: \"#inc\"”")
      return nil
    }
    var (step, options): (ScenarioStep?, [YAMLNode.Member]) = (nil, [])
    for (key, value) in mapping {
      guard let action = ScenarioStep.Action(rawValue: key.name) else {
        options.append((key, value))
        continue
      }
      if let step {
        note(
          key.mark, "a step has one action, and this one has \(step.action.rawValue) too: begin another step with “-”")
        continue
      }
      step = self.step(action, key, value)
    }
    let names = ScenarioStep.Action.allCases.map(\.rawValue) + Key.allCases.map(\.rawValue)
    for (key, value) in options {
      guard names.contains(key.name) else {
        problems.append(YAMLProblem(unknown: key, among: names))
        continue
      }
      if step != nil { read(value, of: key, into: &step) }
    }
    let hasAction = mapping.contains { ScenarioStep.Action(rawValue: $0.key.name) != nil }
    let hasUnknown = options.contains { !names.contains($0.key.name) }
    if !hasAction, !hasUnknown {
      note(
        node.mark,
        "the step has no action: it must have one of \(ScenarioStep.Action.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    if let step { check(step, node.mark) }
    return step
  }

  /// Checks what depends on several keys of a step, or on earlier steps: the values that an action
  /// needs, and the name of the page. Records the page that `open` opens.
  private mutating func check(_ step: ScenarioStep, _ mark: YAMLMark) {
    switch step.action {
    case .open:
      if step.page == ScenarioStep.mainPage {
        note(mark, "open: the page must have a name of its own, such as “as: admin”")
      } else if !pages.insert(step.page).inserted {
        note(mark, "open: another page has the name “\(step.page.beginning(40))”")
      }
    case .cookie where step.value == nil:
      note(mark, "cookie: the value is missing, such as “value: \"${SESSION}\"”")
    case .logIn where step.values.isEmpty:
      note(mark, "log_in: the values of the form are missing, such as “values: {\"user[email]\": ada@example.org}”")
    case _ where !pages.contains(step.page):
      let hint =
        step.page.mostSimilar(among: pages).map { ": did you mean “\($0)”?" } ?? ": open it first, with “- open:”"
      note(mark, "page: no step has opened “\(step.page.beginning(40))”\(hint)")
    default: break
    }
  }

  private mutating func step(_ action: ScenarioStep.Action, _ key: YAMLNode, _ value: YAMLNode) -> ScenarioStep? {
    guard let target = text(value, of: key) else { return nil }
    var step = ScenarioStep(action: action, target: target, time: ScenarioStep.usualTime, line: key.mark.line)
    if action.hasSelector { guard isSelector(target, value, of: key) else { return nil } }
    switch action {
    case .pause:
      guard let time = time(value, of: key) else { return nil }
      step.time = time
    case .logIn, .open, .navigate:
      guard target.hasPrefix("/") || target.hasPrefix("http://") || target.hasPrefix("https://") else {
        note(value.mark, "\(key.name): “\(target.beginning(60))” must be a path or an address, such as /users/log-in")
        return nil
      }
    default: break
    }
    return step
  }

  private mutating func read(_ value: YAMLNode, of key: YAMLNode, into step: inout ScenarioStep?) {
    guard let action = step?.action, let option = Key(rawValue: key.name) else { return }
    guard option.isPermitted(for: action) else {
      note(key.mark, "“\(key.name)” has no meaning for \(action.rawValue): remove it")
      return
    }
    switch option {
    case .within: if let time = time(value, of: key) { step?.time = time }
    case .text: step?.text = text(value, of: key)
    case .value: step?.value = text(value, of: key, mayBeEmpty: true).flatMap { expanded($0, value.mark) }
    case .on: if let text = text(value, of: key), isSelector(text, value, of: key) { step?.element = text }
    case .page, .name: if let name = text(value, of: key) { step?.page = name }
    case .values:
      guard let mapping = value.mapping else {
        note(value.mark, "values: must be fields with their values, such as {\"user[name]\": Ada}")
        return
      }
      for (field, value) in mapping {
        guard let name = field.text else { continue }
        if let text = text(value, of: field, mayBeEmpty: true),
          let text = expanded(text, value.mark)
        {
          step?.values.append(ScenarioStep.Value(name: name, value: text))
        }
      }
    }
  }

  private mutating func isSelector(_ text: String, _ node: YAMLNode, of key: YAMLNode) -> Bool {
    if Selector(text) != nil { return true }
    note(node.mark, "\(key.name): “\(text.beginning(60))” must be a CSS selector, such as “#inc”")
    return false
  }

  private mutating func note(_ mark: YAMLMark, _ text: String) { problems.append(YAMLProblem(mark, text)) }

  // MARK: - Values

  private mutating func text(_ node: YAMLNode, of key: YAMLNode, mayBeEmpty: Bool = false) -> String? {
    if let text = node.text, mayBeEmpty || !text.isEmpty { return text }
    let isMissing = node.text != nil
    note(
      isMissing ? key.mark : node.mark,
      "\(key.name): \(isMissing ? "the value is missing. A value that begins with # must be in quotes" : "must be a text")"
    )
    return nil
  }

  /// A value with its environment variables.
  private mutating func expanded(_ text: String, _ mark: YAMLMark) -> String? {
    var (result, rest) = ("", text[...])
    while let begin = rest.firstRange(of: "${"), let end = rest[begin.upperBound...].firstIndex(of: "}") {
      let name = String(rest[begin.upperBound..<end])
      guard let value = variable(name) else {
        note(mark, "the environment variable \(name.beginning(60)) is not set")
        return nil
      }
      result += rest[..<begin.lowerBound] + value
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private mutating func time(_ node: YAMLNode, of key: YAMLNode) -> Int? {
    let text = node.text ?? ""
    if let time = Quantity.time(text), time <= .seconds(600) { return Int((time / .milliseconds(1)).rounded(.up)) }
    note(
      node.mark,
      "\(key.name): “\(text.beginning(40))” must be a time of at most 10 minutes with a unit, such as 500ms or 2s")
    return nil
  }
}
