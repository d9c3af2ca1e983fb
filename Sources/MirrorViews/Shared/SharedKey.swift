#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Where a shared value is kept: a name in a store.
///
/// ```swift
/// @Shared(.appStorage("turns")) var turns = 0
/// ```
public struct SharedLocation<Value: Sendable>: Sendable {
  let name: String
  let store: any SharedStore
  /// Loads and saves the value; `nil` if the value is only in memory.
  let filing: Filing?

  struct Filing: Sendable {
    let load: @Sendable () throws(SharedError) -> Value?
    let save: @Sendable (Value) throws(SharedError) -> Void
    let refresh: @Sendable () -> Void
  }

  /// A value in memory, until the program ends.
  public static func inMemory(_ name: String) -> Self { Self(name, in: InMemoryStore.shared) }

  /// A value in ``FileStore/appStorage``, a file of the program.
  public static func appStorage(_ name: String) -> Self where Value: Codable { Self(name, in: FileStore.appStorage) }

  /// A value in ``FileStore/appStorage``, stored as its raw value.
  @_disfavoredOverload public static func appStorage<Raw: Codable & Sendable>(_ name: String) -> Self
  where Value: RawRepresentable<Raw> {
    let store = FileStore.appStorage
    return Self(
      name, in: store, load: { () throws(SharedError) in try store.load(Raw.self, of: name).flatMap(Value.init) },
      save: { value throws(SharedError) in try store.save(value.rawValue, of: name) })
  }

  /// A value in a file of its own, which holds its JSON.
  public static func fileStorage(_ url: URL) -> Self where Value: Codable {
    Self(url.path, in: FileStore.ofOneValue(path: url.path))
  }

  init(_ name: String, in store: InMemoryStore) { (self.name, self.store, filing) = (name, store, nil) }

  init(_ name: String, in store: any SharedStore) where Value: Codable {
    self.init(
      name, in: store, load: { () throws(SharedError) in try store.load(Value.self, of: name) },
      save: { value throws(SharedError) in try store.save(value, of: name) })
  }

  private init(
    _ name: String, in store: any SharedStore, load: @escaping @Sendable () throws(SharedError) -> Value?,
    save: @escaping @Sendable (Value) throws(SharedError) -> Void
  ) {
    (self.name, self.store) = (name, store)
    filing = Filing(load: load, save: save, refresh: { store.refresh() })
  }
}

/// Identifies a value in a store, and provides its default.
///
/// ```swift
/// extension SharedKey where Value == String {
///   static var filter: Self { SharedKey("filter", default: "") }
/// }
/// ```
///
/// Keys with the same name in the same store identify the same value. They must have the same type.
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
  /// Whether both keys have the same name and the same store. The keys of two properties with
  /// values of their own are the same key of a view, which was created twice.
  public static func == (a: Self, b: Self) -> Bool {
    func isOwn(_ key: Self) -> Bool { (key.store as? InMemoryStore)?.isOfOneProperty == true }
    return a.name == b.name && (a.store === b.store || isOwn(a) && isOwn(b))
  }
}
