internal import LiveViewMirror
internal import MarkupDocument

/// What happened to one node, version by version, as far back as the log goes: also of a node that is gone.
struct Biography {
  struct Event {
    var version: Int
    var change: Change
    var slots: [String]
  }

  /// Oldest first: that which made the node, then those that changed, moved and removed it.
  private(set) var events: [Event] = []
  /// In how many further versions its subscribers were told, because its children changed.
  private(set) var toldOnly = 0
  /// The node as it was made.
  private(set) var origin: NodeContent?

  /// - Complexity: O(*changes in the log*).
  init(of node: NodeRef, in log: ChangeLog) {
    for case (_, .applied(let record)) in log.page(after: nil, limit: .max, node: node).entries {
      let before = events.count
      for (position, change) in record.changeSet.changes.enumerated() where change.concerns(node) {
        let slots = record.slots.indices.contains(position) ? record.slots[position] : []
        events.append(Event(version: record.version, change: change, slots: slots))
        if case .add(let subtree, _) = change { origin = subtree.nodes.first { $0.ref == node }?.content ?? origin }
      }
      if events.count == before { toldOnly += 1 }
    }
  }

  var madeAt: Int? {
    events.first.flatMap { if case .add = $0.change { $0.version } else { nil } }
  }

  var removedAt: Int? {
    events.last.flatMap { if case .remove = $0.change { $0.version } else { nil } }
  }
}
