internal import MirrorSupport

/// Reads a budget from YAML.
///
///     bytes: 4096            # the limits of all diffs
///     waste: 10%
///     latency_p95: 200ms
///     events:
///       inc: {bytes: 200, nodes: 5}
///     server_push: {bytes: 500}
package struct BudgetReader {
  private let name: String
  private var problems: [YAMLProblem] = []

  /// The keys at the top that are not rules.
  package enum Key {
    package static let events = "events"
    package static let serverPush = "server_push"
  }

  /// Reads a budget. Faults that the file does not mention have the limits of ``Budget/standard``.
  ///
  /// - Parameters:
  ///   - yaml: the content of the file.
  ///   - name: the name of the file, for messages.
  /// - Throws: ``YAMLProblems`` with everything that is wrong.
  package static func read(_ yaml: [UInt8], name: String) throws(YAMLProblems) -> Budget {
    var reader = BudgetReader(name: name)
    let root = try YAMLNode(of: yaml, name: name, expecting: "limits, such as “bytes: 4096”")
    let budget = reader.budget(root)
    if !reader.problems.isEmpty { throw YAMLProblems(name: name, problems: reader.problems) }
    return budget
  }

  private init(name: String) { self.name = name }

  private mutating func budget(_ root: YAMLNode) -> Budget {
    var budget = Budget.standard
    let names = Rule.allCases.map(\.rawValue) + [Key.events, Key.serverPush]
    for (key, value) in entries(of: root, expecting: "must be limits, such as “bytes: 4096”") {
      switch key.string {
      case Key.events:
        for (event, limits) in entries(
          of: value, expecting: "must be events with their limits, such as “inc: {bytes: 200}”")
        {
          budget.causes[.event(event.string)] = self.limits(limits, of: event.string)
        }
      case Key.serverPush: budget.causes[.serverPush] = limits(value, of: Key.serverPush)
      default:
        guard let rule = Rule(rawValue: key.string) else {
          note(unknown: key, among: names)
          continue
        }
        if let limit = limit(value, of: rule, key) { budget.all[rule] = limit }
      }
    }
    return budget
  }

  private mutating func limits(_ node: YAMLNode, of cause: String) -> [Rule: Budget.Limit] {
    var limits: [Rule: Budget.Limit] = [:]
    let names = Rule.allCases.filter(\.isPerCause).map(\.rawValue)
    for (key, value) in entries(of: node, expecting: "must be limits of “\(cause)”, such as {bytes: 200, nodes: 5}") {
      guard let rule = Rule(rawValue: key.string) else {
        note(unknown: key, among: names)
        continue
      }
      guard rule.isPerCause else {
        problems.append(
          YAMLProblem(key.mark, "“\(key.string)” is a limit of the whole recording: move it to the top of the file"))
        continue
      }
      if let limit = limit(value, of: rule, key) { limits[rule] = limit }
    }
    return limits
  }

  private mutating func limit(_ node: YAMLNode, of rule: Rule, _ key: YAMLKey) -> Budget.Limit? {
    let origin = Budget.Origin.file(name, line: key.mark.line)
    guard let text = node.text else {
      problems.append(YAMLProblem(node.mark, "\(key.string): \(rule.expectation)"))
      return nil
    }
    if text == LimitText.any { return Budget.Limit(nil, from: origin) }
    guard let value = LimitText.value(text, of: rule) else {
      let shown = text.isEmpty ? "the value is missing; it" : "“\(text.beginning(40))”"
      problems.append(YAMLProblem(node.mark, "\(key.string): \(shown) \(rule.expectation)"))
      return nil
    }
    return Budget.Limit(value, from: origin)
  }

  // MARK: - Mappings

  private mutating func entries(of node: YAMLNode, expecting expectation: String) -> [(key: YAMLKey, value: YAMLNode)] {
    guard let mapping = node.mapping else {
      problems.append(YAMLProblem(node.mark, expectation))
      return []
    }
    return mapping.compactMap { key, value in
      guard let name = key.text else {
        problems.append(YAMLProblem(key.mark, "a key must be a name"))
        return nil
      }
      return (YAMLKey(string: name, mark: key.mark), value)
    }
  }

  private mutating func note(unknown key: YAMLKey, among names: [String]) {
    problems.append(YAMLProblem(unknown: key, among: names))
  }
}
