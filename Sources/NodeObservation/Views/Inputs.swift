/// What a view was made with: where it is the same again, so is what the view shows.
enum Inputs {
  /// Whether two values are surely the same: equal where their type knows equality, the same object, or a structure
  /// whose parts are. Functions are never known to be.
  ///
  /// - Complexity: O(*parts*), by reflection where the type knows no equality.
  static func areEqual(_ a: Any, _ b: Any) -> Bool {
    if let a = a as? any Equatable { return isEqual(a, b) }
    guard type(of: a) == type(of: b) else { return false }
    // What the tree keeps for a view is no input.
    if a is any KeptProperty { return true }
    let (left, right) = (Mirror(reflecting: a), Mirror(reflecting: b))
    switch left.displayStyle {
    case .class: return (a as AnyObject) === (b as AnyObject)
    case .struct, .tuple, .optional, .enum:
      // A case without a value cannot be told from another one.
      if left.displayStyle == .enum, left.children.isEmpty { return false }
      return left.children.count == right.children.count
        && zip(left.children, right.children).allSatisfy { $0.label == $1.label && areEqual($0.value, $1.value) }
    default: return false
    }
  }

  private static func isEqual<Value: Equatable>(_ a: Value, _ b: Any) -> Bool { (b as? Value).map { $0 == a } ?? false }
}
