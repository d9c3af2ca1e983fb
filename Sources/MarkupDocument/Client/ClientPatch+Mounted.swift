private import Foundation

/// `phx-mounted` with `JS.ignore_attributes` (LiveView ≥ 1.1): the one command that decides what later patches do.
extension ClientPatch {
  /// A join executes the commands of the whole view, later patches those of added elements.
  mutating func executeMounted() {
    if rules.isJoin {
      var node = tree.successor(of: root, within: root)
      while let step = node {
        executeMounted(step)
        node = tree.successor(of: step, within: root)
      }
    } else {
      for node in added { executeMounted(node) }
    }
  }

  private mutating func executeMounted(_ node: PatchTree.Index) {
    guard let script = tree.element(node)?["phx-mounted"], script.contains("ignore_attrs"),
      tree.isConnected(node, to: root)
    else { return }
    for command in IgnoreCommand.all(in: script) {
      for target in targets(of: command, from: node) { tree[target].state.ignored = command.names }
    }
  }

  private func targets(of command: IgnoreCommand, from node: PatchTree.Index) -> [PatchTree.Index] {
    switch command.target {
    case .itself: return [node]
    case .closest(let selector):
      guard let selector = Selector(selector) else { return [] }
      let above = sequence(first: node) { tree.parent($0) }
      return above.first { $0 != root && selector.matches($0, in: tree, below: root) }.map { [$0] } ?? []
    case .inner(let selector): return all(selector, below: node)
    case .anywhere(let selector): return all(selector, below: root)
    }
  }

  private func all(_ selector: String, below top: PatchTree.Index) -> [PatchTree.Index] {
    guard let selector = Selector(selector) else { return [] }
    var found: [PatchTree.Index] = []
    var node = tree.successor(of: top, within: top)
    while let step = node {
      if selector.matches(step, in: tree, below: root) { found.append(step) }
      node = tree.successor(of: step, within: top)
    }
    return found
  }
}

/// One `ignore_attrs` among the commands of a binding: `[["ignore_attrs",{"attrs":["open"],"to":"#a"}]]`.
struct IgnoreCommand {
  enum Target {
    case itself
    case anywhere(String)
    case inner(String)
    case closest(String)
  }

  var names: [String]
  var target: Target

  static func all(in script: String) -> [IgnoreCommand] {
    guard let commands = try? JSONSerialization.jsonObject(with: Data(script.utf8)) as? [[Any]] else { return [] }
    return commands.compactMap { command in
      guard command.first as? String == "ignore_attrs", command.count > 1, let options = command[1] as? [String: Any],
        let names = options["attrs"] as? [String]
      else { return nil }
      return IgnoreCommand(names: names, target: target(options["to"]))
    }
  }

  private static func target(_ to: Any?) -> Target {
    switch to {
    case let selector as String: .anywhere(selector)
    case let scope as [String: String]:
      if let selector = scope["inner"] { .inner(selector) } else { .closest(scope["closest"] ?? "") }
    default: .itself
    }
  }
}

/// The names of `JS.ignore_attributes`: each is itself, `*` for all, or with a `*` somewhere an unanchored regular expression
/// (LiveView's client hands it to `String.match` as it is: `data-*` is "data" and any number of hyphens).
struct IgnoredNames {
  private var names: Set<String>
  private var expressions: [NSRegularExpression]

  /// With more expressions than this, those behind are taken for plain names: each is tried on each attribute.
  private static let maximumExpressions = 32

  init(_ names: [String]) {
    self.names = Set(names)
    let patterns = self.names.contains("*") ? [] : names.filter { $0.contains("*") }.prefix(Self.maximumExpressions)
    expressions = patterns.compactMap { try? NSRegularExpression(pattern: $0) }
  }

  func matches(_ attribute: String) -> Bool {
    if names.contains(attribute) || names.contains("*") { return true }
    if expressions.isEmpty { return false }
    let range = NSRange(location: 0, length: attribute.utf16.count)
    return expressions.contains { $0.firstMatch(in: attribute, range: range) != nil }
  }
}
