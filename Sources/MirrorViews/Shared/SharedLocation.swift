#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Where a shared value is kept: a name in a store. A ``Shared`` property or a ``SharedKey`` is
/// created with a location.
///
/// ```swift
/// @Shared(.appStorage("turns")) var turns = 0
/// ```
public struct SharedLocation<Value: Sendable>: Sendable {
  let name: String
  let store: any SharedStore
  /// Loads and saves the value; `nil` if the value is only in memory.
  let filing: Filing?

  /// Functions that call the store. They know the type as which the value is saved: its own type,
  /// or the type of its raw value. ``SharedCell`` calls them.
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
