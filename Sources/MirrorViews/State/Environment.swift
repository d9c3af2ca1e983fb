public import Observation

/// A value of the environment: see ``EnvironmentValues``. With a type instead of a path, the
/// property is an `@Observable` object that an enclosing view has provided by
/// ``View/environment(_:)``. If a value that a view reads changes, the view is evaluated again.
///
/// ```swift
/// @Environment(\.level) var level
/// @Environment(Library.self) var library
/// ```
@propertyWrapper public struct Environment<Value>: DynamicProperty {
  /// A path of ``EnvironmentValues``, or the type of an object.
  private let source: AnyHashable
  /// `nil` if no enclosing view has provided the object.
  private let read: (EnvironmentValues) -> Value?
  private let link = PropertyLink<ViewNode>()

  /// Creates the property for a path of ``EnvironmentValues``.
  public init(_ path: KeyPath<EnvironmentValues, Value>) {
    source = path
    read = { $0[keyPath: path] }
  }

  /// Creates the property for an object of this type. If no enclosing view has provided one, the
  /// body is not evaluated, the view is empty, and ``ViewTree/problems`` says what is missing.
  public init(_ type: Value.Type) where Value: AnyObject & Observable {
    source = ObjectIdentifier(type)
    read = { $0.object(of: type) }
  }

  /// Creates the property for an object of this type; `nil` if no enclosing view has provided one.
  public init<Object: AnyObject & Observable>(_ type: Object.Type) where Value == Object? {
    source = ObjectIdentifier(type)
    read = { .some($0.object(of: type)) }
  }

  /// The value that the nearest enclosing view has set, or the default. Before the view is in a
  /// tree, a property with a path has the default value, a property with an optional object is
  /// `nil`, and reading any other object traps.
  ///
  /// - Complexity: O(*values that are set*).
  public var wrappedValue: Value {
    guard let value = read(link.target?.environment ?? EnvironmentValues()) else {
      preconditionFailure(
        "no view provides a \(Value.self): this view is not in a tree, or has no `environment(_:)` around it")
    }
    return value
  }

  /// Connects the property to the environment of the view.
  public func bind(to context: PropertyContext) {
    link.target = context.view
    context.view.environmentReads.append { [read] in Inputs.areEqual(read($0) as Any, read($1) as Any) }
    if read(context.view.environment) == nil { context.noteMissing(Value.self, providedBy: "environment(_:)") }
  }
}

extension Environment: Equatable {
  /// Whether both properties have the same path, or the same object type.
  public static func == (a: Self, b: Self) -> Bool { a.source == b.source }
}
