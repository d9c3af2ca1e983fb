package import MirrorSupport

/// The document in the snapshot of a view, which `ViewState` writes and reads. ``write(to:)`` and
/// ``init(from:)`` must have the same values in the same order.
extension Document {
  /// Writes the document: its nodes in document order, their numbers, and their marks.
  ///
  /// The indexes, the ranks and the positions in storage are not written. The restored document
  /// computes them anew. Ranks and positions can then differ, which does not affect the result of
  /// later changes.
  ///
  /// - Complexity: O(*nodes* + *bytes of the strings* + *marks* · log *marks*).
  package func write(to writer: inout SnapshotWriter) {
    writer.write(dialect.rawValue)
    writer.write(count: epoch)
    writer.write(count: nextNumber)
    writer.write(hasClientRules)
    writer.write(count: tree.count)
    writer.write(count: tree.childCount(of: NodeTree.root))
    var last = Self.rootNumber
    for treeIndex in tree.preorder() where treeIndex != NodeTree.root {
      let number = numbers[Int(treeIndex.raw)]
      writer.write(count: number, after: last)
      last = number
      tree[treeIndex].write(to: &writer)
      if tree[treeIndex].element != nil { writer.write(count: tree.childCount(of: treeIndex)) }
    }
    last = 0
    writer.write(all: wholeElements.sorted()) { number, writer in
      writer.write(count: number, after: last)
      last = number
    }
    marks.write(to: &writer)
  }

  /// Reads a document. Only elements have children, and every number is unique.
  ///
  /// - Complexity: O(*nodes* · log *nodes* + *bytes of the strings* + *marks*).
  package init(from reader: inout SnapshotReader) throws(SnapshotError) {
    let name = try reader.string()
    guard let dialect = Dialect(rawValue: name) else { throw reader.malformed("\"\(name)\" is not a dialect") }
    self.init(dialect: dialect, epoch: try reader.count())
    nextNumber = try reader.count()
    hasClientRules = try reader.flag()
    let count = try reader.listCount()
    try reader.require(
      count >= 1 && count <= DocumentSize.maximum.nodes, "a document must have 1 to \(DocumentSize.maximum.nodes) nodes"
    )
    tree.reserveCapacity(count)
    try readNodes(from: &reader)
    try reader.require(tree.count == count, "the document has \(tree.count) nodes, and \(count) were announced")
    try index(in: reader)
    var last = 0
    wholeElements = Set(
      try reader.all { reader throws(SnapshotError) in
        last = try reader.count(after: last)
        return last
      })
    try reader.require(
      wholeElements.allSatisfy(treeIndexes.contains), "an element with client rules is not in the document")
    elementsForFullUpdates = wholeElements.filter { number in
      dialect.isPatchedByBrowser
        && content(of: NodeRef(epoch: epoch, number: number))?.element?.needsFullUpdates == true
    }
    replaceMarks(by: try Marks(from: &reader, of: self))
    keepDuplicateIDs()
  }

  /// Reads the nodes below the root. Without recursion, because a document may be deep.
  private mutating func readNodes(from reader: inout SnapshotReader) throws(SnapshotError) {
    var (last, rank) = (Self.rootNumber, Int64(0))
    var open = [(node: NodeTree.root, left: try reader.listCount(), rank: Int64(0))]
    while let parent = open.last {
      if parent.left == 0 {
        open.removeLast()
        continue
      }
      last = try reader.count(after: last)
      rank = parent.rank
      open[open.count - 1].left -= 1
      open[open.count - 1].rank += Self.rankGap
      let content = try NodeContent(from: &reader)
      try reader.require(tree.count < DocumentSize.maximum.nodes, "the document has more nodes than an update can make")
      let node = tree.make(content)
      tree.append(node, to: parent.node)
      numbers.append(last)
      ranks.append(rank)
      if content.element != nil { open.append((node, try reader.listCount(), 0)) }
    }
  }

  /// Makes the indexes of numbers and ids.
  private mutating func index(in reader: SnapshotReader) throws(SnapshotError) {
    var last = Self.rootNumber
    for treeIndex in numbers.indices.dropFirst().sorted(by: { numbers[$0] < numbers[$1] }) {
      let number = numbers[treeIndex]
      try reader.require(
        number > last && number < nextNumber, "node number \(number) must be unique and below \(nextNumber)")
      treeIndexes[number] = Int32(treeIndex)
      last = number
    }
    for treeIndex in tree.preorder() {
      if let id = tree[treeIndex].element?.id { ids.insert(numbers[Int(treeIndex.raw)], for: ByteString(id)) }
    }
  }
}

extension Document {
  /// The document without its marks. A document that was rebuilt from change sets alone equals it,
  /// because change sets contain no marks.
  ///
  /// - Complexity: O(1).
  package var withoutMarks: Document {
    var document = self
    document.replaceMarks(by: Marks())
    return document
  }
}

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

/// The kinds of nodes in a snapshot. An element's kind includes its namespace.
private enum NodeKind {
  static let (text, comment, instruction): (UInt8, UInt8, UInt8) = (0, 1, 2)
  /// The kind of an HTML element. For other elements, the raw value of the namespace is added.
  static let element: UInt8 = 3
}

extension NodeContent {
  /// Writes a node of a document without its children. The root is not written.
  func write(to writer: inout SnapshotWriter) {
    switch self {
    case .root: break
    case .text(let text):
      writer.write(byte: NodeKind.text)
      writer.write(text)
    case .comment(let text):
      writer.write(byte: NodeKind.comment)
      writer.write(text)
    case .processingInstruction(let instruction):
      writer.write(byte: NodeKind.instruction)
      writer.write(instruction.target)
      writer.write(instruction.data)
    case .element(let element):
      writer.write(byte: NodeKind.element + element.namespace.rawValue)
      writer.write(element.tag)
      writer.write(all: element.attributes) { attribute, writer in
        writer.write(attribute.name)
        writer.write(attribute.value)
      }
    }
  }

  init(from reader: inout SnapshotReader) throws(SnapshotError) {
    switch try reader.byte() {
    case NodeKind.text: self = .text(try reader.string())
    case NodeKind.comment: self = .comment(try reader.string())
    case NodeKind.instruction:
      self = .processingInstruction(ProcessingInstruction(target: try reader.string(), data: try reader.string()))
    case let kind:
      guard let namespace = Namespace(rawValue: kind - NodeKind.element) else {
        throw reader.malformed("\(kind) is not a kind of node")
      }
      let tag = try reader.string()
      let attributes = try reader.all { reader throws(SnapshotError) in
        Element.Attribute(try reader.string(), try reader.string())
      }
      self = .element(Element(tag: tag, namespace: namespace, attributes: attributes))
    }
  }
}

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
