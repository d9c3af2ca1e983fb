/// One update of a document at a time: held from its first step until everybody has been told.
///
/// Threads wait for it, but never from inside of a delivery. Two threads that each tell of one view, and each of whose
/// subscribers updates the other view, would wait for each other for ever. In there a turn is taken if it is free.
///
/// Each turn is a publication, or a part of the one that runs, that ends after the turn: so what was put off meanwhile
/// may take the turn again.
package final class UpdateTurn: Sendable {
  package enum Refusal: Error, Sendable {
    /// This thread has the turn: a subscriber updates what is calling it.
    case ownDelivery
    /// Another thread has it, and this one is inside of a delivery.
    case busy
  }

  private let lock = Lock()

  package init() {}

  deinit { lock.free() }

  package func take<Result, Failure: Error>(
    orElse refused: (Refusal) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let own = ObjectIdentifier(self)
    let context = ThreadContext.current
    if context.pointee.turns.contains(own) { throw refused(.ownDelivery) }
    return try Publication.run { () throws(Failure) -> Result in
      if context.pointee.deliveries == 0 {
        lock.lock()
      } else if !lock.lockIfFree() {
        throw refused(.busy)
      }
      context.pointee.turns.append(own)
      defer {
        context.pointee.turns.removeLast()
        lock.unlock()
      }
      return try body()
    }
  }
}
