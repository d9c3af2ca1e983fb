internal import MirrorSupport

/// Holds a response back until it is decided whether it may be sent, so that no thread waits for the decision.
///
/// Only requests with ``HTTPRequest/allowsHold`` may have such a response.
public final class ResponseHold: Sendable {
  private enum State: Sendable {
    case undecided(waiter: (@Sendable (HTTPError?) -> Void)?)
    case decided(HTTPError?)
  }

  private let state = Guarded(State.undecided(waiter: nil))

  /// A hold that is not decided.
  public init() {}

  /// Decides, once, from any thread.
  ///
  /// - Parameter error: the error to send instead; `nil` to send the response.
  public func decide(_ error: HTTPError?) {
    let waiter = state.withLock { state -> (@Sendable (HTTPError?) -> Void)? in
      guard case .undecided(let waiter) = state else { return nil }
      state = .decided(error)
      return waiter
    }
    waiter?(error)
  }

  /// Calls `body` once, now or when the decision is made, on the thread that makes it.
  func whenDecided(_ body: @escaping @Sendable (HTTPError?) -> Void) {
    let isDecided = state.withLock { state in
      if case .undecided = state {
        state = .undecided(waiter: body)
        return false
      }
      return true
    }
    guard isDecided, case .decided(let error) = state.withLock({ $0 }) else { return }
    body(error)
  }
}

extension ResponseHold: Hashable {
  /// Whether both are the same object.
  public static func == (a: ResponseHold, b: ResponseHold) -> Bool { a === b }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
