internal import MirrorSupport

/// The part of a log in the snapshot of a view, see ``ViewState/snapshot()``. ``init(from:)`` must
/// read the numbers in the order in which ``write(to:)`` writes them.
extension ChangeLog {
  /// Writes the sums. The entries are not part of a snapshot, so the restored log counts all of
  /// them as evicted.
  func write(to writer: inout SnapshotWriter) {
    writer.write(count: evicted + keptEntryCount)
    writer.write(end != nil)
    if let end {
      writer.write(count: end.version)
      writer.write(count: end.rejections)
    }
    for sum in [diffCount, rejectionCount, bytes, diffBytes] { writer.write(count: sum) }
  }

  /// Reads what ``write(to:)`` has written. The analyses of the log are read later, from other
  /// sections of the snapshot.
  init(from reader: inout SnapshotReader) throws(SnapshotError) {
    let evicted = try reader.count()
    let end =
      try reader.flag() ? Cursor(version: try reader.count(), rejections: try reader.count()) : nil
    let (diffCount, rejectionCount) = (try reader.count(), try reader.count())
    let (bytes, diffBytes) = (try reader.count(), try reader.count())
    self.init(
      evicting: evicted, through: end, diffCount: diffCount, rejectionCount: rejectionCount, bytes: bytes,
      diffBytes: diffBytes)
  }
}
