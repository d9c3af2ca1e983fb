/// A shared value in memory: one for everybody who names its key.
///
/// It is set on any thread. What was set is told in the order in which it was: the thread that comes first tells what the
/// others set meanwhile, too.
final class SharedCell<Value: Equatable & Sendable>: ReadSource, AnySharedCell {
  let name: String
  private let filing: SharedKey<Value>.Filing?
  private let initial: @Sendable () -> Value
  /// Whoever has the cell has its key, and that the store; unowned would do, if nobody made mistakes.
  private weak let values: SharedValues?
  private let readers = ReaderList()
  private let relay = Relay<Value>()
  private let state: Guarded<State>

  private struct Step: Sendable {
    let value: Value
    let isSaved: Bool
  }

  private struct State: Sendable {
    var value: Value
    var version = 0
    /// What was set and not told yet.
    var steps: [Step] = []
    var isTelling = false
    /// What subscribers were told last.
    var told: Value
  }

  init(_ key: SharedKey<Value>, in values: SharedValues) {
    name = key.name
    filing = key.filing
    initial = key.initial
    self.values = values
    var first: Value?
    do throws(SharedError) { first = try key.filing?.load() } catch { values.report(error) }
    let value = first ?? key.initial()
    state = Guarded(State(value: value, told: value))
  }

  var type: Any.Type { Value.self }

  // MARK: - Reading

  /// The value; whoever runs on this thread and wants to know what it reads is told of changes.
  var value: Value {
    guard let reader = Reader.current else { return current }
    let key = ReadKey(self)
    reader.follow(key) { self }
    let seen = current
    reader.note(key, .value, because: .shared(name)) { self.current == seen }
    return seen
  }

  var current: Value { state.withLock { $0.value } }

  func add(_ reader: Reader) { readers.add(reader) }
  func remove(_ reader: Reader) { readers.remove(reader) }

  var readerCount: Int { readers.count }

  // MARK: - Setting

  /// Changes the value: at once, or where this thread is telling somebody of something, when all have been told.
  ///
  /// - Throws: where it is set because it was set, over and over, see ``PublicationCycle``.
  func update(_ change: @escaping @Sendable (inout Value) -> Void) throws(PublicationCycle) {
    if ThreadContext.current.pointee.deliveries == 0 { return apply(change) }
    try Publication.afterwards(name) { self.apply(change) }
  }

  /// The same for those who cannot be told.
  func updateOrReport(_ change: @escaping @Sendable (inout Value) -> Void) {
    do throws(PublicationCycle) { try update(change) } catch { report(error) }
  }

  func reload() {
    do throws(SharedError) {
      let value = try filing?.load() ?? initial()
      if filing != nil { apply(isSaved: true) { $0 = value } }
    } catch {
      values?.report(error)
    }
  }

  private func report(_ error: PublicationCycle) { values?.report(.cycle(key: name, error)) }

  private func apply(isSaved: Bool = false, _ change: (inout Value) -> Void) {
    Publication.run {
      guard store(change, isSaved: isSaved) else { return }
      tell()
      if let refused = readers.signal(ReadKey(self)) { report(refused) }
    }
  }

  /// Says whether the value is another one. `change` and the comparison are foreign code, so they run outside of the
  /// lock, and once more if somebody was faster.
  private func store(_ change: (inout Value) -> Void, isSaved: Bool) -> Bool {
    while true {
      let (old, version) = state.withLock { ($0.value, $0.version) }
      var new = old
      change(&new)
      let isSame = new == old
      let value = new
      let isDone = state.withLock { state in
        guard state.version == version else { return false }
        if isSame { return true }
        state.value = value
        state.version += 1
        state.steps.append(Step(value: value, isSaved: isSaved))
        return true
      }
      if isDone { return !isSame }
    }
  }

  private func tell() {
    var isMine = false
    while true {
      let step = state.withLock { state -> Step? in
        if state.isTelling, !isMine { return nil }
        guard !state.steps.isEmpty else {
          state.isTelling = false
          return nil
        }
        isMine = true
        state.isTelling = true
        let step = state.steps.removeFirst()
        state.told = step.value
        return step
      }
      guard let step else { return }
      if !step.isSaved, let filing {
        do throws(SharedError) { try filing.save(step.value) } catch { values?.report(error) }
      }
      relay.send(step.value)
    }
  }

  // MARK: - Publishing

  /// The value as it is, and then each one that it becomes.
  var publisher: FirstAndThen<Value> {
    FirstAndThen(relay: relay) { [self] subscribe in
      // What is told after this lock is let go comes by the relay.
      state.withLock { state in
        subscribe()
        return state.told
      }
    }
  }
}
