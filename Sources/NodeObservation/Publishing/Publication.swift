/// The calls on one thread from the first signal of an update until all subscribers and all
/// deferred work have run. Every signal of ``NodePublishers`` and of a ``Relay`` is a part of a
/// publication.
///
/// A subscriber often reacts to a change with another change. If the second change were made at
/// once, it would reach some subscribers before they have been notified of the first change.
/// Therefore the second change is deferred until all subscribers have been notified:
///
/// ```swift
/// let subscription = coordinator.publishers.subscribe(to: node) { _ in
///   try? Publication.afterwards("count") { count += 1 }
/// }
/// ```
///
/// Deferred work runs on the same thread in the order in which it was deferred, and may defer more
/// work. Work that keeps deferring itself is stopped: see ``PublicationCycle``.
public enum Publication {
  /// The maximum length of a chain of deferred work, in which each piece of work defers the next
  /// one.
  public static let maximumDepth = 100

  /// The maximum number of pieces of work that deferred work may defer in one publication.
  public static let maximumFollowUps = 100_000

  /// Whether this thread calls subscribers, is inside ``run(_:)``, or runs deferred work.
  public static var isRunning: Bool { ThreadContext.current.pointee.isPublishing }

  /// Combines all signals that `body` sends into one publication. Work that is deferred meanwhile
  /// runs when `body` has returned or thrown. Inside another publication, `body` becomes a part of
  /// that publication.
  @inlinable public static func run<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let context = ThreadContext.current
    context.pointee.enter()
    defer { ThreadContext.leave(context) }
    return try body()
  }

  /// Runs `work` on this thread when the running publication has ended. If no publication is
  /// running, `work` runs at once as a publication of its own.
  ///
  /// - Parameters:
  ///   - label: the name of the work in a ``PublicationCycle``.
  ///   - work: the work to defer.
  /// - Throws: ``PublicationCycle`` if a chain of deferred work that defers more work exceeds
  ///   ``maximumDepth``, or if this publication has more than ``maximumFollowUps`` pieces of such
  ///   work. `work` does not run then. Work that was deferred before still runs.
  public static func afterwards(_ label: String, _ work: @escaping () -> Void) throws(PublicationCycle) {
    try postpone(label, once: nil, work)
  }

  /// The same as ``afterwards(_:_:)``, for work that needs to run only once: if work with the same
  /// key is already waiting, `work` is ignored. Once the waiting work has begun, the key can be
  /// used again.
  ///
  /// - Parameters:
  ///   - key: identifies the work.
  ///   - label: the name of the work in a ``PublicationCycle``.
  ///   - work: the work to defer.
  /// - Throws: ``PublicationCycle``, see ``afterwards(_:_:)``.
  public static func afterwards(
    once key: some Hashable & Sendable, _ label: String, _ work: @escaping () -> Void
  ) throws(PublicationCycle) {
    try postpone(label, once: AnyHashable(key), work)
  }

  private static func postpone(
    _ label: String, once key: AnyHashable?, _ work: @escaping () -> Void
  ) throws(PublicationCycle) {
    let context = ThreadContext.current
    context.pointee.enter()
    defer { ThreadContext.leave(context) }
    try context.pointee.postpone(label, once: key, work)
  }

  /// Runs `body` as if a subscriber were being called, so that neither a cancellation nor an update
  /// inside `body` waits for other threads. Used for calls of foreign code that is not a
  /// subscriber, such as the evaluation of a view.
  package static func calling<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let context = ThreadContext.current
    context.pointee.enter()
    context.pointee.deliveries += 1
    defer {
      context.pointee.deliveries -= 1
      ThreadContext.leave(context)
    }
    return try body()
  }
}
