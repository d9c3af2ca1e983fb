internal import MarkupDocument

/// The observers that the mirror itself mounts, one for each element. To save memory, each of them
/// is only a counter of the signals of its node. ``NodePublishers`` keeps the counters in its
/// ``SubscriberTable``, whose lock guards them. ``MountedObservers`` adds and removes counters.
struct MountedCounters: Sendable {
  /// The newest epoch. Counters of older epochs exist only while a document is being replaced.
  private var epoch = 0
  /// The counters of the newest epoch.
  private var table = NumberTable()
  /// The counters of older epochs, by epoch.
  private var older: [Int: NumberTable] = [:]

  /// The number of signals of a node; `nil` if it has no counter.
  subscript(node: NodeRef) -> Int? {
    (node.epoch == epoch ? table : older[node.epoch])?[node.number].map(Int.init)
  }

  func contains(_ node: NodeRef) -> Bool {
    node.epoch == epoch ? table.contains(node.number) : older[node.epoch]?.contains(node.number) == true
  }

  var count: Int { older.values.reduce(table.count) { $0 + $1.count } }

  func forEach(_ body: (NodeRef) -> Void) {
    for (epoch, table) in [(epoch, table)] + older.map({ ($0, $1) }) {
      for number in table.numbers { body(NodeRef(epoch: epoch, number: number)) }
    }
  }

  mutating func mount(_ node: NodeRef) {
    withTable(of: node.epoch) { $0[node.number] = 0 }
  }

  mutating func mount(_ numbers: [Int], epoch: Int) {
    withTable(of: epoch) { $0.insert(numbers, value: 0) }
  }

  /// Changes the table of an epoch. A newer epoch than before becomes the newest one, and the table
  /// of the previous epoch becomes an older one.
  private mutating func withTable(of epoch: Int, _ body: (inout NumberTable) -> Void) {
    if epoch > self.epoch {
      if table.count > 0 { older[self.epoch] = table }
      (self.epoch, table) = (epoch, NumberTable())
    }
    if epoch == self.epoch { body(&table) } else { body(&older[epoch, default: NumberTable()]) }
  }

  /// Increments the counter of a node.
  ///
  /// - Returns: whether the node has a counter.
  mutating func increment(_ node: NodeRef) -> Bool {
    if node.epoch == epoch { return table.count > 0 && table.increment(node.number) }
    return !older.isEmpty && older[node.epoch]?.increment(node.number) == true
  }

  /// Removes the counter of a node.
  ///
  /// - Returns: whether the node had a counter.
  mutating func remove(_ node: NodeRef) -> Bool {
    if node.epoch == epoch { return table.count > 0 && table.remove(node.number) }
    return !older.isEmpty && older[node.epoch]?.remove(node.number) == true
  }

  /// Removes the counters of all epochs before `epoch`.
  mutating func removeAll(before epoch: Int) {
    if self.epoch < epoch { table = NumberTable() }
    for known in older.keys where known < epoch { older[known] = nil }
  }
}
