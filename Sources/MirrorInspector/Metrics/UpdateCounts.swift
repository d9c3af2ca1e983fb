internal import LiveViewMirror
internal import MarkupDocument

/// Counts the inputs of the views, their changes, notifications and durations. ``Metrics`` has one
/// behind a lock. ``Metrics`` adds only the entries that this mirror has accepted, not those of
/// other mirrors.
struct UpdateCounts: Sendable {
  private(set) var mounts = 0
  private(set) var diffs = 0
  private(set) var rejected = 0
  /// The number of diffs that were applied by full updates, see ``UpdatePath``.
  private(set) var full = 0
  /// The bytes of all inputs, including rejected ones.
  private(set) var bytes = 0
  private(set) var changes = Changes()
  private(set) var notifications = 0
  private(set) var removed: [RemovalReason: Int] = [:]
  private(set) var time = Histogram.ofUpdates
  private(set) var stages = ChangeRecord.Timings()
  /// The number of nodes of each view, so that a removed view can be subtracted from the sum.
  private var nodesOfViews: [String: Int] = [:]
  /// The number of nodes of all views that were updated since the start of the mirror. A view that
  /// a journal has restored counts from its first update.
  private(set) var nodes = 0

  struct Changes: Sendable {
    var text = 0
    var attributes = 0
    var add = 0
    var remove = 0
    var move = 0
  }

  mutating func add(_ entry: ChangeLog.Entry, of view: String) {
    switch entry.outcome {
    case .applied(let record): add(record, of: view)
    case .rejected(let rejection):
      rejected += 1
      bytes += rejection.bytes
    }
  }

  private mutating func add(_ record: ChangeRecord, of view: String) {
    if record.version == 0 { mounts += 1 } else { diffs += 1 }
    if case .full = record.path, record.version > 0 { full += 1 }
    bytes += record.bytes
    notifications += record.observerCount
    var isSameCount = record.version > 0
    for change in record.changeSet.changes {
      switch change {
      case .text: changes.text += 1
      case .attributes: changes.attributes += 1
      case .add:
        changes.add += 1
        isSameCount = false
      case .remove:
        changes.remove += 1
        isSameCount = false
      case .move: changes.move += 1
      }
    }
    if !isSameCount || nodesOfViews[view] == nil {
      nodes += record.nodeCount - (nodesOfViews.updateValue(record.nodeCount, forKey: view) ?? 0)
    }
    time.add(nanoseconds: record.timings.total * 1_000)
    stages.add(record.timings)
  }

  mutating func remove(_ view: String, because reason: RemovalReason) {
    removed[reason, default: 0] += 1
    nodes -= nodesOfViews.removeValue(forKey: view) ?? 0
  }
}

extension ChangeRecord.Timings {
  fileprivate mutating func add(_ other: ChangeRecord.Timings) {
    decode += other.decode
    merge += other.merge
    render += other.render
    parse += other.parse
    morph += other.morph
    trace += other.trace
    publish += other.publish
    views += other.views
  }

  /// The steps in the order in which they run, in microseconds.
  var stages: [(name: String, microseconds: Int)] {
    [
      ("decode", decode), ("merge", merge), ("render", render), ("parse", parse), ("morph", morph), ("trace", trace),
      ("publish", publish), ("views", views),
    ]
  }
}
