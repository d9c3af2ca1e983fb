/// What a route's pattern found in a path: values by name, and the rest for a pattern that ends in `{name...}`.
public struct PathParameters: Sendable, Hashable {
  var names: [String] = []
  var values: [String] = []
  /// The segments that `{name...}` stands for, still apart: joined, a decoded slash could not be told from a real one.
  public internal(set) var rest: [String] = []

  var isEmpty: Bool { values.isEmpty && rest.isEmpty }

  public subscript(name: String) -> String? {
    names.firstIndex(of: name).map { values[$0] }
  }
}
