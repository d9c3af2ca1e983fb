internal import MirrorSupport
internal import NodeObservation

/// A shared value in memory. All keys with the same name, store and type use the same cell.
///
/// The value can be set on any thread. Subscribers receive the values in the order of the changes: while one thread publishes, it
/// also publishes the values that other threads set.
final class SharedCell<Value: Equatable & Sendable>: ReadSource, AnySharedCell {
  let name: String
  private let filing: SharedPlace<Value>.Filing?
  private let initial: @Sendable () -> Value
  /// Weak, because the values retain the cell. Every owner of a cell also has its key, which retains the store and so the values.
  /// A weak reference instead of an unowned one only guards against misuse.
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
    /// New values that have not been published yet.
    var steps: [Step] = []
    /// Whether a thread is publishing ``steps``.
    var isPublishing = false
    /// The value that was published last.
    var published: Value
  }

  init(_ key: SharedKey<Value>, in values: SharedValues) {
    name = key.name
    filing = key.filing
    initial = key.initial
    self.values = values
    var first: Value?
    do throws(SharedError) { first = try key.filing?.load() } catch { values.report(error) }
    let value = first ?? key.initial()
    state = Guarded(State(value: value, published: value))
  }

  var type: Any.Type { Value.self }

  // MARK: - Reading

  /// The value. If a reader is active on this thread, the read is tracked.
  var value: Value {
    filing?.refresh()
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

  /// Changes the value. If this thread is notifying subscribers, the change is made when the publication has ended.
  ///
  /// - Throws: `PublicationCycle` if deferred changes cause more deferred changes without end.
  func update(_ change: @escaping @Sendable (inout Value) -> Void) throws(PublicationCycle) {
    filing?.refresh()
    if ThreadContext.current.pointee.deliveries == 0 { return apply(change) }
    try Publication.afterwards(name) { self.apply(change) }
  }

  /// Changes the value like ``update(_:)``, but reports an error to the store.
  func updateOrReport(_ change: @escaping @Sendable (inout Value) -> Void) {
    do throws(PublicationCycle) { try update(change) } catch { report(error) }
  }

  /// Loads the value again from the store. A value that is only in memory is kept, and so is one that this program sets meanwhile.
  func reload() {
    guard let filing, let version = state.withLock({ $0.isPublishing ? nil : $0.version }) else { return }
    do throws(SharedError) {
      let value = try filing.load() ?? initial()
      apply(isSaved: true, ifVersion: version) { $0 = value }
    } catch {
      values?.report(error)
    }
  }

  private func report(_ error: PublicationCycle) { values?.report(.cycle(key: name, error)) }

  private func apply(isSaved: Bool = false, ifVersion: Int? = nil, _ change: (inout Value) -> Void) {
    Publication.run {
      guard store(change, isSaved: isSaved, ifVersion: ifVersion) else { return }
      publishSteps()
      if let refused = readers.signal(ReadKey(self)) { report(refused) }
    }
  }

  /// Stores the changed value. `change` and `==` are foreign code, so they run outside of the lock. If another thread has changed
  /// the value meanwhile, they run again.
  ///
  /// - Parameter ifVersion: the version that must still be the present one; `nil` for any.
  /// - Returns: whether the new value differs from the old one.
  private func store(_ change: (inout Value) -> Void, isSaved: Bool, ifVersion: Int?) -> Bool {
    while true {
      let (old, version) = state.withLock { ($0.value, $0.version) }
      if let ifVersion, version != ifVersion { return false }
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

  /// Saves and publishes the new values in order. If another thread is doing so, it also handles the values of this thread.
  private func publishSteps() {
    var isMine = false
    while true {
      let step = state.withLock { state -> Step? in
        if state.isPublishing, !isMine { return nil }
        guard !state.steps.isEmpty else {
          state.isPublishing = false
          return nil
        }
        isMine = true
        state.isPublishing = true
        let step = state.steps.removeFirst()
        state.published = step.value
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

  /// Publishes the current value, and then each new value.
  var publisher: FirstAndThen<Value> {
    FirstAndThen(relay: relay) { [self] subscribe in
      // Values that are published after this lock is released arrive through the relay.
      state.withLock { state in
        subscribe()
        return state.published
      }
    }
  }
}
