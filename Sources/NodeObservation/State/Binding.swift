/// A value that is kept elsewhere: reading and setting go both ways.
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

  /// A value by the two ways to it. Each is called whenever somebody reads or sets it, and on their thread.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// The binding itself: how a view is given one by `$`.
  public init(projectedValue: Binding<Value>) { self = projectedValue }

  /// The value as it is now; setting it sets it where it is kept.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// The binding, to hand on.
  public var projectedValue: Binding<Value> { self }

  /// A value that setting does not change.
  public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

  /// A part of the value.
  public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> {
    Binding<Part>(get: { wrappedValue[keyPath: path] }, set: { wrappedValue[keyPath: path] = $0 })
  }
}
