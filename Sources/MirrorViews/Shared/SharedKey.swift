/// Identifies a value in a store, and provides its default. A ``Shared`` property is created with a
/// key.
///
/// ```swift
/// extension SharedKey where Value == String {
///   static var filter: Self { SharedKey("filter", default: "") }
/// }
/// ```
///
/// Keys with the same name in the same store identify the same value, so they must have the same
/// type of value. Otherwise the store reports an error, and each type has its own value in memory.
public struct SharedKey<Value: Sendable>: Sendable {
  let location: SharedLocation<Value>
  let initial: @Sendable () -> Value

  /// The name of the value in the store.
  public var name: String { location.name }
  /// The store that keeps the value.
  public var store: any SharedStore { location.store }
  var filing: SharedLocation<Value>.Filing? { location.filing }

  init(_ location: SharedLocation<Value>, default initial: @escaping @Sendable () -> Value) {
    (self.location, self.initial) = (location, initial)
  }

  /// Creates a key for a location.
  public init(_ location: SharedLocation<Value>, default initial: @autoclosure @escaping @Sendable () -> Value) {
    self.init(location, default: initial)
  }

  /// Creates a key for a value of any type, which is kept in memory.
  public init(
    _ name: String, default initial: @autoclosure @escaping @Sendable () -> Value,
    in store: InMemoryStore = .shared
  ) {
    self.init(SharedLocation(name, in: store), default: initial)
  }

  /// Creates a key for a value that the store loads and saves.
  public init(
    _ name: String, default initial: @autoclosure @escaping @Sendable () -> Value, in store: any SharedStore
  ) where Value: Codable {
    self.init(SharedLocation(name, in: store), default: initial)
  }

  /// The cell of the value, shared by all keys with this name, store and type.
  var cell: SharedCell<Value> { store.values.cell(of: self) }
}

extension SharedKey: Equatable {
  /// Whether both keys have the same name and the same store. Exception: a property that was
  /// created by `Shared(value:)` has a new store each time. Two keys of such properties are equal
  /// if their names are equal. Otherwise a view would lose its value whenever the enclosing view
  /// creates the view again.
  public static func == (a: Self, b: Self) -> Bool {
    func isOwn(_ key: Self) -> Bool { (key.store as? InMemoryStore)?.isOfOneProperty == true }
    return a.name == b.name && (a.store === b.store || isOwn(a) && isOwn(b))
  }
}
