public import NodeObservation

/// Stores shared values: ``InMemoryStore``, ``FileStore``, or a store of your own. A ``SharedKey``
/// names the store of its value.
///
/// ``load(_:of:)`` is called for the first use of a value and after a reload, and ``save(_:of:)``
/// for each new value. All other reads use the value in memory.
public protocol SharedStore: AnyObject, Sendable {
  /// The values in memory. Create this object with the store and keep it for the store's lifetime.
  var values: SharedValues { get }

  /// Loads the value that was saved under a name; `nil` if no value was saved.
  ///
  /// - Throws: ``SharedError`` if the value cannot be loaded. The error is then reported. After a
  ///   failed first load the value is its default, after a failed reload it is unchanged.
  func load<Value: Codable>(_ type: Value.Type, of name: String) throws(SharedError) -> Value?

  /// Saves a value. Calls for one name are in the order of the changes, and never on two threads at
  /// once.
  ///
  /// - Throws: ``SharedError`` if the value cannot be saved. The error is then reported, and the
  ///   value is kept in memory.
  func save<Value: Codable>(_ value: Value, of name: String) throws(SharedError)

  /// Called before a value is read or changed. In a store whose values another program may change,
  /// this function must call `values.reload()` after such a change. By default it does nothing.
  func refresh()
}

extension SharedStore {
  /// Does nothing.
  public func refresh() {}

  /// The last error; `nil` if no error has occurred.
  public var lastError: SharedError? { values.lastError }

  /// Publishes each error.
  public var errors: RelayPublisher<SharedError> { values.errors.publisher }
}

/// Keeps values in memory until the program ends.
public final class InMemoryStore: SharedStore {
  /// The default store of a key.
  public static let shared = InMemoryStore()

  /// The values in memory.
  public let values = SharedValues()

  /// Whether the store holds only the value of one property, which `Shared(value:)` has created.
  /// Two ``SharedKey``s with such stores are equal if their names are equal, although the stores
  /// differ.
  let isOfOneProperty: Bool

  /// Creates a separate store, whose values are independent of those of ``shared``.
  public convenience init() { self.init(isOfOneProperty: false) }

  init(isOfOneProperty: Bool) { self.isOfOneProperty = isOfOneProperty }

  /// Returns `nil`: this store has no values outside of memory.
  public func load<Value: Codable>(_ type: Value.Type, of name: String) throws(SharedError) -> Value? { nil }

  /// Does nothing.
  public func save<Value: Codable>(_ value: Value, of name: String) throws(SharedError) {}
}

/// Errors of shared values. After an error the value remains usable: it is unchanged, or it is its
/// default.
public enum SharedError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Changes of the value caused more changes without end. If a change exceeded the limit, that
  /// change was not made. If the run of a reader, such as an observing closure, exceeded the limit,
  /// that run did not take place.
  case cycle(key: String, PublicationCycle)
  /// Two keys with the same name have different types. They do not share a value: each type has a
  /// value of its own.
  case otherType(key: String, known: String, asked: String)
  /// The file is not a JSON object. The file stays unchanged until a value is set. Then the file is
  /// renamed to `aside`.
  case broken(path: String, aside: String, reason: String)
  /// The file exists but cannot be read.
  case unreadable(path: String, reason: String)
  /// The file cannot be written. The values are written with the next attempt.
  case unwritable(path: String, reason: String)
  /// The saved value cannot be decoded as the type of the key. The saved value stays in the file
  /// until this program sets a new value.
  case undecodable(key: String, path: String, reason: String)
  /// The value cannot be encoded as JSON. It is kept in memory only.
  case unencodable(key: String, reason: String)

  /// The error, the affected key or file, and the consequence.
  public var description: String {
    switch self {
    case .cycle(let key, let cycle):
      "changes of shared `\(key)` cause each other, and the last one was not made: \(cycle)"
    case .otherType(let key, let known, let asked):
      "shared `\(key)` has the type \(known) and was requested as \(asked): each type has a value of its own"
    case .broken(let path, let aside, let reason):
      "\(path) is not a JSON object: \(reason). It stays unchanged until a value is set, and is then renamed to \(aside)"
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .unwritable(let path, let reason): "\(path) cannot be written: \(reason)"
    case .undecodable(let key, let path, let reason): "shared `\(key)` in \(path) cannot be read: \(reason)"
    case .unencodable(let key, let reason): "shared `\(key)` cannot be written as JSON: \(reason)"
    }
  }
}
