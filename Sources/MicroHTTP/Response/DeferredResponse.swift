internal import MirrorSupport

/// A response that is completed later, once, from any thread, so that no thread waits for it. Each
/// request needs its own, because only one waiter is notified.
///
/// A handler returns or throws it as the ``HTTPResponse/deferred`` of a response, if
/// ``HTTPRequest/mayDefer``. The routes of `MirrorInspector` for feeds and pushes make them.
public final class DeferredResponse: Sendable {
  /// How a response is completed.
  public enum Completion: Sendable {
    /// The response that the handler has made is sent.
    case send
    /// A function makes the response in place of the route's handler. It runs on a worker, and its
    /// response may be deferred as well.
    case make(@Sendable (HTTPRequest) throws -> HTTPResponse)
    /// The request is handled again, on a thread that may wait.
    case handleAgain
  }

  private enum State: Sendable {
    case waiting((@Sendable (Completion) -> Void)?)
    case completed(Completion)
  }

  private let state = Guarded(State.waiting(nil))
  private let deadline = Guarded<Deadlines.Number?>(nil)

  /// Whether the body of the request is kept until the response is completed:
  /// ``Completion/handleAgain`` needs it.
  let keepsBody: Bool

  /// A response without a deadline.
  ///
  /// - Parameter keepsBody: whether the body of the request is kept meanwhile. Otherwise it is
  ///   empty when the response is completed.
  public init(keepsBody: Bool = false) { self.keepsBody = keepsBody }

  /// A response that is completed at a deadline, if not before.
  public convenience init(until time: ContinuousClock.Instant, keepsBody: Bool = false, orElse late: Completion) {
    self.init(keepsBody: keepsBody)
    let number = Deadlines.shared.add(time) { [weak self] in self?.complete(late) }
    deadline.withLock { $0 = number }
  }

  deinit { if let number = deadline.current { Deadlines.shared.remove(number) } }

  /// Completes the response. Only the first call has an effect.
  public func complete(_ completion: Completion) {
    let waiter = state.change { state -> (@Sendable (Completion) -> Void)? in
      guard case .waiting(let waiter) = state else { return nil }
      state = .completed(completion)
      return waiter
    }
    waiter?(completion)
  }

  /// Calls `body` once: now if the response is completed already, otherwise on the thread that
  /// completes it. To be called once, because a second body would replace the first.
  func whenCompleted(_ body: @escaping @Sendable (Completion) -> Void) {
    let completion = state.withLock { state -> Completion? in
      if case .completed(let completion) = state { return completion }
      state = .waiting(body)
      return nil
    }
    if let completion { body(completion) }
  }

  /// The response of a handler that waits for this object. If ``HTTPRequest/mayDefer``, the
  /// response is deferred. Otherwise the thread waits for the completion. The response is then that
  /// of ``Completion/make(_:)``, and empty for the other completions.
  public func response(for request: HTTPRequest) throws -> HTTPResponse {
    if request.mayDefer {
      var response = HTTPResponse()
      response.deferred = self
      return response
    }
    while true {
      var completion: Completion?
      _ = state.wait(until: .now + .seconds(3_600)) { state in
        if case .completed(let done) = state { completion = done }
        return completion != nil
      }
      if case .make(let body) = completion { return try body(request) }
      if completion != nil { return HTTPResponse() }
    }
  }
}

extension DeferredResponse: Hashable {
  /// Whether both are the same object.
  public static func == (a: DeferredResponse, b: DeferredResponse) -> Bool { a === b }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Calls functions at their times for ``DeferredResponse``, on one thread, which exists while any
/// function waits. The functions must be short.
final class Deadlines: Sendable {
  typealias Number = Int

  static let shared = Deadlines()

  private struct State {
    var waiting: [Number: (time: ContinuousClock.Instant, body: @Sendable () -> Void)] = [:]
    var last = 0
    var isRunning = false

    var earliest: ContinuousClock.Instant? { waiting.values.map(\.time).min() }

    mutating func takeDue() -> [@Sendable () -> Void] {
      let now = ContinuousClock.now
      let due = waiting.filter { $0.value.time <= now }
      for number in due.keys { waiting[number] = nil }
      return due.values.map(\.body)
    }
  }

  private let state = Guarded(State())

  /// - Returns: a number for ``remove(_:)``.
  func add(_ time: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) -> Number {
    let (number, isFirst) = state.change { state in
      state.last += 1
      state.waiting[state.last] = (time, body)
      defer { state.isRunning = true }
      return (state.last, !state.isRunning)
    }
    if isFirst, WorkerThread({ [self] in run() })?.detach() == nil {
      // If no thread can be started, all waiting functions are called at once.
      state.change { state in
        state.isRunning = false
        defer { state.waiting = [:] }
        return state.waiting.values.map(\.body)
      }.forEach { $0() }
    }
    return number
  }

  func remove(_ number: Number) { state.change { $0.waiting[number] = nil } }

  private func run() {
    while let next = state.withLock({ state in
      state.isRunning = !state.waiting.isEmpty
      return state.earliest
    }) {
      _ = state.wait(until: next) { $0.earliest.map { $0 < next } ?? true }
      for body in state.withLock({ $0.takeDue() }) { body() }
    }
  }
}
