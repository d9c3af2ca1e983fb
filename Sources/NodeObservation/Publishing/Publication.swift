/// What runs on one thread from the first signal of an update until nobody has anything to do any more.
///
/// Whoever is told of a change often wants to change something. Done at once, that would reach others while some have
/// not heard of the first change; so it is put off until everybody has:
///
/// ```swift
/// let subscription = coordinator.publishers.subscribe(to: node) { _ in
///   try? Publication.afterwards("count") { count += 1 }
/// }
/// ```
///
/// What is put off runs in the order in which it was, on the same thread, and may put off more. Who does so for ever is
/// stopped: see ``PublicationCycle``.
public enum Publication {
  /// How many times work that was put off may put off work in turn.
  public static let maximumDepth = 100

  /// How much work in one publication may be put off by work that was put off.
  public static let maximumFollowUps = 100_000

  /// Whether this thread calls receivers, is inside of ``run(_:)``, or runs work that was put off.
  public static var isRunning: Bool { ThreadContext.current.pointee.isPublishing }

  /// Makes everything that `body` sends one publication: what is put off meanwhile runs when `body` has returned or
  /// thrown. Inside of another publication it is a part of that one.
  @inlinable public static func run<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let context = ThreadContext.current
    context.pointee.enter()
    defer { ThreadContext.leave(context) }
    return try body()
  }

  /// Runs `work` when the publication that runs on this thread has ended; at once, as a publication of its own, where
  /// none runs.
  ///
  /// - Parameters:
  ///   - label: what to call the work in a ``PublicationCycle``.
  ///   - work: runs on this thread.
  /// - Throws: where the work that asks for this was put off by work that was put off …, more than ``maximumDepth``
  ///   times, or where there was more than ``maximumFollowUps`` of such work. `work` is not run then; what waits already
  ///   is.
  public static func afterwards(_ label: String, _ work: @escaping () -> Void) throws(PublicationCycle) {
    try putOff(label, once: nil, work)
  }

  /// The same for work that needs to be done only once however often it is asked for: while some with this key waits,
  /// more of it is not taken. Once it runs, it may be asked for again.
  public static func afterwards(
    once key: some Hashable & Sendable, _ label: String, _ work: @escaping () -> Void
  ) throws(PublicationCycle) {
    try putOff(label, once: AnyHashable(key), work)
  }

  private static func putOff(
    _ label: String, once key: AnyHashable?, _ work: @escaping () -> Void
  ) throws(PublicationCycle) {
    let context = ThreadContext.current
    context.pointee.enter()
    defer { ThreadContext.leave(context) }
    try context.pointee.put(off: label, once: key, work)
  }

  /// Counts as a delivery what calls foreign code as one does, such as the evaluation of a view: whoever cancels in
  /// there does not wait for other threads, and no update from there does.
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
