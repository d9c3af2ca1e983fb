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

/// A name of `JS.ignore_attributes`: itself, `*` for all, or with a `*` somewhere an unanchored regular expression
/// (LiveView's client hands it to `String.match` as it is: `data-*` is "data" and any number of hyphens).
struct IgnoredName {
  let name: String

  init(_ name: String) { self.name = name }

  func matches(_ attribute: String) -> Bool {
    if attribute == name || name == "*" { return true }
    guard name.contains("*"), let expression = try? NSRegularExpression(pattern: name) else { return false }
    return expression.firstMatch(in: attribute, range: NSRange(location: 0, length: attribute.utf16.count)) != nil
  }
}
