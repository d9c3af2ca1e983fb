internal import MirrorSupport
internal import Synchronization

/// Serialises the updates of a document. The turn is held from the first step of an update until
/// all subscribers are notified. Each `LiveViewCoordinator` and each ``DocumentCoordinator`` has an
/// `UpdateTurn`.
///
/// A thread waits for the turn, except inside a delivery, that is, while it calls a subscriber.
/// Inside a delivery it takes the turn only if the turn is free. Waiting inside a delivery could
/// deadlock: two threads publish updates of two views, and a subscriber of each view updates the
/// other view.
///
/// Each turn is a publication, or a part of the running one. The publication ends after the turn is
/// released, so work that was deferred during the turn can take the turn again.
package final class UpdateTurn: Sendable {
  /// The reason why a turn was not taken.
  package enum Refusal: Error, Sendable {
    /// This thread already has the turn: a subscriber updates the document that is calling it.
    case ownDelivery
    /// Another thread has the turn, and this thread is inside a delivery, where it must not wait.
    case busy
  }

  private let lock = Lock()
  /// The address of the ``ThreadContext`` of the thread that has the turn, or 0.
  ///
  /// A thread only compares this address with the address of its own context, which no other thread
  /// stores here, so relaxed ordering is sufficient. A thread does not end while it has the turn,
  /// so the context of a later thread at the same address never finds its address here.
  private let holder = Atomic<UInt>(0)

  /// A free turn.
  package init() {}

  /// Runs `body` in a turn.
  ///
  /// - Parameters:
  ///   - refused: creates the error to throw if the turn is not taken.
  ///   - body: the update.
  /// - Returns: the result of `body`.
  /// - Throws: the error of `refused` or of `body`.
  package func take<Result, Failure: Error>(
    orElse refused: (Refusal) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let refusal = begin() { throw refused(refusal) }
    defer { end() }
    return try body()
  }

  /// Takes the turn and begins its publication.
  ///
  /// - Returns: `nil` if this thread now has the turn, otherwise the reason why not.
  private func begin() -> Refusal? {
    let context = ThreadContext.current
    let own = UInt(bitPattern: context)
    if holder.load(ordering: .relaxed) == own { return .ownDelivery }
    if context.pointee.deliveries == 0 {
      lock.lock()
    } else if !lock.tryLock() {
      return .busy
    }
    holder.store(own, ordering: .relaxed)
    context.pointee.enter()
    return nil
  }

  /// Releases the turn and then ends its publication.
  private func end() {
    holder.store(0, ordering: .relaxed)
    lock.unlock()
    ThreadContext.leave(ThreadContext.current)
  }
}
