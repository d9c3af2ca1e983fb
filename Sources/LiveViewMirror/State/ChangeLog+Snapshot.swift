internal import MirrorSupport

/// The part of a log in the snapshot of a view, see ``ViewState/snapshot()``. The numbers must be
/// read in the order in which they are written.
extension ChangeLog {
  /// Writes the sums. The entries are not written: the restored log has evicted all of them.
  func write(to writer: inout SnapshotWriter) {
    writer.write(count: evicted + keptEntryCount)
    writer.write(end != nil)
    if let end {
      writer.write(count: end.version)
      writer.write(count: end.rejections)
    }
    for sum in [diffCount, rejectionCount, bytes, diffBytes] { writer.write(count: sum) }
  }

  /// Reads what ``write(to:)`` has written. The log has no analyses yet, because other sections of
  /// the snapshot have them.
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
