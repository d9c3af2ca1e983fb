internal import MirrorSupport
internal import NodeObservation

#if canImport(Combine)
  internal import Combine
#else
  internal import OpenCombine
#endif

/// The storage of a ``Tracked`` property, and its readers.
final class TrackedStorage<Value>: ReadSource, @unchecked Sendable {
  private struct State {
    var value: Value
    var publisher: ObservableObjectPublisher?
    /// The name `Cart.count`, computed at the first tracked read.
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

  /// The name of the type and of the property, such as `Cart.count`.
  ///
  /// - Complexity: O(*properties*) at the first call, by reflection; then O(1).
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

  /// Stores a value.
  ///
  /// - Returns: whether the new value differs from the old one.
  func store(_ new: Value) -> Bool {
    let isSame = isSame(as: new)
    let old = state.withLock { state in
      let old = state.value
      state.value = new
      return UncheckedSendable(value: old)
    }
    // The old value is released outside of the lock, because its deinitialiser is foreign code.
    withExtendedLifetime(old) {}
    return !isSame
  }

  /// Notifies the readers. The result is ignored: a reader that is stopped because of a cycle reports the cycle itself, as
  /// `ReadObserver/refused`.
  func signal() { _ = readers.signal(ReadKey(self)) }
}
