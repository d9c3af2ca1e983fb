/// The last ``limit`` values that were stored, by id. The limit bounds the memory for ids that
/// clients can choose freely: ``PageTable`` stores joins, and ``ViewDirectory`` the ends of views.
/// ``LiveViews`` and ``PeerRequests`` store the numbers of other mirrors' messages and requests.
///
/// An id that was stored several times counts each time towards ``limit``, so fewer values may be
/// left.
struct RecentValues<Value: Sendable>: Sendable {
  static var limit: Int { 10_000 }

  private struct Entry: Sendable {
    var value: Value
    /// The index of the id in ``order``.
    var position: Int
  }

  private var entries: [String: Entry] = [:]
  /// The ids in the order in which they were stored, including ids that were taken or stored again
  /// since.
  private var order = Chunks<String>()

  /// - Complexity: O(1).
  subscript(id: String) -> Value? { entries[id]?.value }

  /// The values with their ids, in the order in which they were stored.
  ///
  /// - Complexity: O(*ids*).
  var all: [(id: String, value: Value)] {
    order.indices.compactMap { position in
      let id = order[position]
      return entries[id].flatMap { $0.position == position ? (id, $0.value) : nil }
    }
  }

  /// Stores a value. If there are more than ``limit``, the oldest is dropped.
  ///
  /// - Returns: the id of the value that was dropped, if there was one.
  /// - Complexity: O(1).
  @discardableResult
  mutating func remember(_ value: Value, of id: String) -> String? {
    entries[id] = Entry(value: value, position: order.endIndex)
    order.append(id)
    guard order.count > Self.limit, let oldest = order.first else { return nil }
    let isDropped = entries[oldest]?.position == order.startIndex
    if isDropped { entries[oldest] = nil }
    order.removeFirst(1)
    return isDropped ? oldest : nil
  }

  /// Changes the value of an id. The id keeps its place in the order.
  ///
  /// - Returns: whether the id has a value.
  /// - Complexity: O(1).
  mutating func update(_ id: String, _ change: (inout Value) -> Void) -> Bool {
    guard var entry = entries[id] else { return false }
    change(&entry.value)
    entries[id] = entry
    return true
  }

  /// Removes the value of an id.
  ///
  /// - Returns: the value, if there was one.
  /// - Complexity: O(1).
  mutating func take(_ id: String) -> Value? { entries.removeValue(forKey: id)?.value }
}
