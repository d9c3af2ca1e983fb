/// The last ``limit`` values that were stored, by id. The limit bounds the memory for ids that clients make up.
struct RecentValues<Value: Sendable>: Sendable {
  static var limit: Int { 10_000 }

  private struct Entry: Sendable {
    var value: Value
    /// The index of the id in ``order``.
    var position: Int
  }

  private var entries: [String: Entry] = [:]
  /// The ids in the order in which they were stored, including ids that were taken or stored again since.
  private var order = Chunks<String>()

  /// - Complexity: O(1).
  subscript(id: String) -> Value? { entries[id]?.value }

  /// - Complexity: O(1).
  mutating func remember(_ value: Value, of id: String) {
    entries[id] = Entry(value: value, position: order.endIndex)
    order.append(id)
    if order.count > Self.limit, let oldest = order.first {
      if entries[oldest]?.position == order.startIndex { entries[oldest] = nil }
      order.removeFirst(1)
    }
  }

  /// Removes the value of an id.
  ///
  /// - Returns: the value, if there was one.
  /// - Complexity: O(1).
  mutating func take(_ id: String) -> Value? { entries.removeValue(forKey: id)?.value }
}
