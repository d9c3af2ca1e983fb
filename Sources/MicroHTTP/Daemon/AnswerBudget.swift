internal import Synchronization

/// Bounds the memory of all long answers that clients have not read yet. Bytes that several answers share count once.
///
/// A client that reads nothing keeps its answer in memory until the watch closes the connection. While the answers take
/// ``limit`` or more, requests on workers are refused before they run. The total can exceed ``limit`` by the answers of
/// the requests that were already running.
final class AnswerBudget: Sendable {
  let limit: Int
  private let holders = Guarded<[UnsafeRawPointer: Int]>([:])
  private let used = Atomic<Int>(0)

  init(limit: Int) { self.limit = limit }

  /// Bytes of the answers on their way.
  var bytes: Int { used.load(ordering: .relaxed) }

  var isFull: Bool { bytes >= limit }

  /// - Parameter start: where the bytes lie. As long as an answer holds them, no others lie there.
  func hold(_ start: UnsafeRawPointer, _ count: Int) {
    holders.withLock { holders in
      holders[start, default: 0] += 1
      if holders[start] == 1 { used.add(count, ordering: .relaxed) }
    }
  }

  func letGo(_ start: UnsafeRawPointer, _ count: Int) {
    holders.withLock { holders in
      guard let others = holders[start].map({ $0 - 1 }) else { return }
      holders[start] = others == 0 ? nil : others
      if others == 0 { used.subtract(count, ordering: .relaxed) }
    }
  }

  var exceeded: HTTPError {
    HTTPError(
      .serviceUnavailable, "The answers that are on their way take all the memory there is for them.",
      headers: ["Retry-After": "1"])
  }
}
