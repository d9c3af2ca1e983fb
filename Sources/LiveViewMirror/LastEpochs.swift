/// The epochs that views had reached when they were removed.
///
/// A view that comes again under the same id goes on from there: so an event, a link or a number that somebody kept of the
/// one before never means something in the new one. The last ``limit`` ids are remembered.
struct LastEpochs: Sendable {
  static let limit = 10_000

  private struct Removed {
    var epoch: Int
    /// Its place in ``order``.
    var position: Int
  }

  private var removed: [String: Removed] = [:]
  /// The ids in the order in which they were removed. One that came again meanwhile stands in it still.
  private var order = Chunks<String>()

  /// - Complexity: O(1).
  mutating func remember(_ epoch: Int, of id: String) {
    removed[id] = Removed(epoch: epoch, position: order.endIndex)
    order.append(id)
    if order.count > Self.limit, let oldest = order.first {
      if removed[oldest]?.position == order.startIndex { removed[oldest] = nil }
      order.removeFirst(1)
    }
  }

  /// The last epoch of an id, 0 where there was none; it is known no longer then.
  mutating func take(_ id: String) -> Int { removed.removeValue(forKey: id)?.epoch ?? 0 }
}
