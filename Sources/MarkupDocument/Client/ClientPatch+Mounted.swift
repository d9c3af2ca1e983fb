#if canImport(FoundationEssentials)
  // `Foundation` would add its Unicode tables and treble the size of the program.
  private import FoundationEssentials
#else
  private import Foundation
#endif

/// `phx-mounted` with `JS.ignore_attributes` (LiveView ≥ 1.1), the only command that affects later patches.
extension ClientPatch {
  /// A join executes the commands of the whole view; later patches execute those of added elements.
  mutating func executeMounted() throws(ClientFailure) {
    for node in rules.isJoin ? nodes() : added { try executeMounted(node) }
  }

  /// Executes the commands of a view that the client has joined earlier.
  mutating func protectIgnoredAttributes() {
    for node in nodes() { try? executeMounted(node) }
  }

  private mutating func executeMounted(_ node: PatchTree.Index) throws(ClientFailure) {
    guard let script = tree.element(node)?["phx-mounted"], script.contains("ignore_attrs"), isPresent(node) else {
      return
    }
    for command in IgnoreCommand.all(in: script) {
      for target in targets(of: command, from: node) {
        if rules.version.follows(.refusesIgnoredAttributes) { throw .ignoredAttributes }
        tree[target].state.ignored = command.names
      }
    }
  }

  private func targets(of command: IgnoreCommand, from node: PatchTree.Index) -> [PatchTree.Index] {
    switch command.target {
    case .itself: return [node]
    case .closest(let selector):
      let elements = PatchedElements(tree: tree, top: tree.isConnected(node, to: root) ? root : outside)
      return Selector(selector).flatMap { elements.closest($0, from: node) }.map { [$0] } ?? []
    case .inner(let selector): return all(selector, below: node)
    case .anywhere(let selector): return all(selector)
    }
  }

  private func all(_ selector: String, below top: PatchTree.Index? = nil) -> [PatchTree.Index] {
    guard let selector = Selector(selector) else { return [] }
    return [root, outside].flatMap { PatchedElements(tree: tree, top: $0).nodes(matching: selector, inside: top ?? $0) }
  }
}

/// One `ignore_attrs` command of a binding: `[["ignore_attrs",{"attrs":["open"],"to":"#a"}]]`.
struct IgnoreCommand {
  enum Target {
    case itself
    case anywhere(String)
    case inner(String)
    case closest(String)
  }

  var names: [String]
  var target: Target

  /// The `ignore_attrs` commands of a binding; empty if it is not valid JSON.
  static func all(in script: String) -> [IgnoreCommand] {
    let commands = (try? JSONDecoder().decode([Command].self, from: Data(script.utf8))) ?? []
    return commands.compactMap { command in
      guard command.name == "ignore_attrs", let options = command.options, let names = options.names else { return nil }
      return IgnoreCommand(names: names, target: options.target)
    }
  }

  /// Any command: `[name, options]`. Options are decoded for `ignore_attrs` only.
  private struct Command: Decodable {
    var name: String?
    var options: Options?

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      name = try? list.decode(String.self)
      if name == "ignore_attrs" { options = try? list.decode(Options.self) }
    }
  }

  private struct Options: Decodable {
    var names: [String]?
    var target: Target

    enum Key: String, CodingKey { case attrs, to }

    init(from decoder: any Decoder) throws {
      let options = try decoder.container(keyedBy: Key.self)
      names = try? options.decode([String].self, forKey: .attrs)
      if let selector = try? options.decode(String.self, forKey: .to) {
        target = .anywhere(selector)
      } else if let scope = try? options.decode([String: String].self, forKey: .to) {
        target = scope["inner"].map { .inner($0) } ?? .closest(scope["closest"] ?? "")
      } else {
        target = .itself
      }
    }
  }
}

extension [String] {
  /// Whether a client that follows ``ClientRule/refusesIgnoredStar`` stops at an element that ignores these names: a name that begins with
  /// a star is no regular expression.
  package var stopsPatches: Bool { contains { $0.hasPrefix("*") } }
}

/// The names that `JS.ignore_attributes` protects. Each is an exact name, `*` for all names, or contains a `*` and is an
/// unanchored regular expression: LiveView's client passes it to `String.match` unchanged, so `data-*` matches "data" followed
/// by any number of hyphens.
struct IgnoredNames {
  private var names: Set<String>
  private var patterns: [NamePattern]

  /// Further patterns are treated as exact names, since every pattern is matched against every attribute.
  private static let maximumPatterns = 32

  init(_ names: [String]) {
    self.names = Set(names)
    let patterns = self.names.contains("*") ? [] : names.filter { $0.contains("*") }.prefix(Self.maximumPatterns)
    self.patterns = patterns.compactMap { NamePattern($0) }
  }

  func matches(_ attribute: String) -> Bool {
    names.contains(attribute) || names.contains("*") || patterns.contains { $0.isFound(in: attribute) }
  }
}
