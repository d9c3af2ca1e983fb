/// A value of the environment, see ``EnvironmentValues``.
@propertyWrapper public struct Environment<Value>: DynamicProperty {
  private let path: KeyPath<EnvironmentValues, Value>
  private let link = PropertyLink<ViewNode>()

  public init(_ path: KeyPath<EnvironmentValues, Value>) { self.path = path }

  public var wrappedValue: Value { (link.target?.environment ?? EnvironmentValues())[keyPath: path] }

  public func bind(to context: PropertyContext) { link.target = context.view }
}
