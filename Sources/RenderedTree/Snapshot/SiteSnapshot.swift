internal import MirrorSupport

/// Writes and reads sites, which the snapshot of a tree has for its instances. Node numbers ascend
/// with the markup, so each number is written as the difference from the number before it.
extension Site {
  /// - Parameter last: the node number that was written last.
  func write(to writer: inout SnapshotWriter, after last: inout Int) {
    writer.write(count: depth)
    writer.write(isAddressable)
    guard isAddressable else { return }
    let anchors = 0..<anchorCount
    writer.write(all: anchors) { Self.write(self[$0], to: &$1, after: &last) }
    writer.write(all: anchors.filter(isOpaque)) { $1.write(count: $0) }
    Self.write(first ?? 0, to: &writer, after: &last)
    Self.write(self.last ?? 0, to: &writer, after: &last)
  }

  private static func write(_ number: Int, to writer: inout SnapshotWriter, after last: inout Int) {
    // 0 means that there is no node. For any other number, its difference from `last` is written in
    // zigzag encoding, plus 1. Zigzag encoding keeps small negative differences short too.
    writer.write(word: number == 0 ? 0 : UInt64(bitPattern: Int64((number - last) << 1 ^ (number - last) >> 63)) + 1)
    if number != 0 { last = number }
  }

  static func read(
    from reader: inout SnapshotReader, after last: inout Int
  ) throws(SnapshotError) -> Site {
    let depth = try reader.count(upTo: Int(Int32.max))
    guard try reader.flag() else { return Site(shownAtDepth: depth) }
    let nodes = try reader.all { reader throws(SnapshotError) in try number(from: &reader, after: &last) }
    let opaque = try reader.all { reader throws(SnapshotError) in try reader.count(upTo: nodes.count) }
    let first = try number(from: &reader, after: &last)
    let end = try number(from: &reader, after: &last)
    var site = Site(anchors: nodes.count, depth: depth)
    for (anchor, node) in nodes.enumerated() { site.set(anchor, to: node) }
    for anchor in opaque where anchor < nodes.count { site.set(anchor, to: nodes[anchor], isOpaque: true) }
    site.finish(first: first == 0 ? nil : first, last: end == 0 ? nil : end)
    return site
  }

  private static func number(
    from reader: inout SnapshotReader, after last: inout Int
  ) throws(SnapshotError) -> Int {
    let word = try reader.word()
    if word == 0 { return 0 }
    let difference = Int(bitPattern: UInt((word - 1) >> 1)) ^ -Int((word - 1) & 1)
    let sum = last.addingReportingOverflow(difference)
    guard !sum.overflow, sum.partialValue > 0, sum.partialValue <= SnapshotReader.largestCount else {
      throw reader.malformed("a node number must be from 1 to \(SnapshotReader.largestCount)")
    }
    last = sum.partialValue
    return last
  }
}
