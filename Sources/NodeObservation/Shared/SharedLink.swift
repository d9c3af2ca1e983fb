#if canImport(Combine)
  internal import Combine
#else
  internal import OpenCombine
#endif

/// Which key a property stands for: that can change, and counts as a change of its value.
final class SharedLink<Value: Equatable & Sendable>: ReadSource {
  private struct State: Sendable {
    var initialKey: SharedKey<Value>
    var key: SharedKey<Value>
    var cell: SharedCell<Value>
    /// How often it became another value's.
    var moves = 0
  }

  private let state: Guarded<State>
  private let readers = ReaderList()
  private let relay = Relay<Int>()

  /// The value that it stands for.
  struct Target: Equatable, Sendable {
    let cell: SharedCell<Value>
    var publisher: FirstAndThen<Value> { cell.publisher }
    static func == (a: Self, b: Self) -> Bool { a.cell === b.cell }
  }

  init(_ key: SharedKey<Value>) { state = Guarded(State(initialKey: key, key: key, cell: key.cell)) }

  /// The key that it was made with.
  var initialKey: SharedKey<Value> { state.withLock { $0.initialKey } }
  var key: SharedKey<Value> { state.withLock { $0.key } }

  /// Not noted by anybody.
  var current: SharedCell<Value> { state.withLock { $0.cell } }

  /// Noted by whoever runs on this thread.
  var cell: SharedCell<Value> {
    guard let reader = Reader.current else { return current }
    let key = ReadKey(self)
    reader.follow(key) { self }
    let seen = current
    // A key whose value is equal is another one all the same: it is told of by others.
    reader.note(key, .value, because: .shared(seen.name)) { self.current === seen }
    return seen
  }

  func add(_ reader: Reader) { readers.add(reader) }
  func remove(_ reader: Reader) { readers.remove(reader) }

  func reassign(to key: SharedKey<Value>) { move { $0.key = key } }

  func restart(at key: SharedKey<Value>) { move { ($0.initialKey, $0.key) = (key, key) } }

  private func move(_ change: (inout State) -> Void) {
    Publication.run {
      let key = state.withLock { state in
        change(&state)
        return state.key
      }
      let cell = key.cell
      let move = state.withLock { state -> Int? in
        // Where another thread has chosen another key since, it is that which counts.
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

  /// The values that it stood and will stand for.
  ///
  /// Which one is looked up when a subscriber is told: two threads may tell of their moves in another order than they
  /// made them, but whoever is told last is told after the last move.
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
