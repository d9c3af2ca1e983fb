internal import MirrorSupport

/// A value that arrives once; later values are ignored. Any number of tasks can wait for it.
/// ``Signals`` has one for the first signal, and ``OwnMirror`` one for the end of its process.
final class Arrival<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiting: [AsyncStream<Value>.Continuation] = []
  }

  private let state = Guarded(State())

  /// The value; `nil` until it has arrived.
  var value: Value? { state.withLock { $0.value } }

  /// Sets the value, and resumes all waiting tasks.
  ///
  /// - Returns: `false` if another value was set before.
  @discardableResult
  func set(_ value: Value) -> Bool {
    let waiting: [AsyncStream<Value>.Continuation]? = state.withLock { state in
      guard state.value == nil else { return nil }
      state.value = value
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting ?? [] { continuation.yield(value) }
    return waiting != nil
  }

  /// Waits for the value.
  ///
  /// - Parameter limit: the time to wait; `nil` for any time.
  /// - Returns: `nil` if the time is over or the task was cancelled.
  func wait(atMost limit: Duration? = nil) async -> Value? {
    let (values, continuation) = AsyncStream<Value>.makeStream()
    let arrived: Value? = state.withLock { state in
      if state.value == nil { state.waiting.append(continuation) }
      return state.value
    }
    if let arrived { return arrived }
    let timer = limit.map { limit in
      Task {
        try? await Task.sleep(for: limit)
        continuation.finish()
      }
    }
    defer { timer?.cancel() }
    return await values.first { _ in true }
  }

  /// Waits for an operation. If the limit passes or the task is cancelled before the operation has
  /// ended, the operation continues by itself.
  ///
  /// - Returns: `nil` if the operation has not ended in time.
  static func of(
    atMost limit: Duration, _ operation: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let arrival = Arrival()
    Task { arrival.set(await operation()) }
    return await arrival.wait(atMost: limit)
  }
}
