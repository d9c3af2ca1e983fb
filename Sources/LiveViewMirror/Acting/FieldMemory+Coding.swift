internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The binary form of the fields, for the row of a view in a journal.
extension FieldMemory {
  /// The row is written with each diff, so the values of the last fields are left out if all values are longer than this.
  private static let longestStored = 32 << 10

  /// - Parameter epoch: the epoch of the nodes that are written. Others have left the document.
  /// - Complexity: O(*fields* log *fields* + *bytes*).
  func write(ofEpoch epoch: Int, to writer: inout SnapshotWriter) {
    writer.write(all: used.filter { $0.epoch == epoch }.map(\.number).sorted()) { $1.write(count: $0) }
    var room = Self.longestStored
    let texts = entries.filter { $0.key.epoch == epoch }.sorted { $0.key.number < $1.key.number }.map { node, entry in
      (node: node.number, value: entry.value.encoded, original: entry.original.encoded)
    }
    let kept = texts.prefix { text in
      room -= text.value.utf8.count + text.original.utf8.count
      return room >= 0
    }
    writer.write(all: Array(kept)) { text, writer in
      writer.write(count: text.node)
      writer.write(text.value)
      writer.write(text.original)
    }
  }

  /// - Parameter epoch: the epoch of the nodes.
  init(ofEpoch epoch: Int, from reader: inout SnapshotReader) throws(SnapshotError) {
    let used = try reader.all { reader throws(SnapshotError) in try reader.count() }
    let entries = try reader.all { reader throws(SnapshotError) in
      (node: try reader.count(), value: try reader.string(), original: try reader.string())
    }
    self.init()
    restore(used: used.map { NodeRef(epoch: epoch, number: $0) })
    for entry in entries {
      guard let value = JSON(parsing: entry.value), let original = JSON(parsing: entry.original) else { continue }
      restore(Entry(value: value, original: original), of: NodeRef(epoch: epoch, number: entry.node))
    }
  }
}
