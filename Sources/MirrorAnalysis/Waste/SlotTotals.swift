package import LiveViewMirror
package import MarkupDocument
internal import MirrorSupport
package import RenderedTree

/// What each template slot and list of a view cost since the mount: the sums over all diffs of the
/// epoch, including those whose entries were evicted from the log. ``WasteReport`` shows the sums.
///
/// Bounded: ``maximumRows`` slots and as many lists have their own sums. The bytes of all other
/// slots are in ``others``.
package struct SlotTotals: Projection {
  package static let name = "slot-totals"
  static let maximumRows = 1_000

  /// The sums of one slot.
  struct Row: Sendable {
    var node: SlotTree.Node
    /// Bytes of the values as compact JSON, as ``ChangeRecord/Waste/bytes`` counts them.
    var bytes = 0
    /// The bytes of values that the tree already had.
    var wastedBytes = 0
    /// The number of diffs that sent the slot.
    var diffs = 0
    /// The number of diffs that only sent values which the tree already had.
    var wastedDiffCount = 0
    /// The last version whose diff sent the slot.
    var lastVersion = 0
    /// Whether the diff of the last version had no effect in this slot.
    fileprivate(set) var isWasted = false
    /// The position of the slot in the costs of the last version's diff. A snapshot does not
    /// contain it, because the next diff has another version and sets it again.
    private var position = 0

    init(node: SlotTree.Node) { self.node = node }

    /// - Parameters:
    ///   - wasted: the number of the bytes that had no effect.
    ///   - costs: the costs of the diff's slots. The bytes are added to the cost of this slot.
    mutating func add(
      _ count: Int, wasted: Int, isChanged: Bool, in version: Int, noting costs: inout [SlotCost]
    ) {
      bytes += count
      wastedBytes += wasted
      if lastVersion != version {
        lastVersion = version
        diffs += 1
        isWasted = !isChanged
        if isWasted { wastedDiffCount += 1 }
        position = costs.count
        costs.append(SlotCost(slot: node, bytes: count, wastedBytes: wasted))
        return
      }
      costs[position].add(count, wasted: wasted)
      if isChanged, isWasted {
        isWasted = false
        wastedDiffCount -= 1
      }
    }
  }

  private(set) var tree = SlotTree()
  private(set) var rows: [Row] = []
  /// For each node of the tree, the position of its row; -1 without one.
  private var positions: [Int32] = [-1]
  private(set) var others = Row(node: SlotTree.none)
  private(set) var lists: [SlotTree.Node: ListRow] = [:]

  package init() {}

  /// - Precondition: every node of a row or list is in the tree, and each has one row.
  init(tree: SlotTree, rows: [Row], others: Row, lists: [SlotTree.Node: ListRow]) {
    (self.tree, self.rows, self.others, self.lists) = (tree, rows, others, lists)
    positions = Array(repeating: -1, count: tree.entries.count)
    for (position, row) in rows.enumerated() { positions[Int(row.node)] = Int32(position) }
  }

  /// An estimate in bytes.
  ///
  /// - Complexity: O(1).
  package var memory: Int {
    tree.memory + rows.count * MemoryLayout<Row>.stride + tree.entries.count * MemoryLayout<Int32>.stride
      // 112 bytes are for the key and the parents of shifted entries.
      + lists.count * (MemoryLayout<ListRow>.stride + 112)
  }

  package func findingCount(in view: ViewState) -> Int { min(unkeyedListCount, Findings.limit + 1) }

  package mutating func add(
    _ update: PreparedUpdate, making version: Int, of rendered: Rendered, _ document: Document,
    noting notes: inout UpdateNotes
  ) {
    guard let causes = update.causes else { return }
    let (touched, changes) = (causes.touched, update.changeSet.changes)
    withUnsafeTemporaryAllocation(of: SlotTree.Node.self, capacity: max(1, touched.paths.count)) { nodes in
      let treeNodes = TreeNodes(nodes)
      for path in 0..<PathTree.Node(touched.paths.count) {
        nodes[Int(path)] = tree.node(
          touched.paths.step(of: path), after: treeNodes[touched.paths.parent(of: path) ?? PathTree.root], in: rendered,
          at: { touched.paths.path(to: path, atMost: 2 * SlotTree.maximumDepth) })
      }
      for (position, slot) in touched.slots.enumerated() {
        // A changed slot that holds a stream can also contain operations without effect.
        let wasted = slot.isChanged ? causes.streams.bytes(at: position) : slot.bytes
        add(slot, wasting: wasted, to: treeNodes[slot.path], version, noting: &notes.slotCosts)
      }
      for list in touched.lists { add(list, to: treeNodes[list.path], version) }
      addLostIdentities(changes, causedBy: causes, at: treeNodes)
      let shifted = touched.lists.filter { $0.shiftedCount > 0 }
      if shifted.isEmpty { return }
      notes.extras.shiftedNodes = Set(shifted.map { treeNodes[$0.path] }.filter { lists[$0] != nil })
      addParents(of: shifted, changes, causedBy: causes, at: treeNodes)
      // Lists that are known to have keys are left out.
      notes.extras.shiftedLists = ShiftedLists(of: touched, in: update.json) {
        lists[treeNodes[$0.path]]?.kind != .keyed
      }
    }
    tree.endDiff()
  }

  /// The node of the ``SlotTree`` for each path of a diff; ``SlotTree/none`` for a path without a
  /// node in the tree.
  private struct TreeNodes {
    private let nodes: UnsafeMutableBufferPointer<SlotTree.Node>

    init(_ nodes: UnsafeMutableBufferPointer<SlotTree.Node>) { self.nodes = nodes }

    subscript(path: PathTree.Node) -> SlotTree.Node { path == PathTree.root ? SlotTree.root : nodes[Int(path)] }
  }

  private mutating func add(
    _ slot: TouchedSlots.Slot, wasting wasted: Int, to node: SlotTree.Node, _ version: Int,
    noting costs: inout [SlotCost]
  ) {
    let isChanged = slot.isChanged && (wasted == 0 || wasted < slot.bytes)
    if let position = position(of: node) {
      rows[position].add(slot.bytes, wasted: wasted, isChanged: isChanged, in: version, noting: &costs)
    } else {
      others.add(slot.bytes, wasted: wasted, isChanged: isChanged, in: version, noting: &costs)
    }
  }

  private mutating func position(of node: SlotTree.Node) -> Int? {
    if node == SlotTree.none { return nil }
    if positions.count < tree.entries.count {
      positions.append(contentsOf: repeatElement(-1, count: tree.entries.count - positions.count))
    }
    if positions[Int(node)] >= 0 { return Int(positions[Int(node)]) }
    guard rows.count < Self.maximumRows else { return nil }
    positions[Int(node)] = Int32(rows.count)
    rows.append(Row(node: node))
    return rows.count - 1
  }

  private mutating func add(_ list: TouchedList, to node: SlotTree.Node, _ version: Int) {
    guard node != SlotTree.none, lists[node] != nil || lists.count < Self.maximumRows else { return }
    lists[node, default: ListRow()].add(list, in: version)
  }

  // MARK: - Lost identities

  /// Counts the elements with an id that one diff has removed and added again.
  ///
  /// - Complexity: O(*changes*).
  private mutating func addLostIdentities(_ changes: [Change], causedBy causes: Attribution, at treeNodes: TreeNodes) {
    for position in changes.recreations {
      guard let slot = causes.causes[position].first,
        let list = tree.list(around: treeNodes[causes.touched.slots[slot].path]), lists[list] != nil
      else { continue }
      lists[list]?.recreated += 1
    }
  }

  // MARK: - Shifted lists

  /// Notes, for each list that a diff has shifted, the nodes that contain the list: the parents of
  /// its added and removed entries.
  ///
  /// - Complexity: O(*lists of the diff* + *changes*).
  private mutating func addParents(
    of shifted: [TouchedList], _ changes: [Change], causedBy causes: Attribution, at treeNodes: TreeNodes
  ) {
    let shifted = Set(shifted.prefix(Self.maximumRows).map(\.path))
    for (change, slots) in zip(changes, causes.causes) {
      let parent: NodeRef
      switch change {
      case .add(_, let position), .remove(_, let position, _): parent = position.parent
      case .text, .attributes, .move: continue
      }
      for slot in slots {
        guard let list = causes.touched.list(changedBy: slot), shifted.contains(list) else { continue }
        lists[treeNodes[list]]?.addShiftedParent(parent)
      }
    }
  }
}

