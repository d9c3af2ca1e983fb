#if canImport(Combine)
  internal import Combine
#else
  internal import OpenCombine
#endif

/// Where a ``Tracked`` property stands, and who has read it.
final class TrackedStorage<Value>: ReadSource, @unchecked Sendable {
  private struct State {
    var value: Value
    var publisher: ObservableObjectPublisher?
    /// `Cart.count`; found when somebody reads it who wants to know.
    var name: String?
  }

  private let state: Guarded<State>
  private let readers = ReaderList()

  init(_ value: Value) { state = Guarded(State(value: UncheckedSendable(value: value).value)) }

  var value: Value { state.withLock { $0.value } }
  var publisher: ObservableObjectPublisher? { state.withLock { $0.publisher } }
  var readerCount: Int { readers.count }

  func announce(by publisher: ObservableObjectPublisher) -> ObservableObjectPublisher {
    state.withLock { state in
      let known = state.publisher ?? publisher
      state.publisher = known
      return known
    }
  }

  func add(_ reader: Reader) { readers.add(reader) }
  func remove(_ reader: Reader) { readers.remove(reader) }

  // MARK: - Reading

  func read(in object: () -> AnyObject) -> Value {
    guard let reader = Reader.current else { return value }
    let key = ReadKey(self)
    reader.follow(key) { self }
    let seen = value
    reader.note(key, .value, because: .object(name(in: object))) { self.isSame(as: seen) }
    return seen
  }

  /// - Complexity: O(*properties*) the first time, by reflection.
  private func name(in object: () -> AnyObject) -> String {
    if let known = state.withLock({ $0.name }) { return known }
    let object = object()
    var name = "\(type(of: object))"
    var mirror: Mirror? = Mirror(reflecting: object)
    while let level = mirror {
      for case let (label?, property as any TrackedProperty) in level.children where property.isStored(in: self) {
        name += "." + label.drop { $0 == "_" }
      }
      mirror = level.superclassMirror
    }
    state.withLock { $0.name = name }
    return name
  }

  // MARK: - Setting

  func isSame(as other: Value) -> Bool { Inputs.areEqual(value, other) }

  /// Says whether it is another value.
  func store(_ new: Value) -> Bool {
    let isSame = isSame(as: new)
    let old = state.withLock { state in
      let old = state.value
      state.value = new
      return UncheckedSendable(value: old)
    }
    // Let go of outside of the lock.
    withExtendedLifetime(old) {}
    return !isSame
  }

  /// Tells those who have read it. One that would run for ever knows so itself: ``ReadObserver/refused``.
  func signal() { _ = readers.signal(ReadKey(self)) }
}
