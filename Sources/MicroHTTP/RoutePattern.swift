/// The pattern of a route: `/views/{view}/nodes/{node}`, `/assets/{file...}`.
struct RoutePattern: Sendable {
  enum Part: Sendable, Equatable {
    case literal(String)
    case parameter(String)
    /// One segment or more, up to the end.
    case rest(String)
  }

  let text: String
  let parts: [Part]

  /// A pattern is written in the program, so a malformed one is a mistake of the programmer.
  init(_ text: String) {
    precondition(text.utf8.first == UInt8(ascii: "/"), "The pattern \(text) does not begin with a slash")
    self.text = text
    let segments =
      text.dropFirst().isEmpty ? [] : text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    parts = segments.map { segment in
      guard segment.first == "{", segment.last == "}" else {
        precondition(!segment.contains("{") && !segment.contains("}"), "In \(text) a parameter is not a whole segment")
        return .literal(String(segment))
      }
      let name = segment.dropFirst().dropLast()
      return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .parameter(String(name))
    }
    precondition(
      !parts.dropLast().contains { if case .rest = $0 { true } else { false } },
      "In \(text) something follows the rest")
    precondition(Set(names).count == names.count, "In \(text) a name occurs twice")
  }

  /// The names of the parameters, in order; the rest has its values elsewhere.
  var names: [String] {
    parts.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }
}
