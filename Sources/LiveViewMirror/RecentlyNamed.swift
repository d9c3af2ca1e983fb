/// Values by id, the last ``limit`` that were remembered; so ids that clients make up take bounded memory.
struct RecentlyNamed<Value: Sendable>: Sendable {
  static var limit: Int { 10_000 }

  private struct Entry: Sendable {
    var value: Value
    /// Its place in ``order``.
    var position: Int
  }

  private var entries: [String: Entry] = [:]
  /// The ids in the order in which they were remembered, also those that were taken or remembered anew since.
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

  /// The value of an id, which is no longer remembered then.
  ///
  /// - Complexity: O(1).
  mutating func take(_ id: String) -> Value? { entries.removeValue(forKey: id)?.value }
}
