package import MirrorSupport

extension Document {
  /// Writes the document: its nodes in document order, their numbers, and their marks.
  ///
  /// The indexes, the ranks and the positions in storage are not written. They decide nothing: the restored document gets others,
  /// and the same changes give the same result.
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
    for place in tree.preorder() where place != NodeTree.root {
      let number = numbers[Int(place.raw)]
      writer.write(count: number, after: last)
      last = number
      tree[place].write(to: &writer)
      if tree[place].element != nil { writer.write(count: tree.childCount(of: place)) }
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
    try reader.require(wholeElements.allSatisfy(places.contains), "an element with client rules is not in the document")
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
    for place in numbers.indices.dropFirst().sorted(by: { numbers[$0] < numbers[$1] }) {
      let number = numbers[place]
      try reader.require(
        number > last && number < nextNumber, "node number \(number) must be unique and below \(nextNumber)")
      places[number] = Int32(place)
      last = number
    }
    for place in tree.preorder() {
      if let id = tree[place].element?.id { ids.insert(numbers[Int(place.raw)], for: ByteString(id)) }
    }
  }
}

extension Document {
  /// The document as it is after change sets only: without marks, which no change set contains.
  ///
  /// - Complexity: O(1).
  package var withoutMarks: Document {
    var document = self
    document.replaceMarks(by: Marks())
    return document
  }
}
