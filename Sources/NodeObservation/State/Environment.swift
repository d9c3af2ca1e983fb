/// A value of the environment, see ``EnvironmentValues``.
@propertyWrapper public struct Environment<Value>: DynamicProperty {
  private let path: KeyPath<EnvironmentValues, Value>
  private let link = PropertyLink<ViewNode>()

  /// The value at a path of ``EnvironmentValues``.
  public init(_ path: KeyPath<EnvironmentValues, Value>) { self.path = path }

  /// What was set nearest above the view; before the view stands in a tree, what holds where nobody set it.
  ///
  /// - Complexity: O(*values that are set*).
  public var wrappedValue: Value { (link.target?.environment ?? EnvironmentValues())[keyPath: path] }

  /// The view reads its own environment from here on.
  public func bind(to context: PropertyContext) { link.target = context.view }
}

extension Environment: Equatable {
  /// Whether they read one value.
  public static func == (a: Self, b: Self) -> Bool { a.path == b.path }
}
