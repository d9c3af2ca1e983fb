/// Names a value that is kept in a store, and says what it is before anybody sets it.
///
/// ```swift
/// extension SharedKey where Value == String {
///   static var filter: Self { SharedKey("filter", default: "") }
/// }
/// ```
///
/// Two keys with one name in one store are one value; they have to have one type.
public struct SharedKey<Value: Equatable & Sendable>: Sendable {
  /// What it is called, and how the store knows it.
  public let name: String
  /// Where the value is kept.
  public let store: any SharedStore
  let initial: @Sendable () -> Value
  /// How the store keeps it; `nil` for what lives in memory alone.
  let filing: Filing?

  struct Filing: Sendable {
    let load: @Sendable () throws(SharedError) -> Value?
    let save: @Sendable (Value) throws(SharedError) -> Void
  }

  /// A value of any type, in memory.
  public init(
    _ name: String, default initial: @autoclosure @escaping @Sendable () -> Value,
    in store: InMemoryStore = .shared
  ) {
    (self.name, self.store, self.initial) = (name, store, initial)
    filing = nil
  }

  /// A value that the store can write down.
  public init(
    _ name: String, default initial: @autoclosure @escaping @Sendable () -> Value, in store: any SharedStore
  ) where Value: Codable {
    (self.name, self.store, self.initial) = (name, store, initial)
    filing = Filing(
      load: { () throws(SharedError) in try store.load(Value.self, of: name) },
      save: { value throws(SharedError) in try store.save(value, of: name) })
  }

  /// The value itself, the same for everybody who asks.
  var cell: SharedCell<Value> { store.values.cell(of: self) }
}

extension SharedKey: Equatable {
  /// Whether they have one name in one store.
  public static func == (a: Self, b: Self) -> Bool { a.name == b.name && a.store === b.store }
}
