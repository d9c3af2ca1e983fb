internal import MarkupDocument
internal import MirrorSupport

/// Reads the steps of a scenario from YAML.
///
///     - wait_for: "#count"
///     - click: "#inc"
///       within: 2s
///     - change: "#user_name"
///       value: Ada
///     - submit: "#new"
///       values: {"user[name]": Ada}
///     - assert: "#count"
///       text: "1"
///     - assert_text: "Saved"
///     - assert_none: ".error"
///     - pause: 500ms
package struct ScenarioReader {
  private var problems: [YAMLProblem] = []

  private enum Key {
    static let within = "within"
    static let text = "text"
    static let value = "value"
    static let values = "values"
  }

  /// Reads the steps.
  ///
  /// - Throws: ``YAMLProblems`` with everything that is wrong.
  package static func read(_ yaml: [UInt8], name: String) throws(YAMLProblems) -> [Step] {
    let expectation = "a list of steps, such as “- click: \"#inc\"”"
    let root = try YAMLNode(of: yaml, name: name, expecting: expectation)
    var reader = ScenarioReader()
    guard let list = root.sequence else {
      throw YAMLProblems(name: name, problems: [YAMLProblem(root.mark, "the file must contain \(expectation)")])
    }
    let steps = list.compactMap { reader.step($0) }
    if !reader.problems.isEmpty { throw YAMLProblems(name: name, problems: reader.problems) }
    return steps
  }

  private init() {}

  private mutating func step(_ node: YAMLNode) -> Step? {
    guard let mapping = node.mapping else {
      problems.append(YAMLProblem(node.mark, "a step must be an action with its target, such as “click: \"#inc\"”"))
      return nil
    }
    var (step, options): (Step?, [(key: YAMLKey, value: YAMLNode)]) = (nil, [])
    for (key, value) in mapping {
      let key = YAMLKey(string: key.text ?? "", mark: key.mark)
      guard let action = Step.Action(rawValue: key.string) else {
        options.append((key, value))
        continue
      }
      if let step {
        problems.append(
          YAMLProblem(
            key.mark, "a step has one action, and this one has \(step.action.rawValue) too: begin another step with “-”"
          ))
        continue
      }
      step = self.step(action, key, value)
    }
    let names = Step.Action.allCases.map(\.rawValue) + [Key.within, Key.text, Key.value, Key.values]
    for (key, value) in options {
      guard names.contains(key.string) else {
        problems.append(YAMLProblem(unknown: key, among: names))
        continue
      }
      if step != nil { read(value, of: key, into: &step) }
    }
    let hasAction = mapping.contains { $0.key.text.flatMap { Step.Action(rawValue: $0) } != nil }
    let hasUnknown = options.contains { !names.contains($0.key.string) }
    if !hasAction, !hasUnknown {
      problems.append(
        YAMLProblem(
          node.mark,
          "the step has no action: it must have one of \(Step.Action.allCases.map(\.rawValue).joined(separator: ", "))")
      )
    }
    return step
  }

  private mutating func step(_ action: Step.Action, _ key: YAMLKey, _ value: YAMLNode) -> Step? {
    guard let target = text(value, of: key) else { return nil }
    var step = Step(action: action, target: target, time: Step.usualTime, line: key.mark.line)
    switch action {
    case .click, .change, .submit, .waitFor, .assert, .assertNone:
      if Selector(target) == nil {
        problems.append(
          YAMLProblem(value.mark, "\(key.string): “\(target.beginning(60))” must be a CSS selector, such as “#inc”"))
        return nil
      }
    case .assertText: break
    case .pause:
      guard let time = time(value, of: key) else { return nil }
      step.time = time
    }
    return step
  }

  private mutating func read(_ value: YAMLNode, of key: YAMLKey, into step: inout Step?) {
    guard let action = step?.action else { return }
    let isPermitted =
      switch key.string {
      case Key.within: action != .pause
      case Key.text: action == .waitFor || action == .assert
      case Key.value: action == .change
      default: action == .change || action == .submit
      }
    guard isPermitted else {
      problems.append(YAMLProblem(key.mark, "“\(key.string)” has no meaning for \(action.rawValue): remove it"))
      return
    }
    switch key.string {
    case Key.within: if let time = time(value, of: key) { step?.time = time }
    case Key.text: step?.text = text(value, of: key)
    case Key.value: step?.value = text(value, of: key, mayBeEmpty: true)
    default:
      guard let mapping = value.mapping else {
        problems.append(
          YAMLProblem(value.mark, "values: must be fields with their values, such as {\"user[name]\": Ada}"))
        return
      }
      for (field, value) in mapping {
        guard let name = field.text else { continue }
        if let text = text(value, of: YAMLKey(string: name, mark: field.mark), mayBeEmpty: true) {
          step?.values.append(Step.Value(name: name, value: text))
        }
      }
    }
  }

  // MARK: - Values

  private mutating func text(_ node: YAMLNode, of key: YAMLKey, mayBeEmpty: Bool = false) -> String? {
    if let text = node.text, mayBeEmpty || !text.isEmpty { return text }
    let isMissing = node.text != nil
    problems.append(
      YAMLProblem(
        isMissing ? key.mark : node.mark,
        "\(key.string): \(isMissing ? "the value is missing. A selector that begins with # must be in quotes" : "must be a text")"
      ))
    return nil
  }

  private mutating func time(_ node: YAMLNode, of key: YAMLKey) -> Int? {
    let text = node.text ?? ""
    if let time = Quantity.time(text), time <= .seconds(600) { return Int((time / .milliseconds(1)).rounded(.up)) }
    problems.append(
      YAMLProblem(
        node.mark,
        "\(key.string): “\(text.beginning(40))” must be a time of at most 10 minutes with a unit, such as 500ms or 2s"))
    return nil
  }
}
