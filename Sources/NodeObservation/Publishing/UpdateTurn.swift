internal import Synchronization

/// One update of a document at a time: held from its first step until everybody has been told.
///
/// Threads wait for it, but never from inside of a delivery. Two threads that each tell of one view, and each of whose
/// subscribers updates the other view, would wait for each other for ever. In there a turn is taken if it is free.
///
/// Each turn is a publication, or a part of the one that runs, that ends after the turn: so what was put off meanwhile
/// may take the turn again.
@usableFromInline package final class UpdateTurn: Sendable {
  @usableFromInline package enum Refusal: Error, Sendable {
    /// This thread has the turn: a subscriber updates what is calling it.
    case ownDelivery
    /// Another thread has it, and this one is inside of a delivery.
    case busy
  }

  private let lock = Lock()
  /// The address of the context of the thread that has it, or 0. A thread asks for its own alone, which nobody else
  /// writes here: so it need not wait to ask. A thread that ends has no turn, so who gets its address finds 0 here.
  private let holder = Atomic<UInt>(0)

  package init() {}

  deinit { lock.free() }

  @inlinable package func take<Result, Failure: Error>(
    orElse refused: (Refusal) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let refusal = begin() { throw refused(refusal) }
    defer { end() }
    return try body()
  }

  @usableFromInline func begin() -> Refusal? {
    let context = ThreadContext.current
    let own = UInt(bitPattern: context)
    if holder.load(ordering: .relaxed) == own { return .ownDelivery }
    if context.pointee.deliveries == 0 {
      lock.lock()
    } else if !lock.lockIfFree() {
      return .busy
    }
    holder.store(own, ordering: .relaxed)
    context.pointee.enter()
    return nil
  }

  @usableFromInline func end() {
    holder.store(0, ordering: .relaxed)
    lock.unlock()
    ThreadContext.leave(ThreadContext.current)
  }
}
