internal import Observation

/// A body's reads: what of them differs makes that one view invalid.
extension ViewNode: ReaderOwner {
  func makeReader() -> Reader? {
    let reader = Reader(readsStates: false) { [weak self] _, reason, _ throws(PublicationCycle) in
      guard let self else { return }
      self.tree?.invalidate(self, because: reason)
    }
    existingReader = reader
    return reader
  }

  /// Evaluates a body, and notes what it reads: shared values, tracked properties, elements, and the properties of
  /// `@Observable` objects.
  func tracking(_ body: () -> Void) {
    // A copy: the body may end views, and this is no time to hold on to a property of one.
    let reads = observables
    if Reader.track(for: self, { reads.track(for: self, body) }) { observables.addWire() }
  }

  /// Said before the change; of an object that another thread changes while a body reads it, the body may see the old
  /// value and not be told of the new one. Change such objects where views are evaluated.
  fileprivate func observableChanges() { tree?.invalidate(self, because: .object("Observable"), later: true) }

  /// Lets go of whatever tells the view.
  func stopReading() {
    existingReader?.end()
    existingReader = nil
    observables.stop()
  }
}

/// What a body has read of `@Observable` objects, by Swift's own Observation.
///
/// `withObservationTracking` cannot be cancelled: it stays in every object that was read until one of them changes, and a
/// body that is evaluated for other reasons would stand there once more each time (a million evaluations: a million
/// entries in each object). But when it fires, it leaves all of its objects. So every tracked body reads one object more,
/// a wire of our own, and before the body is evaluated again the wire is tripped: then no entry is left of the time
/// before. A body that has never read an object has no wire, and costs nothing.
struct ObservableReads {
  /// `nil` until an object was read for the first time.
  private var wire: Wire?

  final class Wire: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    /// The thread that trips it: what fires there does so because of that.
    private let tripping: Guarded<ThreadContext.Pointer?> = Guarded(nil)

    private let counter = Guarded(0)

    private var value: Int { 0 }

    func touch() { registrar.access(self, keyPath: \.value) }

    /// Ends all tracking that has touched it.
    func trip() {
      let thread = ThreadContext.current
      tripping.withLock { $0 = thread }
      registrar.withMutation(of: self, keyPath: \.value) {}
      tripping.withLock { $0 = nil }
    }

    /// An object announced a change to one who had touched it.
    func count() { counter.withLock { $0 += 1 } }
    var fired: Int { counter.withLock { $0 } }

    var isTripped: Bool {
      let thread = ThreadContext.current
      return tripping.withLock { $0 } == thread
    }
  }

  /// How often a change was announced.
  var fired: Int { wire?.fired ?? 0 }

  /// - Returns: whether the body has read an object, and there is no wire yet.
  func track(for view: ViewNode, _ body: () -> Void) -> Bool {
    wire?.trip()
    let wire = self.wire
    var hasRead = false
    /// Asked for if anything was read.
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
