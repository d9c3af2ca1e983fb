internal import MirrorSupport
internal import Synchronization

/// Bounds the memory of all request bodies that are being received, together.
///
/// Without it, 1,024 connections with a body of 16 MiB each (the default limits) could take 16 GiB.
/// An ``Exchange`` reserves memory for the bytes of its body as they arrive. Each reserved byte is
/// released once: by the exchange, or by the ``Share`` of the request that the handler gets.
final class BodyBudget: Sendable {
  let limit: Int
  private let used = Atomic<Int>(0)

  init(limit: Int) { self.limit = limit }

  /// - Returns: false, and reserves nothing, when less than `count` bytes are left.
  func reserve(_ count: Int) -> Bool {
    if used.add(count, ordering: .relaxed).newValue <= limit { return true }
    release(count)
    return false
  }

  func release(_ count: Int) {
    if count > 0 { used.subtract(count, ordering: .relaxed) }
  }

  /// The reservation of one body. It is released when nothing refers to the share any more.
  final class Share: Sendable {
    private let budget: BodyBudget
    private let count: Int

    /// - Parameter count: the bytes, which were reserved before.
    init(of budget: BodyBudget, count: Int) { (self.budget, self.count) = (budget, count) }

    deinit { budget.release(count) }
  }

  var exceeded: HTTPError {
    HTTPError(
      .serviceUnavailable, "The request bodies that are being received take all the memory reserved for them.",
      headers: ["Retry-After": "1"])
  }
}
