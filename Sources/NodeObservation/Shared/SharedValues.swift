/// The values of a store that somebody has asked for, and what went wrong with them.
public final class SharedValues: Sendable {
  private struct State: Sendable {
    /// By name; more than one where keys disagree about the type.
    var cells: [String: [any AnySharedCell]] = [:]
    var lastError: SharedError?
  }

  private let state = Guarded(State())
  let errors = Relay<SharedError>()

  /// Nobody has asked for any yet.
  public init() {}

  var lastError: SharedError? { state.withLock { $0.lastError } }

  /// Says that something went wrong: it becomes the store's ``SharedStore/lastError``.
  public func report(_ error: SharedError) {
    state.withLock { $0.lastError = error }
    errors.send(error)
  }

  /// Reads every value that is in memory anew from the store: somebody else has changed what it keeps.
  ///
  /// - Complexity: O(*values*).
  public func reload() {
    let cells = state.withLock { $0.cells.values.flatMap(\.self) }
    Publication.run { cells.sorted { $0.name < $1.name }.forEach { $0.reload() } }
  }

  /// The value of a key, read from the store the first time.
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

/// A value of any type.
protocol AnySharedCell: AnyObject, Sendable {
  var name: String { get }
  var type: Any.Type { get }
  func reload()
}
