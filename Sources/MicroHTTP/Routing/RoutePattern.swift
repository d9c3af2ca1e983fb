/// The pattern of a route, such as `/views/{view}/nodes/{node}` or `/assets/{file...}`. ``Router``
/// makes one for each route, and ``RouteTree`` matches it.
struct RoutePattern: Sendable {
  enum Part: Sendable, Equatable {
    case literal(String)
    case parameter(String)
    /// One or more segments, up to the end of the path.
    case rest(String)
  }

  let text: String
  let parts: [Part]

  /// - Precondition: the pattern is valid. Patterns are literals of the program, so a malformed one
  ///   is a programming error.
  init(_ text: String) {
    precondition(text.utf8.first == UInt8(ascii: "/"), "The pattern \(text) must begin with a slash")
    self.text = text
    let segments =
      text.dropFirst().isEmpty ? [] : text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    parts = segments.map { segment in
      guard segment.first == "{", segment.last == "}" else {
        precondition(!segment.contains("{") && !segment.contains("}"), "A parameter of \(text) must be a whole segment")
        return .literal(String(segment))
      }
      let name = segment.dropFirst().dropLast()
      return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .parameter(String(name))
    }
    precondition(
      !parts.dropLast().contains { if case .rest = $0 { true } else { false } },
      "The rest parameter of \(text) must be the last segment")
    precondition(Set(names).count == names.count, "The parameter names of \(text) must be unique")
  }

  /// The names of the parameters, in order. Does not contain the name of a rest; see
  /// ``PathParameters/rest``.
  var names: [String] {
    parts.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }
}

/// The values that a route's pattern has matched in a path: parameters by name, and the segments of
/// `{name...}`.
public struct PathParameters: Sendable, Hashable {
  private let names: [String]
  /// The values of `names`, followed by the segments of the rest.
  private let values: [String]
  /// The segments that `{name...}` has matched. They are not joined: a decoded slash would look
  /// like a separator.
  public var rest: [String] { Array(values.dropFirst(names.count)) }

  /// - Parameter values: one for each name, followed by the segments of the rest.
  init(names: [String] = [], values: [String] = []) {
    self.names = names
    self.values = values
  }

  /// The value of a parameter; `nil` if the pattern has no parameter of this name.
  public subscript(name: String) -> String? {
    names.firstIndex(of: name).map { values[$0] }
  }
}
