internal import MirrorSupport

extension Marks {
  /// Writes the marks of a document's nodes, in the order of the nodes' numbers.
  func write(to writer: inout SnapshotWriter) {
    Self.write(origins, to: &writer) { origin, writer in
      writer.write(count: origin.group)
      writer.write(signed: origin.member)
      writer.write(origin.tag)
      writer.write(count: origin.ordinal)
    }
    Self.write(roots, to: &writer) { $1.write(count: $0) }
    Self.write(streams, to: &writer) { $1.write($0) }
    Self.write(ignored, to: &writer) { names, writer in writer.write(all: names) { $1.write($0) } }
    Self.write(portals, to: &writer) { $1.write($0) }
  }

  private static func write<Value>(
    _ values: [NodeRef: Value], to writer: inout SnapshotWriter, _ body: (Value, inout SnapshotWriter) -> Void
  ) {
    var last = 0
    writer.write(all: values.sorted { $0.key < $1.key }) { entry, writer in
      writer.write(count: entry.key.number, after: last)
      last = entry.key.number
      body(entry.value, &writer)
    }
  }

  /// - Parameter document: a document with its nodes. Every mark must be of one of them.
  init(from reader: inout SnapshotReader, of document: Document) throws(SnapshotError) {
    origins = try Self.read(from: &reader, of: document) { reader throws(SnapshotError) in
      Origin(
        group: try reader.count(), member: try reader.signed(), tag: try reader.string(), ordinal: try reader.count())
    }
    roots = try Self.read(from: &reader, of: document) { reader throws(SnapshotError) in try reader.count() }
    streams = try Self.read(from: &reader, of: document) { reader throws(SnapshotError) in try reader.string() }
    ignored = try Self.read(from: &reader, of: document) { reader throws(SnapshotError) in
      try reader.all { reader throws(SnapshotError) in try reader.string() }
    }
    portals = try Self.read(from: &reader, of: document) { reader throws(SnapshotError) in try reader.string() }
  }

  private static func read<Value>(
    from reader: inout SnapshotReader, of document: Document,
    _ body: (inout SnapshotReader) throws(SnapshotError) -> Value
  ) throws(SnapshotError) -> [NodeRef: Value] {
    let count = try reader.listCount()
    try reader.require(count <= document.count, "more nodes have a mark than the document has")
    var values = [NodeRef: Value](minimumCapacity: count)
    var last = 0
    for _ in 0..<count {
      last = try reader.count(after: last)
      let node = NodeRef(epoch: document.epoch, number: last)
      try reader.require(document.contains(node), "node \(last) has a mark and is not in the document")
      let isNew = values.updateValue(try body(&reader), forKey: node) == nil
      try reader.require(isNew, "node \(last) has a mark twice")
    }
    return values
  }
}