extension [Change] {
  /// The positions of the changes that add an element with an id that another change removes: the
  /// element has lost its identity.
  ///
  /// - Complexity: O(*changes*).
  var recreations: [Int] {
    var removed: Set<String> = []
    for case .remove(_, _, .element(_, let id?)) in self { removed.insert(id) }
    if removed.isEmpty { return [] }
    return indices.filter { position in
      guard case .add(let subtree, _) = self[position], case .element(_, let id?) = subtree.displayName else {
        return false
      }
      return removed.remove(id) != nil
    }
  }
}

extension TouchedSlots {
  /// The list of a slot that is an entry or the number of entries: `2` for `2.k.4` and `2.k.kc`, in
  /// LiveView 1.0 for `2.d.4` and `2.d`.
  fileprivate func list(changedBy slot: Int) -> PathTree.Node? {
    let path = slots[slot].path
    guard path != PathTree.root else { return nil }
    let entries = paths.step(of: path) == .key("d") ? path : paths.parent(of: path) ?? PathTree.root
    guard entries != PathTree.root, [.key("k"), .key("d")].contains(paths.step(of: entries)) else { return nil }
    return paths.parent(of: entries) ?? PathTree.root
  }
}

extension ViewState {
  /// The costs of the slots of this epoch's diffs.
  var totals: SlotTotals { log.projections[SlotTotals.self] ?? SlotTotals() }
}

// MARK: - Snapshot

extension SlotTotals.Row {
  func write(to writer: inout SnapshotWriter) {
    for number in [bytes, wastedBytes, diffs, wastedDiffCount, lastVersion] { writer.write(count: number) }
    writer.write(isWasted)
  }

  init(of node: SlotTree.Node, from reader: inout SnapshotReader) throws(SnapshotError) {
    self.init(node: node)
    bytes = try reader.count()
    wastedBytes = try reader.count()
    diffs = try reader.count()
    wastedDiffCount = try reader.count()
    lastVersion = try reader.count()
    isWasted = try reader.flag()
  }
}
