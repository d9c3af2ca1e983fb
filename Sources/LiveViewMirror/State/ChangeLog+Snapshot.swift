internal import MirrorSupport

extension ChangeLog {
  /// Writes the sums and the findings. The entries are not written: the restored log has evicted all of them.
  func write(to writer: inout SnapshotWriter) {
    writer.write(count: evicted + keptEntries)
    writer.write(end != nil)
    if let end {
      writer.write(count: end.version)
      writer.write(count: end.rejections)
    }
    for sum in [diffs, rejected, bytes, diffBytes] { writer.write(count: sum) }
    for sum in [isolation.diffs, isolation.selective, isolation.filtered, isolation.whole] { writer.write(count: sum) }
    findings.write(to: &writer)
  }

  init(from reader: inout SnapshotReader) throws(SnapshotError) {
    let evicted = try reader.count()
    let end =
      try reader.flag() ? Cursor(version: try reader.count(), rejections: try reader.count()) : nil
    let (diffs, rejected) = (try reader.count(), try reader.count())
    let (bytes, diffBytes) = (try reader.count(), try reader.count())
    var isolation = IsolationTotals()
    isolation.diffs = try reader.count()
    isolation.selective = try reader.count()
    isolation.filtered = try reader.count()
    isolation.whole = try reader.count()
    self.init(
      evicting: evicted, through: end, diffs: diffs, rejected: rejected, isolation: isolation, bytes: bytes,
      diffBytes: diffBytes, findings: try Findings(from: &reader))
  }
}
