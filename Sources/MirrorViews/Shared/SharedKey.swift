/// Identifies a value in a store, and provides its default.
///
/// ```swift
/// extension SharedKey where Value == String {
///   static var filter: Self { SharedKey("filter", default: "") }
/// }
/// ```
///
/// Keys with the same name in the same store identify the same value. They must have the same type.
public struct SharedKey<Value: Equatable & Sendable>: Sendable {
  /// The name of the value in the store.
  public let name: String
  /// The store that keeps the value.
  public let store: any SharedStore
  let initial: @Sendable () -> Value
  /// Loads and saves the value; `nil` if the value is only in memory.
  let filing: Filing?

  struct Filing: Sendable {
    let load: @Sendable () throws(SharedError) -> Value?
    let save: @Sendable (Value) throws(SharedError) -> Void
  }

  /// Creates a key for a value of any type, which is kept in memory.
  public init(
    _ name: String, default initial: @autoclosure @escaping @Sendable () -> Value,
    in store: InMemoryStore = .shared
  ) {
    (self.name, self.store, self.initial) = (name, store, initial)
    filing = nil
  }

  /// Creates a key for a value that the store loads and saves.
  public init(
    _ name: String, default initial: @autoclosure @escaping @Sendable () -> Value, in store: any SharedStore
  ) where Value: Codable {
    (self.name, self.store, self.initial) = (name, store, initial)
    filing = Filing(
      load: { () throws(SharedError) in try store.load(Value.self, of: name) },
      save: { value throws(SharedError) in try store.save(value, of: name) })
  }

  /// The cell of the value, shared by all keys with this name, store and type.
  var cell: SharedCell<Value> { store.values.cell(of: self) }
}

extension SharedKey: Equatable {
  /// Whether both keys have the same name and the same store.
  public static func == (a: Self, b: Self) -> Bool { a.name == b.name && a.store === b.store }
}
