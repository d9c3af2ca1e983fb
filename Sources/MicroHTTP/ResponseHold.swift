internal import MirrorSupport

/// Holds a response back until it is decided whether it may be sent, so that no thread waits for the decision.
///
/// Only requests with ``HTTPRequest/allowsHold`` may have such a response.
public final class ResponseHold: Sendable {
  /// What becomes of a response that is held back.
  public enum Decision: Sendable {
    /// It is sent.
    case send
    /// The error is sent instead.
    case refuse(HTTPError)
    /// The request is handled again, on a thread that may wait, and without a hold.
    case handleAgain
  }

  private enum State: Sendable {
    case undecided(waiter: (@Sendable (Decision) -> Void)?)
    case decided(Decision)
  }

  private let state = Guarded(State.undecided(waiter: nil))

  /// A hold that is not decided.
  public init() {}

  /// Decides, once, from any thread.
  public func decide(_ decision: Decision) {
    let waiter = state.withLock { state -> (@Sendable (Decision) -> Void)? in
      guard case .undecided(let waiter) = state else { return nil }
      state = .decided(decision)
      return waiter
    }
    waiter?(decision)
  }

  /// Calls `body` once, now or when the decision is made, on the thread that makes it.
  func whenDecided(_ body: @escaping @Sendable (Decision) -> Void) {
    let isDecided = state.withLock { state in
      if case .undecided = state {
        state = .undecided(waiter: body)
        return false
      }
      return true
    }
    guard isDecided, case .decided(let decision) = state.current else { return }
    body(decision)
  }
}

extension ResponseHold: Hashable {
  /// Whether both are the same object.
  public static func == (a: ResponseHold, b: ResponseHold) -> Bool { a === b }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
