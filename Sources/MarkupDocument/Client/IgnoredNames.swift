/// The names that `JS.ignore_attributes` protects. Each is an exact name, `*` for all names, or
/// contains a `*` and is an unanchored regular expression. LiveView's client passes the name to
/// `String.match` unchanged, so `data-*` matches "data" followed by any number of hyphens.
/// ``ClientPatch`` makes one when it patches an element with protected attributes.
///
/// - Client: `ignoreAttrs` in `js.js`, 1.1+. Origin: phoenix_live_view#3765.
struct IgnoredNames {
  private var names: Set<String>
  private var patterns: [NamePattern]

  /// How many names are matched as patterns. The bound is needed because each pattern is matched
  /// against every attribute. Names with a `*` beyond it are treated as exact names.
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

extension [String] {
  /// Whether a client that follows ``ClientRule/refusesIgnoredStar`` stops at an element that
  /// ignores these names, because a name that begins with a star is not a regular expression.
  package var stopsPatches: Bool { contains { $0.hasPrefix("*") } }
}
