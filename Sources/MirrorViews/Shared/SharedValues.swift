internal import MirrorSupport
internal import NodeObservation

/// The values of a store that are in memory, and the errors of the store. Every ``SharedStore`` has
/// one. Once a value was used, it stays in memory as long as its store exists.
public final class SharedValues: Sendable {
  private struct State: Sendable {
    /// The cells by name. A name has several cells if its keys have different types.
    var cells: [String: [any AnySharedCell]] = [:]
    var lastError: SharedError?
  }

  private let state = Guarded(State())
  let errors = Relay<SharedError>()

  /// Creates an empty object for a new store.
  public init() {}

  var lastError: SharedError? { state.withLock { $0.lastError } }

  /// Publishes an error and stores it as ``SharedStore/lastError``.
  public func report(_ error: SharedError) {
    state.withLock { $0.lastError = error }
    errors.send(error)
  }

  /// Loads every value in memory again from the store. Call it if the stored values were changed
  /// elsewhere.
  public func reload() {
    let cells = state.withLock { $0.cells.values.flatMap(\.self) }
    Publication.run { cells.sorted { $0.name < $1.name }.forEach { $0.reload() } }
  }

  /// The cell of a key. The first call for a key loads the value from the store.
  func cell<Value>(of key: SharedKey<Value>) -> SharedCell<Value> {
    func find(_ state: State) -> SharedCell<Value>? {
      state.cells[key.name]?.lazy.compactMap { $0 as? SharedCell<Value> }.first
    }
    if let known = state.withLock({ find($0) }) { return known }
    let made = SharedCell(key, in: self)
    let (cell, other) = state.withLock { state -> (SharedCell<Value>, (any AnySharedCell)?) in
      if let known = find(state) { return (known, nil) }
      let other = state.cells[key.name]?.first
      state.cells[key.name, default: []].append(made)
      return (made, other)
    }
    if let other {
      report(.otherType(key: key.name, known: "\(other.type)", asked: "\(Value.self)"))
    }
    return cell
  }
}

/// A ``SharedCell`` without its type, so that ``SharedValues`` can keep the cells of all types
/// together.
protocol AnySharedCell: AnyObject, Sendable {
  var name: String { get }
  var type: Any.Type { get }
  func reload()
}
