internal import MirrorSupport

/// Reads a budget from YAML. `check` reads `mirror.yml` with it.
///
///     bytes: 4096            # the limits of all diffs
///     waste: 10%
///     latency_p95: 200ms
///     events:
///       inc: {bytes: 200, nodes: 5}
///     server_push: {bytes: 500}
///     views:                 # by module
///       ShopWeb.CartLive: {mount_bytes: 20KB}
///     pages:                 # by path
///       /products/*: {total_bytes: 40KB}
package struct BudgetReader {
  private let name: String
  private var problems: [YAMLProblem] = []

  /// The keys at the top that are not rules.
  package enum Key {
    package static let events = "events"
    package static let serverPush = "server_push"
    package static let views = "views"
    package static let pages = "pages"
  }

  /// Reads a budget. A fault (``BudgetRule/isFault``) that the file does not mention has the limit
  /// of ``Budget/standard``, 0.
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
    let names = BudgetRule.allCases.map(\.rawValue) + [Key.events, Key.serverPush, Key.views, Key.pages]
    for (key, value) in entries(of: root, expecting: "must be limits, such as “bytes: 4096”") {
      switch key.name {
      case Key.serverPush: read(value, of: .cause(.serverPush), into: &budget)
      case Key.events, Key.views, Key.pages:
        let example = Self.examples[key.name] ?? ""
        for (name, limits) in entries(
          of: value, expecting: "must be \(key.name) with their limits, such as “\(example)”")
        {
          if let subject = subject(name, of: key.name) { read(limits, of: subject, into: &budget) }
        }
      default:
        guard let rule = BudgetRule(rawValue: key.name) else {
          note(unknown: key, among: names)
          continue
        }
        if let limit = limit(value, of: rule, key) { budget.limits[.all, default: [:]][rule] = limit }
      }
    }
    return budget
  }

  private static let examples = [
    Key.events: "inc: {bytes: 200}", Key.views: "ShopWeb.CartLive: {mount_bytes: 20KB}",
    Key.pages: "/products/*: {total_bytes: 40KB}",
  ]

  private mutating func subject(_ key: YAMLNode, of group: String) -> Subject? {
    switch group {
    case Key.events: return .cause(.event(key.name))
    case Key.views: return .module(key.name)
    default:
      if key.name.hasPrefix("/") { return .page(key.name) }
      note(key.mark, "“\(key.name.beginning(60))” must be the path of a page, such as /products/*")
      return nil
    }
  }

  private mutating func read(_ node: YAMLNode, of subject: Subject, into budget: inout Budget) {
    var limits: [BudgetRule: Budget.Limit] = [:]
    let permitted = BudgetRule.allCases.filter(subject.permits)
    let name = subject.keys.last ?? ""
    let example = subject.isPartOfPages ? "{mount_bytes: 20KB}" : "{bytes: 200, nodes: 5}"
    for (key, value) in entries(of: node, expecting: "must be limits of “\(name)”, such as \(example)") {
      guard let rule = BudgetRule(rawValue: key.name) else {
        note(unknown: key, among: permitted.map(\.rawValue))
        continue
      }
      guard permitted.contains(rule) else {
        let place =
          rule.parts == .none
          ? "the whole recording: move it to the top of the file" : "views and pages, which have mounts"
        note(key.mark, "“\(key.name)” is a limit of \(place)")
        continue
      }
      if let limit = limit(value, of: rule, key) { limits[rule] = limit }
    }
    budget.limits[subject] = limits
  }

  private mutating func limit(_ node: YAMLNode, of rule: BudgetRule, _ key: YAMLNode) -> Budget.Limit? {
    let origin = Budget.Origin.file(name, line: key.mark.line)
    guard let text = node.text else {
      note(node.mark, "\(key.name): \(rule.expectation)")
      return nil
    }
    if text == LimitText.any { return Budget.Limit(nil, from: origin) }
    guard let value = LimitText.value(text, of: rule) else {
      let shown = text.isEmpty ? "the value is missing; it" : "“\(text.beginning(40))”"
      note(node.mark, "\(key.name): \(shown) \(rule.expectation)")
      return nil
    }
    return Budget.Limit(value, from: origin)
  }

  // MARK: - Mappings

  private mutating func entries(of node: YAMLNode, expecting expectation: String) -> [YAMLNode.Member] {
    guard let mapping = node.mapping else {
      note(node.mark, expectation)
      return []
    }
    for (key, _) in mapping where key.text == nil { note(key.mark, "a key must be a name") }
    return mapping.filter { $0.key.text != nil }
  }

  private mutating func note(_ mark: YAMLMark, _ text: String) { problems.append(YAMLProblem(mark, text)) }

  private mutating func note(unknown key: YAMLNode, among names: [String]) {
    problems.append(YAMLProblem(unknown: key, among: names))
  }
}
