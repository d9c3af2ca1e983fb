internal import MirrorSupport
internal import NodeObservation

/// Connects a shared property to the ``SharedCell`` of its key, which holds the value. The key can
/// be replaced, which counts as a change of the value. Each ``Shared`` and each ``PageValue`` has a
/// link.
final class SharedLink<Value: Sendable>: ReadSource {
  /// `cell` is the cell of `key`, except while ``move(_:)`` looks up the cell of a new key. Then it
  /// is still the cell of the previous key.
  private struct State: Sendable {
    var initialKey: SharedKey<Value>
    var key: SharedKey<Value>
    var cell: SharedCell<Value>
    /// The number of times that the link switched to another cell.
    var moves = 0
  }

  private let state: Guarded<State>
  private let readers = ReaderList()
  private let relay = Relay<Int>()

  /// A cell, compared by identity.
  struct Target: Equatable, Sendable {
    let cell: SharedCell<Value>
    var publisher: FirstAndThen<Value> { cell.publisher }
    static func == (a: Self, b: Self) -> Bool { a.cell === b.cell }
  }

  init(_ key: SharedKey<Value>) { state = Guarded(State(initialKey: key, key: key, cell: key.cell)) }

  /// The key with which the property was created. ``load(_:)`` does not change it.
  var initialKey: SharedKey<Value> { state.withLock { $0.initialKey } }
  var key: SharedKey<Value> { state.withLock { $0.key } }

  /// The cell. The read is not tracked.
  var current: SharedCell<Value> { state.withLock { $0.cell } }

  /// The cell. If a reader is active on this thread, the read is tracked.
  var cell: SharedCell<Value> {
    guard let reader = Reader.current else { return current }
    let key = ReadKey(self)
    reader.follow(key) { self }
    let seen = current
    // Another cell counts as a change even if its value is equal, because later changes come from
    // that cell.
    reader.note(key, .value, because: .shared(seen.name)) { self.current === seen }
    return seen
  }

  func add(_ reader: Reader) { readers.add(reader) }
  func remove(_ reader: Reader) { readers.remove(reader) }

  /// Replaces the key, but not ``initialKey``.
  func load(_ key: SharedKey<Value>) { move { $0.key = key } }

  /// Assigns a key as if the property were created with it.
  func restart(at key: SharedKey<Value>) { move { ($0.initialKey, $0.key) = (key, key) } }

  /// Changes the key, then looks up its cell outside of the lock, because the store may read a
  /// file. If the cell is another one, notifies the subscribers and the readers.
  private func move(_ change: (inout State) -> Void) {
    Publication.run {
      let key = state.withLock { state in
        change(&state)
        return state.key
      }
      let cell = key.cell
      let move = state.withLock { state -> Int? in
        // If another thread has assigned another key meanwhile, that key is used.
        guard state.key == key, state.cell !== cell else { return nil }
        state.cell = cell
        state.moves += 1
        return state.moves
      }
      guard let move else { return }
      relay.send(move)
      if let refused = readers.signal(ReadKey(self)) { key.store.values.report(.cycle(key: key.name, refused)) }
    }
  }

  /// Publishes the current cell, and then each cell that the link switches to.
  ///
  /// A notification does not contain the cell: the current cell is looked up when a subscriber is
  /// notified. If two threads switch cells at the same time, their notifications may arrive in the
  /// wrong order. But the last notification is always sent after the last switch, so subscribers
  /// end with the current cell.
  var publisher: some Publisher<Target, Never> {
    FirstAndThen(relay: relay) { [self] subscribe in
      state.withLock { state in
        subscribe()
        return state.moves
      }
    }
    .map { [self] _ in Target(cell: current) }
    .removeDuplicates()
  }
}
