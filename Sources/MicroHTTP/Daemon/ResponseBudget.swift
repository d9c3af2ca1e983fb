internal import MirrorSupport
internal import Synchronization

/// Bounds the memory of all long responses that clients have not read yet. Bytes that several
/// responses share count once.
///
/// A client that reads nothing keeps its response in memory until the connection monitor closes the
/// connection. While the responses take ``limit`` or more, requests on workers are refused before
/// they run. The total can exceed ``limit`` by the responses of the requests that were already
/// running.
///
/// ``Connection`` holds the bytes of each response of 64 KiB and more until libmicrohttpd releases
/// the response. Each ``hold(_:_:)`` needs one ``release(_:_:)`` with the same address and count.
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
