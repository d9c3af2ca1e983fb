internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The templates in the snapshot of a view, see ``ViewState/snapshot()``.
extension TemplateTable {
  /// Writes all statics of the table, including those that the tree does not have any more: the
  /// number of all statics decides when a full update removes the unused ones. The templates are
  /// not written: they are read again from the statics.
  ///
  /// Must be called after all other parts that write statics. The statics that these parts have
  /// written come first, in the order of their numbers. The remaining ones are sorted by their
  /// strings, so the bytes are the same in every process.
  func write(to writer: inout SnapshotWriter, _ statics: inout StaticsWriter) {
    writer.write(count: linkedCount)
    let all = statics.sorted(allStatics)
    writer.write(count: all.count)
    for template in all { statics.write(template, to: &writer) }
  }

  /// - Throws: if the bytes are malformed, or if an instance does not have one node for each anchor
  ///   of its template.
  init(
    dialect: Dialect, from reader: inout SnapshotReader, _ statics: inout StaticsReader
  ) throws(SnapshotError) {
    let linkedCount = try reader.count(upTo: Int(Int32.max))
    var all: [Statics] = []
    for _ in 0..<(try reader.listCount()) { all.append(try statics.read(from: &reader)) }
    self.init(dialect: dialect, reading: all, linkedCount: linkedCount)
    for (template, anchors) in statics.linked {
      guard let known = self[template] else { continue }
      try reader.require(
        known.isReadable && known.anchors.count == anchors, "the nodes of an instance are not those of its template")
    }
  }
}
