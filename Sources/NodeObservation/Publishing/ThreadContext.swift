internal import CLibrary

/// The publication state of one thread. Only that thread accesses it, so it needs no lock.
/// ``Publication``, ``SubscriberTable`` and ``Reader`` keep their state of each thread in its
/// context.
///
/// The context is a struct behind a pointer, which is stored under a pthread key and freed when the
/// thread ends. A class would cost reference counting for every signal.
@usableFromInline package struct ThreadContext {
  @usableFromInline package typealias Pointer = UnsafeMutablePointer<ThreadContext>

  /// The nesting depth of deliveries and other calls of foreign code, see
  /// ``Publication/calling(_:)``.
  package var deliveries = 0
  /// The nesting depth of publications. Each delivery is also a publication. While deferred work
  /// runs, the depth is at least 1.
  private(set) var publications = 0
  /// The number of nested signals in this publication to receivers that were already being called.
  var echoes = 0
  private(set) var deferred = DeferredWork()
  /// Whether this thread runs an action for a value that a publisher has not stored yet. Views that
  /// become invalid meanwhile must be evaluated later.
  package var isAnnouncing = false
  /// The owner of the running closure whose reads are tracked; see ``Reader``.
  package var owner: (any ReaderOwner)?

  /// The context of the calling thread, created at the first access.
  @usableFromInline package static var current: Pointer { ThreadKey.shared.context }

  // MARK: - Publications

  var isPublishing: Bool { publications > 0 }

  @usableFromInline mutating func enter() { publications += 1 }

  /// Ends the publication that ``enter()`` began. The outermost publication first runs all deferred
  /// work.
  ///
  /// Static, because the deferred work accesses the context itself: a `mutating` method would
  /// violate exclusivity.
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

  mutating func postpone(_ label: String, once key: AnyHashable?, _ work: @escaping () -> Void) throws(PublicationCycle)
  {
    try deferred.append(label, once: key, work)
  }
}

/// The pthread key under which each thread stores its context.
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
