package import MirrorSupport
internal import NodeObservation
package import RenderedTree

extension ChangeLog {
  /// The sums of the isolation reports of all diffs in a log. The calls are coalesced: one diff
  /// notifies each changed node at most once. Mounts are not included.
  ///
  /// The JSON of a view, its row in the journal, and its page in the inspector read the sums from
  /// ``ChangeLog/isolation``.
  public struct IsolationTotals: Sendable, Hashable {
    /// The number of diffs.
    public var diffs = 0
    /// The calls that were made, with one publisher for each node.
    public var selective = 0
    /// The calls that one publisher for all nodes would have made. It calls every subscriber for
    /// every changed node.
    public var filtered = 0
    /// The calls that would have been made if one object held the whole document: each diff with
    /// changes would call every subscriber once.
    public var whole = 0

    /// Sums of 0.
    public init() {}

    /// The calls that were saved, because only subscribers of changed nodes were notified.
    public var saved: Int { max(0, whole - selective) }

  }
}

extension ChangeLog.IsolationTotals: Projection {
  package static let name = "isolation"

  package mutating func add(_ record: ChangeRecord) {
    if record.version == 0 { return }
    diffs += 1
    selective += record.isolation.selective.coalesced
    filtered += record.isolation.filtered.coalesced
    whole += record.isolation.whole.coalesced
  }

  package func write(to writer: inout SnapshotWriter, _ statics: inout StaticsWriter) { write(to: &writer) }

  package init(from reader: inout SnapshotReader, _ statics: inout StaticsReader) throws(SnapshotError) {
    try self.init(from: &reader)
  }

  /// Writes the sums, to a snapshot or to the row of a view in the journal.
  func write(to writer: inout SnapshotWriter) {
    for count in [diffs, selective, filtered, whole] { writer.write(count: count) }
  }

  init(from reader: inout SnapshotReader) throws(SnapshotError) {
    diffs = try reader.count()
    selective = try reader.count()
    filtered = try reader.count()
    whole = try reader.count()
  }
}
