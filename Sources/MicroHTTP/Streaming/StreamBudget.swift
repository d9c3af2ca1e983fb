internal import Synchronization

/// The memory that the queues of several streams share. While they exceed it together, each stream may have an equal share only: a client that
/// reads nothing is disconnected earlier than usual. A client that has read everything still gets the next bytes, up to twice the limit.
public final class StreamBudget: Sendable {
  /// The maximum number of bytes that wait in all queues.
  public let limit: Int
  private let waiting = Atomic<Int>(0)
  private let streams = Atomic<Int>(0)

  /// - Parameter limit: in bytes.
  public init(limit: Int) { self.limit = max(0, limit) }

  /// The number of bytes that wait in all queues. Bytes that wait in several queues count several times.
  public var bytes: Int { waiting.load(ordering: .relaxed) }

  /// How many bytes may wait in one queue.
  ///
  /// - Parameters:
  ///   - capacity: if all queues have room.
  ///   - bytes: the bytes to add.
  ///   - waiting: the bytes that wait in the queue.
  func capacity(from capacity: Int, adding bytes: Int, to waiting: Int) -> Int {
    if self.bytes + bytes <= (waiting == 0 ? 2 * limit : limit) { return capacity }
    return min(capacity, limit / max(1, streams.load(ordering: .relaxed)))
  }

  func add(_ bytes: Int) {
    if bytes != 0 { waiting.add(bytes, ordering: .relaxed) }
  }

  func add(streams count: Int) { streams.add(count, ordering: .relaxed) }
}
