/// What a route's pattern found in a path: values by name, and the rest for a pattern that ends in `{name...}`.
public struct PathParameters: Sendable, Hashable {
  private let names: [String]
  /// Those of the names, and behind them the rest.
  private let values: [String]
  /// The segments that `{name...}` stands for, still apart: joined, a decoded slash could not be told from a real one.
  public var rest: [String] { Array(values.dropFirst(names.count)) }

  /// - Parameter values: as many as there are names, or more.
  init(names: [String] = [], values: [String] = []) {
    self.names = names
    self.values = values
  }

  public subscript(name: String) -> String? {
    names.firstIndex(of: name).map { values[$0] }
  }
}
