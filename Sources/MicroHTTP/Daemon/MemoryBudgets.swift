internal import MirrorSupport
internal import Synchronization

/// Bounds the body of one request.
struct BodyLimits: Sendable {
  /// The longest body that a handler gets.
  let accepted: Int
  /// The longest body that is read to its end and discarded. Many clients read the response, a 413,
  /// only after they have written the whole body.
  let discarded: Int
  /// Shared by all requests.
  let budget: BodyBudget

  init(accepted: Int, budget: BodyBudget) {
    self.accepted = accepted
    self.budget = budget
    discarded = max(accepted, min(accepted, 16 << 20) * 8)
  }

  var exceeded: HTTPError {
    HTTPError(.contentTooLarge, "The body must have at most \(accepted) bytes.")
  }
}

/// Bounds the memory of all request bodies that are being received, together.
///
/// Without it, 1,024 connections with a body of 16 MiB each (the default limits) could take 16 GiB.
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

  /// What a body takes, until nothing refers to it.
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

/// Bounds the memory of all long responses that clients have not read yet. Bytes that several
/// responses share count once.
///
/// A client that reads nothing keeps its response in memory until the connection monitor closes the
/// connection. While the responses take ``limit`` or more, requests on workers are refused before
/// they run. The total can exceed ``limit`` by the responses of the requests that were already
/// running.
final class ResponseBudget: Sendable {
  let limit: Int
  private let holders = Guarded<[UnsafeRawPointer: Int]>([:])
  private let used = Atomic<Int>(0)

  init(limit: Int) { self.limit = limit }

  /// Bytes of the responses that are being sent.
  var bytes: Int { used.load(ordering: .relaxed) }

  var isFull: Bool { bytes >= limit }

  /// - Parameter start: the address of the bytes, unique while a response retains them.
  func hold(_ start: UnsafeRawPointer, _ count: Int) {
    holders.withLock { holders in
      holders[start, default: 0] += 1
      if holders[start] == 1 { used.add(count, ordering: .relaxed) }
    }
  }

  func release(_ start: UnsafeRawPointer, _ count: Int) {
    holders.withLock { holders in
      guard let others = holders[start].map({ $0 - 1 }) else { return }
      holders[start] = others == 0 ? nil : others
      if others == 0 { used.subtract(count, ordering: .relaxed) }
    }
  }

  var exceeded: HTTPError {
    HTTPError(
      .serviceUnavailable, "The responses that clients have not read yet take all the memory reserved for them.",
      headers: ["Retry-After": "1"])
  }
}
