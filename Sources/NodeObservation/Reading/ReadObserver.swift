internal import MirrorSupport

/// Runs a closure at once, and again whenever a value that the closure has read becomes different.
/// Programs call it, and so do the functions of MirrorViews that bind two values.
///
/// ```swift
/// @MainActor final class Controller {
///   let meter = Meter()
///   var label = ""
///   func viewDidLoad() {
///     observe { [weak self] in
///       guard let self else { return }
///       label = "\(meter.level)"          // `Meter` is `@Observable`
///     }
///   }
/// }
/// ```
///
/// The closure follows `@Observable` objects, `Shared` values, the `State` behind a binding, and
/// elements that are read with ``NodeCoordinator/element(_:)``. Values that the last run did not
/// read are no longer followed.
///
/// A closure of an actor runs on this actor, in a later turn, once for all changes until then. A
/// closure that belongs to no actor runs on the thread that publishes, when the publication that
/// changed a value has ended: once for all changes of that publication, and not at all if every
/// value is back to what the closure read. An `@Observable` object announces a change before it
/// makes the change. A closure that belongs to no actor therefore runs at the end of the
/// publication, or, if there is none, soon afterwards on another thread.
///
/// The observation ends when you cancel the returned observer. If you have kept the observer,
/// releasing it also ends the observation. An observer counts as kept if a property of it was read,
/// or if it still exists at a change or in the next turn of the calling actor. If you ignore the
/// observer, the observation goes on. The closure should then capture its owner weakly, as in the
/// example. A run that reads nothing is the last one.
///
/// - Parameters:
///   - label: the name of the observer in a ``PublicationCycle``.
///   - body: the closure. It never runs on two threads at the same time. The first run is inside
///     this call, unless the closure belongs to another actor than the caller.
///   - isolation: the actor that calls this function.
/// - Returns: the observer, to end the observation.
@discardableResult public func observe(
  _ label: String = "observe", isolation: (any Actor)? = #isolation,
  @_inheritActorContext _ body: @escaping @isolated(any) @Sendable () -> Void
) -> ReadObserver {
  let observation = Observation(label, body)
  observation.start(on: isolation)
  if let isolation { observation.noticeKept(in: isolation) }
  return ReadObserver(of: observation)
}

/// An observation: see ``observe(_:isolation:_:)``.
public final class ReadObserver: Cancellable, Sendable {
  private let observation: Observation

  fileprivate init(of observation: Observation) { self.observation = observation }

  deinit { observation.release() }

  /// The number of runs.
  public var runs: Int { observation.runs }

  /// The last cycle in which the closure kept triggering itself, so that a run was refused. `nil`
  /// if no run was refused.
  public var refused: PublicationCycle? { observation.refused }

  /// The number of elements and values that are tracked, without `@Observable` objects.
  public var sourceCount: Int { observation.sourceCount }

  /// Whether the last run has read a value that can change.
  package var isFollowing: Bool { observation.sourceCount > 0 || observation.readsObjects }

  /// Ends the observation. A second call has no effect.
  ///
  /// No run begins after this method has returned. It also waits for a run in progress on another
  /// thread, unless the calling thread is itself inside a subscriber or the closure of an observer.
  public func cancel() { observation.cancel() }
}

/// A closure that runs again whenever a value that it has read becomes different.
private final class Observation: ReaderOwner, @unchecked Sendable {
  private enum Phase { case idle, running, again }

  private let label: String
  /// The actor of the closure.
  private let isolation: (any Actor)?
  private let lock = Lock()
  // The lock guards the following properties.
  private var body: (@Sendable () -> Void)?
  private var phase = Phase.idle
  private var dirty: Set<ReadKey> = []
  /// Whether the closure runs even if no value of the remaining sources differs: a source has
  /// ended, or an object changes.
  private var isRunDue = false
  /// Whether a run waits for its actor.
  private var isWaiting = false
  private var runCount = 0
  private var refusal: PublicationCycle?
  private var observables = ObservableReads()
  private var tracker: Reader?
  /// Whether the caller has kept the observer: it was used, or it existed at a change or in the
  /// next turn of the caller.
  private var isKept = false
  private var isReleased = false
  /// This observation, after its ignored observer was released. The reference keeps the observation
  /// alive, because its sources do not retain it.
  private var itself: Observation?
  /// Identifies the deferred run, so that it is queued only once.
  private let token = Token()

  private final class Token: Sendable {}

  init(_ label: String, _ body: @escaping @isolated(any) @Sendable () -> Void) {
    self.label = label
    isolation = body.isolation
    // The closure is called only on its actor, so its type need not name the actor.
    self.body = unsafeBitCast(body, to: (@Sendable () -> Void).self)
    tracker = Reader { [weak self] key, reason, isEnd throws(PublicationCycle) in
      try self?.signal(key, reason, isEnd: isEnd)
    }
  }

