internal import MirrorSupport

/// The pending stream operation of a comprehension, in the snapshot of its tree. Both methods must
/// have the same fields in the same order.
extension StreamOperation {
  func write(to writer: inout SnapshotWriter) {
    writer.write(ref)
    writer.write(all: inserts) { insert, writer in
      writer.write(insert.id)
      writer.write(signed: insert.at)
      writer.write(signed: insert.limit)
      writer.write(insert.updateOnly)
      writer.write(insert.sendsUpdateOnly)
    }
    writer.write(all: deletes) { $1.write($0) }
    writer.write(reset)
  }

  init(from reader: inout SnapshotReader) throws(SnapshotError) {
    self.init(
      ref: try reader.string(),
      inserts: try reader.all { reader throws(SnapshotError) in
        Insert(
          id: try reader.string(), at: try reader.signed(), limit: try reader.optionalSigned(),
          updateOnly: try reader.flag(), sendsUpdateOnly: try reader.flag())
      },
      deletes: try reader.all { reader throws(SnapshotError) in try reader.string() }, reset: try reader.flag())
  }
}
