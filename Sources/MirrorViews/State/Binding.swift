/// Read and write access to a value that is stored elsewhere. A ``State`` or ``Shared`` property
/// creates a binding to its value, and controls such as ``TextField`` read and set a value through
/// a binding.
///
/// ```swift
/// struct Field: View {
///   @Binding var text: String
/// }
/// Field(text: $name)               // `name` is a `@State`
/// Field(text: .constant("fixed"))
/// ```
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  /// Creates a binding from a getter and a setter. Each is called on the thread that reads or sets
  /// the value.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// Creates the property from a binding, such as `$name`.
  public init(projectedValue: Binding<Value>) { self = projectedValue }

  /// The current value.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// The binding itself, to pass on to another view.
  public var projectedValue: Binding<Value> { self }

  /// A binding with a fixed value. Setting it has no effect.
  public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

  /// A binding to a part of the value.
  public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> {
    Binding<Part>(get: { wrappedValue[keyPath: path] }, set: { wrappedValue[keyPath: path] = $0 })
  }
}