  deinit {
    tracker?.end()
    observables.stop()
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  private func used<Result>(_ result: Result) -> Result {
    withLock { isKept = true }
    return result
  }

  var runs: Int { used(withLock { runCount }) }
  var refused: PublicationCycle? { used(withLock { refusal }) }
  var sourceCount: Int { used(existingReader?.count ?? 0) }
  var readsObjects: Bool { withLock { observables.isReading } }

  /// Notes in the next turn of the caller that the observer exists. An observer that is released
  /// earlier counts as ignored, so its observation goes on.
  func noticeKept(in caller: any Actor) {
    let note: @Sendable () -> Void = { [weak self] in
      guard let self else { return }
      self.withLock { if !self.isReleased { self.isKept = true } }
    }
    Task { await Self.perform(note, on: caller) }
  }

  /// Called when the observer is released.
  func release() {
    let isOver = withLock {
      isReleased = true
      if !isKept { itself = self }
      return isKept
    }
    if isOver { cancel() } else { endIfNothingIsRead() }
  }

  func cancel() {
    let released = withLock {
      let released = (body, itself)
      (body, itself) = (nil, nil)
      if ThreadContext.current.pointee.deliveries == 0 { while phase != .idle { lock.wait() } }
      return released
    }
    withExtendedLifetime(released) {}
    existingReader?.end()
    var reads = withLock {
      defer { observables = ObservableReads() }
      return observables
    }
    reads.stop()
  }

  /// Ends the observation if its observer was released and its last run has read nothing.
  private func endIfNothingIsRead() {
    let isOver =
      withLock { isReleased && runCount > 0 && !isWaiting && phase == .idle && !observables.isReading }
      && existingReader?.count == 0
    if isOver { cancel() }
  }

  // MARK: - Running

  /// The reader of the closure, which exists from the start.
  var existingReader: Reader? { tracker }
  /// Never called, because the reader already exists.
  func makeReader() -> Reader? { nil }

  /// Begins the first run. It is a publication, like all later runs, so that work that the closure
  /// defers runs after the closure.
  func start(on caller: (any Actor)?) {
    if let isolation, isolation !== caller { return runLater(isFirst: true, on: isolation) }
    Publication.run { run(isFirst: true) }
  }

  private func signal(_ key: ReadKey, _ reason: EvaluationReason, isEnd: Bool) throws(PublicationCycle) {
    withLock {
      dirty.insert(key)
      if isEnd { isRunDue = true }
      if !isReleased { isKept = true }
    }
    if let isolation { return runLater(on: isolation) }
    try runAfterwards(because: reason)
  }

  /// Swift's Observation framework calls this before an object changes.
  private func observableChanges() {
    withLock {
      isRunDue = true
      if !isReleased { isKept = true }
    }
    guard isolation == nil, Publication.isRunning else { return runLater(on: isolation) }
    // `runAfterwards` has stored the error, and a change handler of the Observation framework
    // cannot throw.
    try? runAfterwards(because: .object("Observable"))
  }

  /// Runs the closure when the publication of this thread has ended.
  private func runAfterwards(because reason: EvaluationReason) throws(PublicationCycle) {
    do throws(PublicationCycle) {
      // The deferred closure keeps the token alive. Otherwise a token allocated later at the same
      // address could get the same key.
      let token = token
      try Publication.afterwards(once: ObjectIdentifier(token), "\(label) (\(reason))") { [weak self] in
        withExtendedLifetime(token) { self?.run(isFirst: false) }
      }
    } catch {
      withLock { refusal = error }
      throw error
    }
  }

  /// Runs the closure in a later turn of its actor, or soon on another thread. Further changes
  /// until then cause no other run.
  private func runLater(isFirst: Bool = false, on isolation: (any Actor)?) {
    let isNew = withLock {
      defer { isWaiting = true }
      return !isWaiting
    }
    guard isNew else { return }
    let work: @Sendable () -> Void = { [weak self] in
      guard let self else { return }
      self.withLock { self.isWaiting = false }
      Publication.run { self.run(isFirst: isFirst) }
    }
    Task { await Self.perform(work, on: isolation) }
  }

  private static func perform(_ work: @Sendable () -> Void, on isolation: isolated (any Actor)?) async { work() }

  private func run(isFirst: Bool) {
    var isDue = isFirst
    while let (body, keys, isRunDue) = begin() {
      if isDue || isRunDue || tracker?.differs(in: keys) == true {
        let reads = withLock {
          runCount += 1
          return observables
        }
        let readsObject = Publication.calling {
          reads.track({ Reader.track(for: self, body) }, changed: { [weak self] in self?.observableChanges() })
        }
        if readsObject { withLock { observables.addWire() } }
      }
      isDue = false
      if !finish() { break }
    }
    endIfNothingIsRead()
  }

  /// - Returns: `nil` if the observer is cancelled, or if a run is in progress, which is then
  ///   repeated.
  private func begin() -> (@Sendable () -> Void, Set<ReadKey>, isRunDue: Bool)? {
    withLock {
      guard let body else { return nil }
      if phase != .idle {
        phase = .again
        return nil
      }
      phase = .running
      defer { (dirty, isRunDue) = ([], false) }
      return (body, dirty, isRunDue)
    }
  }

  /// - Returns: whether another run was requested meanwhile.
  private func finish() -> Bool {
    withLock {
      let again = phase == .again
      phase = .idle
      lock.wakeAll()
      return again
    }
  }
}
