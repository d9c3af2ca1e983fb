/// The routes of a router, as a tree of segments. ``Router`` has one.
///
/// At every level, matching tries the literal first, then the parameter, then the rest, and
/// backtracks if a branch has no match. So `/views/new` and `/views/{view}/log` can coexist.
struct RouteTree: Sendable {
  final class Endpoint: Sendable {
    let method: HTTPMethod
    let pattern: String
    let names: [String]
    let handler: any HTTPHandler

    init(_ pattern: RoutePattern, _ method: HTTPMethod, _ handler: any HTTPHandler) {
      self.method = method
      self.pattern = pattern.text
      self.names = pattern.names
      self.handler = handler
    }
  }

  struct Match {
    let endpoint: Endpoint
    /// The values of the pattern's parameters, followed by the segments of its rest.
    let values: [String]
  }

  private struct Branch: Sendable {
    /// An array instead of a dictionary: a branch has few literals, and most already differ in
    /// their length.
    var literals: [(text: [UInt8], place: Int)] = []
    var parameter: Int?
    var endpoints: [Endpoint] = []
    /// The endpoints of patterns with a `{name...}` at this place.
    var restEndpoints: [Endpoint] = []

    func literal(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
      let index = literals.firstIndex { $0.text.count == text.count && text.elementsEqual($0.text) }
      return index.map { literals[$0].place }
    }
  }

  /// Branches refer to each other by index. The root is the first. Branches are never removed, so
  /// an index stays valid.
  private var branches = [Branch()]

  mutating func insert(_ pattern: RoutePattern, _ method: HTTPMethod, _ handler: any HTTPHandler) {
    var place = 0
    var takesRest = false
    for part in pattern.parts {
      switch part {
      case .literal(let text): place = literal(text, of: place)
      case .parameter: place = parameter(of: place)
      case .rest: takesRest = true
      }
    }
    let list: WritableKeyPath<Branch, [Endpoint]> = takesRest ? \.restEndpoints : \.endpoints
    precondition(
      !branches[place][keyPath: list].contains { $0.method == method },
      "More than one route for \(method) \(pattern.text)")
    branches[place][keyPath: list].append(Endpoint(pattern, method, handler))
  }

  private mutating func literal(_ text: String, of place: Int) -> Int {
    let text = Array(text.utf8)
    if let known = text.withUnsafeBufferPointer({ branches[place].literal($0[...]) }) { return known }
    branches.append(Branch())
    branches[place].literals.append((text, branches.endIndex - 1))
    return branches.endIndex - 1
  }

  private mutating func parameter(of place: Int) -> Int {
    if let known = branches[place].parameter { return known }
    branches.append(Branch())
    branches[place].parameter = branches.endIndex - 1
    return branches.endIndex - 1
  }

  /// The best endpoint of a method whose pattern matches the path.
  ///
  /// - Complexity: O(*path*) if patterns do not overlap. Each level at which both a literal and a
  ///   parameter match may double the time.
  func match(of method: HTTPMethod, _ path: RequestPath) -> Match? {
    path.withSegments { segments in
      var values: [String] = []
      return search(segments, at: 0, &values) { endpoints, values, rest in
        guard let place = endpoints.firstIndex(where: { $0.method == method }) else { return nil }
        return Match(endpoint: endpoints[place], values: rest.isEmpty ? values : values + rest.texts)
      }
    }
  }

  /// The methods of all endpoints whose pattern matches the path, best match first.
  func methods(at path: RequestPath) -> [HTTPMethod] {
    path.withSegments { segments in
      var methods: [HTTPMethod] = []
      var values: [String] = []
      let _: Never? = search(segments, at: 0, &values) { endpoints, _, _ in
        methods += endpoints.map(\.method)
        return nil
      }
      return methods
    }
  }

  /// Calls `find` for each match of the path, best match first, until `find` returns a value.
  private func search<Found>(
    _ segments: RequestPath.Segments, at place: Int, _ values: inout [String],
    in find: (_ endpoints: [Endpoint], _ values: [String], _ rest: RequestPath.Segments) -> Found?
  ) -> Found? {
    var rest = segments
    guard let segment = rest.popFirst() else { return find(branches[place].endpoints, values, rest) }
    if let literal = branches[place].literal(segment), let found = search(rest, at: literal, &values, in: find) {
      return found
    }
    if let parameter = branches[place].parameter, !segment.isEmpty {
      values.append(String(decoding: segment, as: UTF8.self))
      if let found = search(rest, at: parameter, &values, in: find) { return found }
      values.removeLast()
    }
    return branches[place].restEndpoints.isEmpty ? nil : find(branches[place].restEndpoints, values, segments)
  }
}
