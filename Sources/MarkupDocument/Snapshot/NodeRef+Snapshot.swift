package import MirrorSupport

extension SnapshotWriter {
  /// Writes the reference of a node, which may be of another epoch.
  package mutating func write(_ node: NodeRef) {
    write(signed: node.epoch)
    write(signed: node.number)
  }
}

extension NodeRef {
  package init(from reader: inout SnapshotReader) throws(SnapshotError) {
    self.init(epoch: try reader.signed(), number: try reader.signed())
  }
}
