internal import MarkupDocument

/// The mirror's own observers: every element has one, so each is no more than a number, how often its node was told.
struct MountedCounters: Sendable {
  /// By epoch. There is one epoch nearly always: two while a document is being replaced.
  private var tables: [Int: NumberTable] = [:]

  subscript(node: NodeRef) -> Int? { tables.isEmpty ? nil : tables[node.epoch]?[node.number].map(Int.init) }

  func contains(_ node: NodeRef) -> Bool { self[node] != nil }

  var count: Int { tables.values.reduce(0) { $0 + $1.count } }

  func forEach(_ body: (NodeRef) -> Void) {
    for (epoch, table) in tables {
      for number in table.numbers { body(NodeRef(epoch: epoch, number: number)) }
    }
  }

  mutating func mount(_ node: NodeRef) { tables[node.epoch, default: NumberTable()][node.number] = 0 }

  mutating func mount(_ numbers: [Int], epoch: Int) { tables[epoch, default: NumberTable()].insert(numbers, value: 0) }

  /// Counts a signal, and says whether there is a counter.
  mutating func increment(_ node: NodeRef) -> Bool {
    !tables.isEmpty && tables[node.epoch]?.increment(node.number) == true
  }

  /// Says whether there was one.
  mutating func remove(_ node: NodeRef) -> Bool {
    !tables.isEmpty && tables[node.epoch]?.remove(node.number) == true
  }

  mutating func removeAll(before epoch: Int) {
    for known in tables.keys where known < epoch { tables[known] = nil }
  }
}
