internal import MirrorSupport

/// Documents of new epochs. `ViewState` makes one for each mount.
extension Document {
  /// A document that shows its first page, and the change set that leads there from the empty
  /// document.
  ///
  /// The result equals ``Morph/changes(from:to:streams:)`` from an empty document. An empty
  /// document has no nodes to match: numbers are given in document order, and every top-level node
  /// is added. So the matching is skipped, and the page's tree becomes the document's. The full
  /// morph runs if streams or client rules can make the document differ from the page.
  ///
  /// - Parameters:
  ///   - held: the content of the view's element before the join.
  ///   - rules: the rules of the client that joins.
  /// - Returns: also `nodeNumbers`, the number of each node by its index in the page's storage (0
  ///   for a node without a number), and `failure`, why the client stopped with an error, if it
  ///   did.
  /// - Complexity: O(*nodes*).
  package static func mounting(
    _ page: consuming Page, dialect: Dialect, epoch: Int, streams: [StreamPatch] = [],
    over held: ContentBeforeJoin = .page,
    rules: PatchRules = PatchRules(isJoin: true)
  ) -> (document: Document, changes: ChangeSet, nodeNumbers: [Int], failure: ClientFailure?) {
    if held.matters(to: page, streams: streams) {
      var document = Document(dialect: dialect, epoch: epoch)
      let patched = PatchedPage(joining: page, over: held, streams: streams, rules: rules, dialect: dialect)
      let morph = Morph.changes(from: document, to: patched)
      document.apply(morph.changes, marks: morph.marks)
      return (document, morph.changes, morph.nodeNumbers, patched.failure)
    }
    let (document, changes, nodeNumbers) = taking(page, dialect: dialect, epoch: epoch)
    return (document, changes, nodeNumbers, nil)
  }

  /// A document with the nodes of parsed markup, to which no rule of a client was applied.
  ///
  /// - Complexity: O(*bytes*).
  package init(parsing markup: [UInt8], dialect: Dialect) {
    let page = Page(parsing: markup, dialect: dialect, isInView: true)
    let hasClientRules = page.hasClientRules
    self = Self.taking(page, dialect: dialect, epoch: 0).document
    self.hasClientRules = hasClientRules
  }

  /// A document with all nodes of a page, made without a morph.
  private static func taking(
    _ page: consuming Page, dialect: Dialect, epoch: Int
  ) -> (document: Document, changes: ChangeSet, nodeNumbers: [Int]) {
    var document = Document(dialect: dialect, epoch: epoch)
    let numbering = PageNumbering(of: page.tree)
    document.tree = page.tree
    document.numbers = numbering.numbers
    // Numbers ascend in document order, so they also ascend among siblings.
    document.ranks = numbering.numbers.map { Int64($0) * rankGap }
    document.treeIndexes.insert(numbering.treeIndexes, from: rootNumber + 1)
    document.nextNumber = rootNumber + 1 + numbering.treeIndexes.count
    document.ids = numbering.ids
    document.marks.origins.reserveCapacity(page.origins.count)
    for (treeIndex, origin) in page.origins { document.mark(document.ref(treeIndex), origin) }
    document.marks.roots.reserveCapacity(page.roots.count)
    for (treeIndex, root) in page.roots { document.marks.roots[document.ref(treeIndex)] = root }
    return (document, document.arrivals(numbering.treeIndexes), numbering.numbers)
  }

  /// One `add` for every top-level node. Numbers were given in document order, so a node's position
  /// in the node list of its subtree is its number minus the number of the top node.
  private func arrivals(_ treeIndexes: [Int32]) -> ChangeSet {
    var changes: [Change] = []
    var child = tree.firstChild(of: NodeTree.root)
    while let top = child {
      let next = tree.next(of: top)
      let first = numbers[Int(top.raw)]
      let end = next.map { numbers[Int($0.raw)] } ?? nextNumber
      var nodes: [Subtree.Node] = []
      nodes.reserveCapacity(end - first)
      for number in first..<end {
        let treeIndex = NodeTree.Index(raw: treeIndexes[number - Self.rootNumber - 1])
        let parent = number == first ? nil : tree.parent(of: treeIndex).map { numbers[Int($0.raw)] - first }
        nodes.append(
          Subtree.Node(ref: NodeRef(epoch: epoch, number: number), content: tree[treeIndex], parent: parent))
      }
      changes.append(.add(Subtree(nodes: nodes), at: Position(parent: root, index: changes.count)))
      child = next
    }
    return ChangeSet(changes)
  }
}

/// Numbers the nodes of a page in document order, by one walk. A mount copies the result into the
/// new ``Document``.
private struct PageNumbering {
  /// Indexed by a node's position in the storage of the page: the number that the node gets; 0 for
  /// a position without a numbered node.
  private(set) var numbers: [Int]
  /// The positions in the storage, in the order of the numbers, beginning with the first number
  /// after the root's.
  private(set) var treeIndexes: [Int32] = []
  private(set) var ids = NodesByKey<ByteString>()

  init(of tree: NodeTree) {
    numbers = Array(repeating: 0, count: tree.storageCount)
    numbers[0] = Document.rootNumber
    treeIndexes.reserveCapacity(tree.count)
    var named: [(id: String, number: Int)] = []
    var upcoming = tree.firstChild(of: NodeTree.root)
    while let treeIndex = upcoming {
      let number = Document.rootNumber + 1 + treeIndexes.count
      numbers[Int(treeIndex.raw)] = number
      treeIndexes.append(treeIndex.raw)
      if case .element(let element) = tree[treeIndex] {
        if let id = element.id { named.append((id, number)) }
      }
      upcoming = tree.successor(of: treeIndex, within: NodeTree.root)
    }
    ids.reserveCapacity(named.count)
    for (id, number) in named { ids.insert(number, for: ByteString(id)) }
  }
}

/// The document that a mirror starts with if it has missed frames of a view. It is made from what
/// the browser shows.
extension Document {
  /// A document with the nodes of an element's `innerHTML`. The attributes in which LiveView's
  /// client keeps its state are not in any page, so they are removed from the elements. Those of
  /// streams and components become marks.
  ///
  /// - Complexity: O(*bytes*).
  package init(shown markup: [UInt8], dialect: Dialect) {
    self.init(parsing: markup, dialect: dialect)
    for treeIndex in tree.preorder() {
      guard var element = tree[treeIndex].element, element.attributes.contains(where: { $0.isOfClient }) else {
        continue
      }
      let node = ref(treeIndex)
      if let stream = element["data-phx-stream"] { marks.streams[node] = stream }
      if let component = element["data-phx-component"].flatMap({ Int($0) }) {
        mark(node, Origin(group: Origin.components, member: component, tag: element.tag))
      }
      element.attributes.removeAll { $0.isOfClient }
      tree[treeIndex] = .element(element)
    }
  }
}

extension Element.Attribute {
  /// Whether LiveView's client (1.0 to 1.2) sets the attribute, and the server does not.
  fileprivate var isOfClient: Bool {
    switch name {
    case "data-phx-stream", "data-phx-component", "data-phx-view", "data-phx-id", "data-phx-root-id", "data-phx-prune",
      "data-phx-skip", "data-phx-ref-src", "data-phx-ref-lock", "data-phx-ref-loading":
      true
    default: false
    }
  }
}
