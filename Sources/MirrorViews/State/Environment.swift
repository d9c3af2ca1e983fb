/// A value of the environment: see ``EnvironmentValues``.
@propertyWrapper public struct Environment<Value>: DynamicProperty {
  private let path: KeyPath<EnvironmentValues, Value>
  private let link = PropertyLink<ViewNode>()

  /// Creates the property for a path of ``EnvironmentValues``.
  public init(_ path: KeyPath<EnvironmentValues, Value>) { self.path = path }

  /// The value that the nearest enclosing view has set, or the default. Before the view is in a tree, the default.
  ///
  /// - Complexity: O(*values that are set*).
  public var wrappedValue: Value { (link.target?.environment ?? EnvironmentValues())[keyPath: path] }

  /// Connects the property to the environment of the view.
  public func bind(to context: PropertyContext) {
    link.target = context.view
    context.view.environmentReads.append { [path] in Inputs.areEqual($0[keyPath: path], $1[keyPath: path]) }
  }
}

extension Environment: Equatable {
  /// Whether both have the same path.
  public static func == (a: Self, b: Self) -> Bool { a.path == b.path }
}
