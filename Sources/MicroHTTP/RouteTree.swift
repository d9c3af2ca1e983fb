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
    branches[place][keyPath: list].append(
      Endpoint(method: method, pattern: pattern.text, names: pattern.names, handler: handler))
  }

  private mutating func child(of place: Int, at path: WritableKeyPath<Branch, Int?>) -> Int {
    if let known = branches[place][keyPath: path] { return known }
    branches.append(Branch())
    branches[place][keyPath: path] = branches.endIndex - 1
    return branches.endIndex - 1
  }

  /// Every endpoint whose pattern fits the path, best first, whatever its method.
  ///
  /// O(*s*) for a path of *s* segments without overlapping patterns; each level where a literal and a parameter both fit
  /// may double it.
  func matches(_ segments: [String]) -> [Match] {
    var found: [Match] = []
    var values: [String] = []
    collect(segments[...], at: 0, &values, into: &found)
    return found
  }

  private func collect(
    _ segments: ArraySlice<String>, at place: Int, _ values: inout [String], into found: inout [Match]
  ) {
    let branch = branches[place]
    guard let segment = segments.first else {
      found += branch.endpoints.map { Match(endpoint: $0, values: values, rest: []) }
      return
    }
    if let literal = branch.literals[segment] {
      collect(segments.dropFirst(), at: literal, &values, into: &found)
    }
    if let parameter = branch.parameter, !segment.isEmpty {
      values.append(segment)
      collect(segments.dropFirst(), at: parameter, &values, into: &found)
      values.removeLast()
    }
    found += branch.restEndpoints.map { Match(endpoint: $0, values: values, rest: Array(segments)) }
  }
}
