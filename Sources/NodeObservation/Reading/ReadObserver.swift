#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// Runs a closure, and again whenever something that it has read differs.
///
/// ```swift
/// let observer = observe {
///   print(coordinator.element(node)["class"] ?? "none", filter)   // `filter` is `@Shared`
/// }
/// ```
///
/// It sees the elements that are read by ``NodeCoordinator/element(_:)``, ``Shared`` values, ``Tracked`` properties and
/// the ``State`` behind a binding. It runs again when the publication in which something changed has ended, once however
/// much did, and not at all where everything is again what it was. What it does not read any more does not concern it.
///
/// - Parameters:
///   - label: what to call it in a ``PublicationCycle``.
///   - body: runs at once, then on the thread that publishes; on one thread at a time.
/// - Returns: what ends it when it is cancelled or released.
public func observe(_ label: String = "observe", _ body: @escaping @Sendable () -> Void) -> ReadObserver {
  let observer = ReadObserver(label, body)
  observer.start()
  return observer
}

/// A closure that runs whenever something that it has read differs: see ``observe(_:_:)``.
public final class ReadObserver: Cancellable, ReaderOwner, @unchecked Sendable {
  private enum Phase { case idle, running, again }

  private let label: String
  private let lock = Lock()
  // Guarded by the lock.
  private var body: (@Sendable () -> Void)?
  private var phase = Phase.idle
  private var dirty: Set<ReadKey> = []
  /// Something that was read is gone: that counts, whatever is read instead.
  private var isEndDue = false
  private var runCount = 0
  private var refusal: PublicationCycle?
  private var tracker: Reader?
  /// What its work is known by while it waits.
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
    lock.free()
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// How often it ran.
  public var runs: Int { withLock { runCount } }

  /// The last time that it was not run, since it would have caused itself for ever.
  public var refused: PublicationCycle? { withLock { refusal } }

  /// How many elements and values it is told by.
  public var sources: Int { existingReader?.count ?? 0 }

  /// Ends it; a second time changes nothing. No run begins after this has returned. If the thread is not itself inside
  /// of a subscriber or of such a closure, none is running on another thread then either.
  public func cancel() {
    let gone = withLock {
      let gone = body
      body = nil
      if ThreadContext.current.pointee.deliveries == 0 { while phase != .idle { lock.wait() } }
      return gone
    }
    withExtendedLifetime(gone) {}
    existingReader?.end()
  }

  // MARK: - Running

  var existingReader: Reader? { tracker }
  func makeReader() -> Reader? { nil }

  /// What the first run causes comes after it, as with all others.
  func start() { Publication.run { run(isFirst: true) } }

  private func signal(_ key: ReadKey, _ reason: EvaluationReason, isEnd: Bool) throws(PublicationCycle) {
    withLock {
      dirty.insert(key)
      if isEnd { isEndDue = true }
    }
    do throws(PublicationCycle) {
      // Kept until then: an observer that is made where this one was, after it is released, must not have its key.
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

  /// `nil` where it was cancelled, or where another thread runs it: that will see to it.
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

  /// Says whether it has to be looked at again.
  private func finish() -> Bool {
    withLock {
      let again = phase == .again
      phase = .idle
      lock.wakeAll()
      return again
    }
  }
}
