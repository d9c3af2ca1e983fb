internal import MirrorSupport

#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// Runs a closure at once, and again whenever a value that the closure has read becomes different.
///
/// ```swift
/// let observer = observe {
///   print(coordinator.element(node)["class"] ?? "none", filter)   // `filter` is `@Shared`
/// }
/// ```
///
/// The observer tracks elements that are read with ``NodeCoordinator/element(_:)``, `Shared` values, `Tracked` properties
/// and the `State` behind a binding. The closure runs again when the publication that changed a value has ended. It runs once
/// for all changes of that publication, and not at all if every value is back to what the closure read. Values that the last run
/// did not read are no longer tracked.
///
/// - Parameters:
///   - label: the name of the observer in a ``PublicationCycle``.
///   - body: the closure. Later runs are on the thread that publishes. It never runs on two threads at the same time.
/// - Returns: the observer. Cancelling or releasing it ends the observation.
public func observe(_ label: String = "observe", _ body: @escaping @Sendable () -> Void) -> ReadObserver {
  let observer = ReadObserver(label, body)
  observer.start()
  return observer
}

/// A closure that runs again whenever a value that it has read becomes different: see ``observe(_:_:)``.
public final class ReadObserver: Cancellable, ReaderOwner, @unchecked Sendable {
  private enum Phase { case idle, running, again }

  private let label: String
  private let lock = Lock()
  // The lock guards the following properties.
  private var body: (@Sendable () -> Void)?
  private var phase = Phase.idle
  private var dirty: Set<ReadKey> = []
  /// Whether a source has ended. The closure then runs even if no value of the remaining sources differs.
  private var isEndDue = false
  private var runCount = 0
  private var refusal: PublicationCycle?
  private var tracker: Reader?
  /// Identifies the deferred run, so that it is queued only once.
  private let token = Token()

  private final class Token: Sendable {}

  init(_ label: String, _ body: @escaping @Sendable () -> Void) {
    self.label = label
    self.body = body
    tracker = Reader { [weak self] key, reason, isEnd throws(PublicationCycle) in
      try self?.signal(key, reason, isEnd: isEnd)
    }
  }

  deinit {
    tracker?.end()
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// The number of runs.
  public var runs: Int { withLock { runCount } }

  /// The last cycle because of which a run was refused: the closure kept triggering itself. `nil` if no run was refused.
  public var refused: PublicationCycle? { withLock { refusal } }

  /// The number of elements and values that are tracked.
  public var sources: Int { existingReader?.count ?? 0 }

  /// Ends the observation. A second call has no effect.
  ///
  /// No run begins after this method has returned. It also waits for a run in progress on another thread, unless the calling
  /// thread is itself inside a subscriber or the closure of an observer.
  public func cancel() {
    let released = withLock {
      let released = body
      body = nil
      if ThreadContext.current.pointee.deliveries == 0 { while phase != .idle { lock.wait() } }
      return released
    }
    withExtendedLifetime(released) {}
    existingReader?.end()
  }

  // MARK: - Running

  /// The reader of the closure, which exists from the start.
  package var existingReader: Reader? { tracker }
  /// Never called, because the reader already exists.
  package func makeReader() -> Reader? { nil }

  /// Makes the first run a publication, so that the work it defers runs after it, as for all later runs.
  func start() { Publication.run { run(isFirst: true) } }

  private func signal(_ key: ReadKey, _ reason: EvaluationReason, isEnd: Bool) throws(PublicationCycle) {
    withLock {
      dirty.insert(key)
      if isEnd { isEndDue = true }
    }
    do throws(PublicationCycle) {
      // The deferred closure keeps the token alive. Otherwise a token allocated later at the same address could get the same key.
      let token = token
      try Publication.afterwards(once: ObjectIdentifier(token), "\(label) (\(reason))") { [weak self] in
        withExtendedLifetime(token) { self?.run(isFirst: false) }
      }
    } catch {
      withLock { refusal = error }
      throw error
    }
  }

  private func run(isFirst: Bool) {
    var isDue = isFirst
    while let (body, keys, isEnd) = begin() {
      if isDue || isEnd || tracker?.differs(in: keys) == true {
        withLock { runCount += 1 }
        Publication.calling { Reader.track(for: self, body) }
      }
      isDue = false
      if !finish() { break }
    }
  }

  /// - Returns: `nil` if the observer is cancelled or if a run is in progress. The run in progress repeats in that case.
  private func begin() -> (@Sendable () -> Void, Set<ReadKey>, isEnd: Bool)? {
    withLock {
      guard let body else { return nil }
      if phase != .idle {
        phase = .again
        return nil
      }
      phase = .running
      defer { (dirty, isEndDue) = ([], false) }
      return (body, dirty, isEndDue)
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
