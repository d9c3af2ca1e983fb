internal import MirrorSupport
internal import NodeObservation

/// A shared value in memory. All keys with the same name, store and type use the same cell.
/// ``SharedValues`` makes the cell at the first use of a key, and ``SharedLink`` connects
/// properties to it.
///
/// The value can be set on any thread. Subscribers receive the values in the order of the changes:
/// while one thread publishes, it also publishes the values that other threads set.
final class SharedCell<Value: Sendable>: ReadSource, AnySharedCell {
  let name: String
  private let filing: SharedLocation<Value>.Filing?
  private let initial: @Sendable () -> Value
  /// Weak, because the ``SharedValues`` retain the cell. Every owner of a cell also has its key,
  /// which retains the store, which retains the ``SharedValues``. A weak reference instead of an
  /// unowned one only guards against misuse.
  private weak let values: SharedValues?
  private let readers = ReaderList()
  private let relay = Relay<Value>()
  private let state: Guarded<State>

  /// A new value that has not been published, and whether the store already holds it.
  private struct Step: Sendable {
    let value: Value
    let isSaved: Bool
  }

  /// Each new value increments the version and is appended to the steps. Only one thread at a time
  /// removes steps and publishes them, in the order in which they were appended.
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
    reader.note(key, .value, because: .shared(name)) { Inputs.areEqual(self.current, seen) }
    return seen
  }

  var current: Value { state.withLock { $0.value } }

  func add(_ reader: Reader) { readers.add(reader) }
  func remove(_ reader: Reader) { readers.remove(reader) }

  var readerCount: Int { readers.count }

  // MARK: - Setting

  /// Changes the value. If this thread is calling a subscriber, the change is made when the
  /// publication has ended.
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

  /// Changes the value at once. If this thread is calling a subscriber, the subscribers are
  /// notified of this change when the publication has ended. If the publication refuses this
  /// deferred work because of a cycle, the error is reported, and `change` receives a copy, so the
  /// value stays unchanged.
  func withLock<Result, Failure: Error>(_ change: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
    filing?.refresh()
    return try Publication.run { () throws(Failure) in
      do throws(PublicationCycle) {
        if ThreadContext.current.pointee.deliveries > 0 { try Publication.afterwards(name) { self.publish() } }
      } catch {
        report(error)
        var copy = current
        return try change(&copy)
      }
      let (isOther, result) = try store(change)
      if isOther, ThreadContext.current.pointee.deliveries == 0 { publish() }
      return result
    }
  }

  /// Loads the value again from the store, and publishes it if it differs. The present value is
  /// kept in three cases: it is only in memory, a thread is publishing values that may not be saved
  /// yet, or this program sets a value while the stored one is loaded.
  func reload() {
    guard let filing, let known = state.withLock({ $0.isPublishing ? nil : ($0.value, $0.version) }) else { return }
    let loaded: Value
    do throws(SharedError) { loaded = try filing.load() ?? initial() } catch {
      values?.report(error)
      return
    }
    guard replace(known, by: loaded, isSaved: true) == true else { return }
    // The caller may be a body or a subscriber that reads the value under a lock, so subscribers
    // are notified when the publication has ended.
    do throws(PublicationCycle) { try Publication.afterwards(name) { self.publish() } } catch { publish() }
  }

  private func report(_ error: PublicationCycle) { values?.report(.cycle(key: name, error)) }

  /// Changes the value and notifies readers and subscribers at once, even if this thread is
  /// evaluating a body or calling a subscriber. ``update(_:)`` calls it, or defers the call.
  func apply(_ change: (inout Value) -> Void) {
    Publication.run { if store(change).isOther { publish() } }
  }

  private func publish() {
    Publication.run {
      publishSteps()
      if let refused = readers.signal(ReadKey(self)) { report(refused) }
    }
  }

  /// Stores the changed value. If another thread has changed the value meanwhile, `change` runs
  /// again with the new value. `change` is foreign code, so it runs outside of the lock.
  ///
  /// - Returns: whether the new value differs from the old one, and what `change` has returned.
  private func store<Result, Failure: Error>(
    _ change: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> (isOther: Bool, result: Result) {
    while true {
      let known = state.withLock { ($0.value, $0.version) }
      var new = known.0
      let result = try change(&new)
      if let isOther = replace(known, by: new, isSaved: false) { return (isOther, result) }
    }
  }

  /// Stores `new` in place of `known`, and appends it to the steps, unless the two are equal. `==`
  /// is foreign code, so it runs outside of the lock.
  ///
  /// - Returns: whether the new value differs; `nil`, without an effect, if another thread has
  ///   changed the value meanwhile.
  private func replace(_ known: (value: Value, version: Int), by new: Value, isSaved: Bool) -> Bool? {
    let isSame = Inputs.areEqual(new, known.value)
    return state.withLock { state in
      guard state.version == known.version else { return nil }
      if isSame { return false }
      state.value = new
      state.version += 1
      state.steps.append(Step(value: new, isSaved: isSaved))
      return true
    }
  }

  /// Saves and publishes the new values in order. If another thread is already publishing, that
  /// thread also publishes the values that this thread has set.
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

  /// Publishes the value that was published last, and then each new value.
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
