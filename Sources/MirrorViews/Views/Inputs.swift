/// Compares the inputs of views. If the enclosing view creates a view with the same inputs as
/// before, the view is not evaluated. ``ViewNode`` uses this type to compare the old and the new
/// view value of a position. States, shared values and environments use it to compare their values.
enum Inputs {
  /// Whether two values are known to be the same.
  ///
  /// Values of an `Equatable` type are compared by `==`, objects by identity, and structures,
  /// tuples and enumerations by their members. All other values count as different: functions, and
  /// collections that are not `Equatable`.
  ///
  /// - Complexity: O(*members*), by reflection, if the type is not `Equatable`.
  static func areEqual(_ a: Any, _ b: Any) -> Bool {
    if let a = a as? any Equatable { return isEqual(a, b) }
    guard type(of: a) == type(of: b) else { return false }
    // The tree stores the value of a ``KeptProperty``, so the property itself is not an input.
    if a is any KeptProperty { return true }
    let (left, right) = (Mirror(reflecting: a), Mirror(reflecting: b))
    switch left.displayStyle {
    case .class: return (a as AnyObject) === (b as AnyObject)
    case .struct, .tuple, .optional, .enum:
      // Reflection does not reveal the case of an enumeration value without associated values, so
      // such values count as different.
      if left.displayStyle == .enum, left.children.isEmpty { return false }
      return left.children.count == right.children.count
        && zip(left.children, right.children).allSatisfy { $0.label == $1.label && areEqual($0.value, $1.value) }
    default: return false
    }
  }

  private static func isEqual<Value: Equatable>(_ a: Value, _ b: Any) -> Bool { (b as? Value).map { $0 == a } ?? false }
}
