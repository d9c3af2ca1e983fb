#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What one thread is in the middle of. Only that thread sees it, so it needs no lock.
///
/// A struct behind a pointer, found by a pthread key and freed when the thread ends: a signal looks at it twice, and
/// must not count references for that.
@usableFromInline struct ThreadContext {
  @usableFromInline typealias Pointer = UnsafeMutablePointer<ThreadContext>

  /// How many receivers are being called, one inside of another.
  var deliveries = 0
  /// How many publications have begun and not ended, one inside of another. Deliveries and deferred work are among them.
  private(set) var publications = 0
  /// How many signals in this publication went to receivers that were being called.
  var echoes = 0
  private(set) var deferred = DeferredWork()
  /// Whose closure runs, that wants to know what it reads; see ``Reader``.
  var owner: (any ReaderOwner)?

  @usableFromInline static var current: Pointer { ThreadKey.shared.context }

  // MARK: - Publications

  var isPublishing: Bool { publications > 0 }

  @usableFromInline mutating func enter() { publications += 1 }

  /// Ends what ``enter()`` began. The outermost one runs what was put off, until nothing is left.
  ///
  /// Static, since what runs here asks for the context again.
  @usableFromInline static func leave(_ context: Pointer) {
    if context.pointee.publications == 1 {
      if !context.pointee.deferred.isEmpty { runDeferred(context) }
      context.pointee.echoes = 0
    }
    context.pointee.publications -= 1
  }

  private static func runDeferred(_ context: Pointer) {
    while let item = context.pointee.deferred.next() { item.work() }
    context.pointee.deferred.end()
  }

  mutating func put(off label: String, once key: AnyHashable?, _ work: @escaping () -> Void) throws(PublicationCycle) {
    try deferred.append(label, once: key, work)
  }
}

/// Where a thread finds its context.
struct ThreadKey: Sendable {
  private let key: pthread_key_t

  static let shared = ThreadKey()

  private init() {
    var key = pthread_key_t()
    #if canImport(Darwin)
      pthread_key_create(&key) { ThreadKey.release($0) }
    #else
      pthread_key_create(&key) { if let context = $0 { ThreadKey.release(context) } }
    #endif
    self.key = key
  }

  var context: ThreadContext.Pointer {
    if let known = pthread_getspecific(key) { return known.assumingMemoryBound(to: ThreadContext.self) }
    let context = ThreadContext.Pointer.allocate(capacity: 1)
    context.initialize(to: ThreadContext())
    pthread_setspecific(key, context)
    return context
  }

  private static func release(_ context: UnsafeMutableRawPointer) {
    let context = context.assumingMemoryBound(to: ThreadContext.self)
    context.deinitialize(count: 1)
    context.deallocate()
  }
}
