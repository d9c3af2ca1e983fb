/// The routes of a router as a tree of segments.
///
/// A match tries the literal before the parameter before the rest at every level, and goes back when a branch ends
/// nowhere, so `/views/new` and `/views/{view}/log` do not hide each other.
struct RouteTree: Sendable {
  struct Endpoint: Sendable {
    let method: HTTPMethod
    let pattern: String
    let names: [String]
    let handler: any HTTPHandler
  }

  struct Match {
    let endpoint: Endpoint
    let values: [String]
    let rest: [String]
  }

  private struct Branch: Sendable {
    var literals: [String: Int] = [:]
    var parameter: Int?
    var endpoints: [Endpoint] = []
    /// What a `{name...}` at this place leads to.
    var restEndpoints: [Endpoint] = []
  }

  /// Branches name each other by place; the root is the first.
  private var branches = [Branch()]
  /// What stands at the paths of patterns without parameters: they win, and are found at once.
  private var plain: [String: [Endpoint]] = [:]

  mutating func insert(_ pattern: RoutePattern, _ method: HTTPMethod, _ handler: any HTTPHandler) {
    var place = 0
    var takesRest = false
    for part in pattern.parts {
      switch part {
      case .literal(let text): place = child(of: place, at: \.literals[text])
      case .parameter: place = child(of: place, at: \.parameter)
      case .rest: takesRest = true
      }
    }
    let list: WritableKeyPath<Branch, [Endpoint]> = takesRest ? \.restEndpoints : \.endpoints
    precondition(
      !branches[place][keyPath: list].contains { $0.method == method }, "Two routes for \(method) \(pattern.text)")
    let endpoint = Endpoint(method: method, pattern: pattern.text, names: pattern.names, handler: handler)
    branches[place][keyPath: list].append(endpoint)
    if pattern.isPlain { plain[pattern.text, default: []].append(endpoint) }
  }

  private mutating func child(of place: Int, at path: WritableKeyPath<Branch, Int?>) -> Int {
    if let known = branches[place][keyPath: path] { return known }
    branches.append(Branch())
    branches[place][keyPath: path] = branches.endIndex - 1
    return branches.endIndex - 1
  }

  /// The endpoint whose pattern is the path itself, letter by letter.
  func endpoint(of method: HTTPMethod, at path: String) -> Endpoint? {
    plain[path]?.first { $0.method == method }
  }

  /// The best endpoint of a method whose pattern fits the path.
  ///
  /// - Complexity: O(*s*) for a path of *s* segments without overlapping patterns; each level where a literal and a
  ///   parameter both fit may double it.
  func match(of method: HTTPMethod, _ segments: [String]) -> Match? {
    var values: [String] = []
    var match: Match?
    search(segments[...], at: 0, &values) { endpoints, values, rest in
      match = endpoints.first { $0.method == method }.map { Match(endpoint: $0, values: values, rest: Array(rest)) }
      return match != nil
    }
    return match
  }

  /// The methods of all endpoints whose pattern fits the path, best first.
  func methods(at segments: [String]) -> [HTTPMethod] {
    var methods: [HTTPMethod] = []
    var values: [String] = []
    search(segments[...], at: 0, &values) { endpoints, _, _ in
      methods += endpoints.map(\.method)
      return false
    }
    return methods
  }

  /// Shows all that fits, best first, until `isFound` says that it is enough.
  @discardableResult
  private func search(
    _ segments: ArraySlice<String>, at place: Int, _ values: inout [String],
    isFound: (_ endpoints: [Endpoint], _ values: [String], _ rest: ArraySlice<String>) -> Bool
  ) -> Bool {
    guard let segment = segments.first else { return isFound(branches[place].endpoints, values, []) }
    let rest = segments.dropFirst()
    if let literal = branches[place].literals[segment], search(rest, at: literal, &values, isFound: isFound) {
      return true
    }
    if let parameter = branches[place].parameter, !segment.isEmpty {
      values.append(segment)
      if search(rest, at: parameter, &values, isFound: isFound) { return true }
      values.removeLast()
    }
    return isFound(branches[place].restEndpoints, values, segments)
  }
}
