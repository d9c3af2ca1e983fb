internal import LiveViewMirror
internal import MarkupDocument

/// The changes of one node, version by version, as far back as the log reaches. The node may be removed.
struct Biography {
  struct Event {
    var record: ChangeRecord
    /// The position of the change in the record's change set.
    var position: Int
    var change: Change
  }

  /// Oldest first: the addition of the node, then its changes, moves and its removal.
  private(set) var events: [Event] = []
  /// The number of other versions that notified its subscribers, because its children changed.
  private(set) var notifiedOnly = 0
  /// The node when it was added.
  private(set) var origin: NodeContent?

  /// - Complexity: O(*changes in the log*).
  init(of node: NodeRef, in log: ChangeLog) {
    for case (_, .applied(let record)) in log.page(after: nil, limit: .max, node: node).entries {
      let before = events.count
      for (position, change) in record.changeSet.changes.enumerated() where change.concerns(node) {
        events.append(Event(record: record, position: position, change: change))
        if case .add(let subtree, _) = change { origin = subtree.nodes.first { $0.ref == node }?.content ?? origin }
      }
      if events.count == before { notifiedOnly += 1 }
    }
  }

  var madeAt: Int? {
    events.first.flatMap { if case .add = $0.change { $0.record.version } else { nil } }
  }

  var removedAt: Int? {
    events.last.flatMap { if case .remove = $0.change { $0.record.version } else { nil } }
  }
}
