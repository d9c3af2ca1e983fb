/// The values that a route's pattern has matched in a path: parameters by name, and the segments of `{name...}`.
public struct PathParameters: Sendable, Hashable {
  private let names: [String]
  /// The values of `names`, followed by the segments of the rest.
  private let values: [String]
  /// The segments that `{name...}` has matched. They are not joined: a decoded slash would look like a separator.
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
