internal import MarkupDocument
internal import MirrorSupport

/// The binary form of a page's size in the snapshot of a view. The size of the Rendered tree is not
/// written: it is measured again after the tree was read.
extension PageSize {
  func write(to writer: inout SnapshotWriter) {
    for size in [markup, fragments, document.nodes, document.attributes, document.bytes] { writer.write(count: size) }
  }

  init(from reader: inout SnapshotReader) throws(SnapshotError) {
    self.init(
      markup: try reader.count(), fragments: try reader.count(),
      document: DocumentSize(nodes: try reader.count(), attributes: try reader.count(), bytes: try reader.count()))
  }
}
