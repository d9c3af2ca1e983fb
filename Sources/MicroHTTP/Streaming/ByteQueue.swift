internal import Synchronization

/// A queue of bytes, appended and taken in pieces of any size. ``HTTPStream`` has two, and uses
/// them under its lock.
///
/// - Complexity: amortised O(1) for each piece appended and each byte taken. Taken pieces stay in
///   the array until they are at least half of it, and are then removed together.
struct ByteQueue {
  private var pieces: [[UInt8]] = []
  /// The index of the first piece that is not taken completely, and how many of its bytes are
  /// taken.
  private var first = 0
  private var offset = 0
  /// The number of bytes in the queue.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    pieces.append(bytes)
    count += bytes.count
  }

  /// Takes the rest of the first piece; `nil` if the queue is empty.
  mutating func takeFirst() -> [UInt8]? {
    guard count > 0 else { return nil }
    let piece = offset == 0 ? pieces[first] : Array(pieces[first][offset...])
    count -= piece.count
    dropFirst()
    return piece
  }

  /// Moves bytes into the buffer until it is full or the queue is empty.
  ///
  /// - Returns: the number of bytes.
  mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while count > 0, filled < buffer.count {
      let taken = pieces[first].withUnsafeBytes { piece in
        let part = UnsafeRawBufferPointer(rebasing: piece[offset...].prefix(buffer.count - filled))
        UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: part)
        return part.count
      }
      filled += taken
      count -= taken
      offset += taken
      if offset == pieces[first].count { dropFirst() }
    }
    return filled
  }

  mutating func removeAll() { self = ByteQueue() }

  private mutating func dropFirst() {
    pieces[first] = []
    first += 1
    offset = 0
    if first * 2 >= pieces.count {
      pieces.removeFirst(first)
      first = 0
    }
  }
}

/// The memory that the queues of several streams share. While the queues together exceed it, each
/// queue may hold only an equal share, so a client that reads nothing is disconnected earlier than
/// usual. A client that has read everything still gets the next bytes, as long as all queues
/// together hold at most twice the limit. The `EventHub` of `MirrorInspector` has one for all its
/// streams.
public final class StreamBudget: Sendable {
  /// The maximum number of bytes that wait in all queues.
  public let limit: Int
  private let waiting = Atomic<Int>(0)
  private let streams = Atomic<Int>(0)

  /// - Parameter limit: in bytes.
  public init(limit: Int) { self.limit = max(0, limit) }

  /// The number of bytes that wait in all queues. Bytes that wait in several queues count several
  /// times.
  public var bytes: Int { waiting.load(ordering: .relaxed) }

  /// How many bytes may wait in one queue.
  ///
  /// - Parameters:
  ///   - capacity: the capacity of the queue while the budget is not exceeded.
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
