internal import MirrorSupport
internal import NodeObservation
internal import Observation

/// Tracks the sources that a body reads. A change of a source invalidates the view.
extension ViewNode: ReaderOwner {
  func makeReader() -> Reader? {
    let reader = Reader(readsStates: false) { [weak self] _, reason, _ throws(PublicationCycle) in
      guard let self else { return }
      self.tree?.invalidate(self, because: reason)
    }
    existingReader = reader
    return reader
  }

  /// Evaluates a body and records its reads of shared values, tracked properties, elements, and properties of `@Observable`
  /// objects.
  func tracking(_ body: () -> Void) {
    // A copy, because the body may end this view: `stopReading()` then modifies `observables` during the call.
    let reads = observables
    if Reader.track(for: self, { reads.track(for: self, body) }) { observables.addWire() }
  }

  /// Called by Observation before an object changes.
  ///
  /// If another thread changes the object while a body reads it, the body may read the old value, and the view is not
  /// invalidated. Therefore `@Observable` objects must only be changed on the thread that evaluates views.
  fileprivate func observableChanges() { tree?.invalidate(self, because: .object("Observable"), later: true) }

  /// Ends all tracking of the view's reads.
  func stopReading() {
    existingReader?.end()
    existingReader = nil
    observables.stop()
  }
}

/// Tracks the `@Observable` objects that a body reads, with Swift's Observation.
///
/// `withObservationTracking` cannot be cancelled: its registration remains in every object that was read until one of these
/// objects changes. If a body were evaluated a million times for other reasons, each object would have a million registrations.
///
/// A change of one object removes the registration from all objects that were read with it. Therefore every tracked body also
/// reads an object that belongs to the view, the *wire*. Before the body is evaluated again, ``Wire/trip()`` changes the wire,
/// which removes the previous registration. A body that has never read an `@Observable` object has no wire.
struct ObservableReads {
  /// `nil` until the body reads an object.
  private var wire: Wire?

  /// An object without data. Its only purpose is that a change of it removes registrations.
  final class Wire: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    /// The thread that is inside ``trip()``. Notifications on this thread are caused by the wire, not by an object, so they are
    /// ignored.
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

  /// The number of changes that objects have announced.
  var fired: Int { wire?.fired ?? 0 }

  /// Evaluates a body and registers the view with the objects that the body reads.
  ///
  /// - Returns: whether the body has read an object and there is no wire yet.
  func track(for view: ViewNode, _ body: () -> Void) -> Bool {
    wire?.trip()
    let wire = self.wire
    var hasRead = false
    /// Creates the change handler. `onChange` is an autoclosure: Observation calls this function only if `body` has read an
    /// object.
    func handler() -> @Sendable () -> Void {
      hasRead = true
      return { [weak view, weak wire] in
        guard wire?.isTripped != true, let view else { return }
        wire?.count()
        view.observableChanges()
      }
    }
    withObservationTracking(
      {
        wire?.touch()
        body()
      }, onChange: handler())
    return hasRead && wire == nil
  }

  mutating func addWire() { wire = Wire() }

  mutating func stop() {
    wire?.trip()
    wire = nil
  }
}
