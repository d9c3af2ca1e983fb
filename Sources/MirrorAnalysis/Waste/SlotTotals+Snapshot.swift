package import MirrorSupport
package import RenderedTree

/// The sums in a snapshot, which ``ViewState`` writes and reads for the journal. The tree comes
/// first, because the rows and lists name its nodes by number.
extension SlotTotals {
  package func write(to writer: inout SnapshotWriter, _ statics: inout StaticsWriter) {
    tree.write(to: &writer, &statics)
    writer.write(all: rows) { row, writer in
      writer.write(count: Int(row.node))
      row.write(to: &writer)
    }
    others.write(to: &writer)
    writer.write(all: lists.sorted { $0.key < $1.key }) { list, writer in
      writer.write(count: Int(list.key))
      list.value.write(to: &writer)
    }
  }

  package init(from reader: inout SnapshotReader, _ statics: inout StaticsReader) throws(SnapshotError) {
    let tree = try SlotTree(from: &reader, &statics)
    var rows: [Row] = []
    var met: Set<SlotTree.Node> = []
    for _ in 0..<(try reader.count(upTo: Self.maximumRows)) {
      let node = try tree.node(from: &reader)
      try reader.require(met.insert(node).inserted, "a slot must have one row")
      rows.append(try Row(of: node, from: &reader))
    }
    let others = try Row(of: SlotTree.none, from: &reader)
    var lists: [SlotTree.Node: ListRow] = [:]
    for _ in 0..<(try reader.count(upTo: Self.maximumRows)) {
      let node = try tree.node(from: &reader)
      let isNew = lists.updateValue(try ListRow(from: &reader), forKey: node) == nil
      try reader.require(isNew, "a list must have one row")
    }
    self.init(tree: tree, rows: rows, others: others, lists: lists)
  }
}

extension SlotTree {
  /// Writes the nodes in the order in which they were added. The links between siblings are caches,
  /// so they are not written.
  fileprivate func write(to writer: inout SnapshotWriter, _ statics: inout StaticsWriter) {
    writer.write(count: templates.all.count)
    for template in statics.sorted(templates.all) {
      statics.write(template, to: &writer)
      writer.write(signed: firstComponents[ObjectIdentifier(template)])
    }
    writer.write(all: components.sorted { $0.key < $1.key }) { component, writer in
      writer.write(signed: component.key)
      writer.write(count: component.value)
    }
    writer.write(count: entries.count)
    for entry in entries {
      writer.write(signed: Int(entry.parent))
      writer.write(signed: entry.step)
      writer.write(entry.statics != nil)
      if let template = entry.statics { statics.write(template, to: &writer) }
    }
  }

  fileprivate init(from reader: inout SnapshotReader, _ statics: inout StaticsReader) throws(SnapshotError) {
    var (templates, firstComponents): (Set<Statics>, [ObjectIdentifier: Int]) = ([], [:])
    for _ in 0..<(try reader.listCount()) {
      let template = try statics.read(from: &reader)
      try reader.require(templates.insert(template).inserted, "a template must be kept once")
      if let first = try reader.optionalSigned() { firstComponents[ObjectIdentifier(template)] = first }
    }
    var components: [Int: Int] = [:]
    for _ in 0..<(try reader.listCount()) { components[try reader.signed()] = try reader.count() }
    self.init(keeping: KeptTemplates(keeping: templates), firstComponents: firstComponents, components: components)
    for position in 0..<(try reader.count(upTo: Self.maximumNodes)) {
      let parent = try reader.signed()
      try reader.require(
        position == 0 ? parent == Int(Self.none) : entries.indices.contains(parent), "a slot must follow its parent")
      let step = try reader.signed()
      if position > 0 {
        try reader.require(
          entries[parent].depth < Self.maximumDepth, "a slot must not be deeper than \(Self.maximumDepth)")
      }
      restore(step, after: Node(parent), statics: try reader.flag() ? try statics.read(from: &reader) : nil)
    }
  }

  fileprivate func node(from reader: inout SnapshotReader) throws(SnapshotError) -> Node {
    Node(try reader.count(upTo: entries.count - 1))
  }
}
