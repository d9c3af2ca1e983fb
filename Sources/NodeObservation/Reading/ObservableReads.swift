internal import MirrorSupport
internal import Observation

/// Tracks the `@Observable` objects that a closure reads, with Swift's Observation. Each view of a
/// `ViewTree` and each closure of ``observe(_:isolation:_:)`` has one.
///
/// `withObservationTracking` cannot be cancelled: its registration remains in every object that was
/// read until one of these objects changes. If a closure ran a million times for other reasons,
/// each object would have a million registrations.
///
/// A change of one object removes the registration from all objects that were read with it.
/// Therefore every tracked closure also reads an object of its own, the *wire*. Before the closure
/// runs again, ``Wire/trip()`` changes the wire, which removes the previous registration. A closure
/// that has never read an `@Observable` object has no wire.
package struct ObservableReads: Sendable {
  /// Creates the reads of a closure that has not run.
  package init() {}

  /// `nil` until the closure reads an object.
  private var wire: Wire?

  /// An object without data. Its only purpose is that a change of it removes registrations.
  fileprivate final class Wire: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    /// The thread that is inside ``trip()``. Notifications on this thread are caused by the wire,
    /// not by an object, so they are ignored.
    private let tripping: Guarded<ThreadContext.Pointer?> = Guarded(nil)

    private let counter = Guarded(0)

    private var value: Int { 0 }

    func touch() { registrar.access(self, keyPath: \.value) }

    /// Removes all registrations that include the wire.
    func trip() {
      let thread = ThreadContext.current
      tripping.withLock { $0 = thread }
      registrar.withMutation(of: self, keyPath: \.value) {}
      tripping.withLock { $0 = nil }
    }

    /// Counts a change that an object has announced.
    func count() { counter.withLock { $0 += 1 } }
    var fired: Int { counter.current }

    var isTripped: Bool {
      let thread = ThreadContext.current
      return tripping.current == thread
    }
  }

  /// The number of changes that objects have announced since ``addWire()``.
  package var fired: Int { wire?.fired ?? 0 }
  /// Whether a run has read an object.
  package var isReading: Bool { wire != nil }

  /// Runs a closure and registers `changed` with the objects that the closure reads. `changed` is
  /// called before one of these objects changes.
  ///
  /// - Returns: whether the caller must call ``addWire()``: the closure has read an object, and
  ///   there is no wire yet.
  package func track(_ body: () -> Void, changed: @escaping @Sendable () -> Void) -> Bool {
    wire?.trip()
    let wire = self.wire
    var hasRead = false
    /// Creates the change handler. `onChange` is an autoclosure: Observation calls this function
    /// only if `body` has read an object.
    func handler() -> @Sendable () -> Void {
      hasRead = true
      return { [weak wire] in
        guard wire?.isTripped != true else { return }
        wire?.count()
        changed()
      }
    }
    withObservationTracking(
      {
        wire?.touch()
        body()
      }, onChange: handler())
    return hasRead && wire == nil
  }

  /// Creates the wire for the next run. Called after ``track(_:changed:)`` has returned `true`.
  package mutating func addWire() { wire = Wire() }

  /// Removes all registrations and the wire.
  package mutating func stop() {
    wire?.trip()
    wire = nil
  }
}
