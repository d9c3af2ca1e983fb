/// Where shared values are kept: ``InMemoryStore``, ``FileStore``, or what you make.
///
/// A store is asked for a value once, and told each one that it becomes; what reads in between goes to the value in
/// memory.
public protocol SharedStore: AnyObject, Sendable {
  /// The values in memory. Make one with the store, and keep it.
  var values: SharedValues { get }

  /// What was kept under a name; `nil` if nothing was.
  func load<Value: Codable>(_ type: Value.Type, of name: String) throws(SharedError) -> Value?

  /// Keeps a value. Called in the order in which the value changed, and not on two threads at once for one name.
  func save<Value: Codable>(_ value: Value, of name: String) throws(SharedError)
}

extension SharedStore {
  /// What went wrong last; `nil` if nothing did.
  public var lastError: SharedError? { values.lastError }

  /// Publishes what goes wrong.
  public var errors: RelayPublisher<SharedError> { values.errors.publisher }
}

/// Keeps values for as long as the program runs.
public final class InMemoryStore: SharedStore {
  /// The one that keys are in which name none.
  public static let shared = InMemoryStore()

  /// The values in memory.
  public let values = SharedValues()

  /// A store of its own: its keys are others than those of ``shared``.
  public init() {}

  /// Nothing: what it keeps is in memory.
  public func load<Value: Codable>(_ type: Value.Type, of name: String) throws(SharedError) -> Value? { nil }

  /// Does nothing.
  public func save<Value: Codable>(_ value: Value, of name: String) throws(SharedError) {}
}

/// What can go wrong with shared values. Nothing of it takes the value from those who use it: it stays what it was, or
/// its default.
public enum SharedError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The value was set because it was set, over and over; it stays what it was when that was noticed.
  case cycle(key: String, PublicationCycle)
  /// Two keys with one name are of two types: each has a value of its own.
  case otherType(key: String, known: String, asked: String)
  /// The file is no JSON object. It stays as it is, and is put aside as `aside` when a value is set.
  case broken(path: String, aside: String, reason: String)
  /// The file is there and cannot be read.
  case unreadable(path: String, reason: String)
  /// The file cannot be written. What was to be written waits for the next time.
  case unwritable(path: String, reason: String)
  /// What is kept does not fit the type. It stays in the file until the value is set.
  case undecodable(key: String, path: String, reason: String)
  /// The value cannot be written as JSON; it holds in memory.
  case unencodable(key: String, reason: String)

  /// What is wrong with which key or file, and what became of it.
  public var description: String {
    switch self {
    case .cycle(let key, let cycle): "shared `\(key)` was not set: \(cycle)"
    case .otherType(let key, let known, let asked):
      "shared `\(key)` is a \(known) and was asked for as a \(asked): these are two values now"
    case .broken(let path, let aside, let reason):
      "\(path) is not a JSON object: \(reason). It is left as it is, and kept as \(aside) when a value is set"
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .unwritable(let path, let reason): "\(path) cannot be written: \(reason)"
    case .undecodable(let key, let path, let reason): "shared `\(key)` in \(path) cannot be read: \(reason)"
    case .unencodable(let key, let reason): "shared `\(key)` cannot be written as JSON: \(reason)"
    }
  }
}
