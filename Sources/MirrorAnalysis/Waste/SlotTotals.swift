package import LiveViewMirror
package import MarkupDocument
internal import MirrorSupport
package import RenderedTree

/// What each template slot and list of a view cost since the mount: the sums over all diffs of the epoch, including those whose
/// entries were evicted from the log.
///
/// Bounded: ``maximumRows`` slots and as many lists have their own sums. The bytes of all other slots are in ``others``.
package struct SlotTotals: Projection {
  package static let name = "slot-totals"
  static let maximumRows = 1_000
  static let maximumDepth = SlotTree.maximumDepth

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
    var wastedDiffs = 0
    /// The last version whose diff sent the slot.
    var lastVersion = 0
    /// Whether the diff of the last version had no effect in this slot.
    fileprivate(set) var isWasted = false

    init(node: SlotTree.Node) { self.node = node }

    /// - Parameter wasted: the number of the bytes that had no effect.
    mutating func add(_ count: Int, wasted: Int, isChanged: Bool, in version: Int) {
      bytes += count
      wastedBytes += wasted
      if lastVersion != version {
        lastVersion = version
        diffs += 1
        isWasted = !isChanged
        if isWasted { wastedDiffs += 1 }
      } else if isChanged, isWasted {
        isWasted = false
        wastedDiffs -= 1
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
      // With the key, and the parents of shifted entries.
      + lists.count * (MemoryLayout<ListRow>.stride + 112)
  }

  package func findingCount(in view: ViewState) -> Int { min(unkeyedListCount, Findings.limit + 1) }

  package mutating func add(
    _ update: PreparedUpdate, making version: Int, of rendered: Rendered, _ document: Document,
    noting notes: inout UpdateNotes
  ) {
    guard let causes = update.causes else { return }
    notes.shiftedNodes = add(causes.touched, wasting: causes.streams, in: rendered, version: version)
    addLostIdentities(update.changeSet, causes: causes.slots)
    addShiftedParents(update.changeSet, causes: causes.slots, touched: causes.touched)
    // Without those that are known to have keys.
    notes.shiftedLists = ShiftedLists(of: causes.touched, in: update.json) {
      lists[tree.node(named: $0)]?.kind != .keyed
    }
  }

  /// Adds one diff.
  ///
  /// - Parameters:
  ///   - touched: the slots that the diff names.
  ///   - streams: the parts of its stream operations without effect.
  ///   - rendered: the tree after the diff.
  ///   - version: the version after the diff.
  /// - Returns: the lists with entries that were sent because an earlier one was inserted or removed.
  /// - Complexity: O(*slots of the diff* + *steps of their paths*), with new slots also O(*steps*) for each.
  mutating func add(
    _ touched: TouchedSlots, wasting streams: StreamWaste, in rendered: Rendered, version: Int
  ) -> Set<SlotTree.Node> {
    var shifted: Set<SlotTree.Node> = []
    let paths = touched.paths
    withUnsafeTemporaryAllocation(of: SlotTree.Node.self, capacity: max(1, paths.count)) { nodes in
      func node(_ path: PathTree.Node) -> SlotTree.Node { path == PathTree.root ? SlotTree.root : nodes[Int(path)] }
      for path in 0..<PathTree.Node(paths.count) {
        nodes[Int(path)] = tree.node(
          paths.step(of: path), after: node(paths.parent(of: path) ?? PathTree.root), in: rendered,
          at: { paths.path(to: path, atMost: 2 * Self.maximumDepth) })
      }
      for (position, slot) in touched.slots.enumerated() {
        add(slot, wasting: slot.isChanged ? streams.bytes(at: position) : slot.bytes, to: node(slot.path), version)
      }
      for list in touched.lists {
        let node = node(list.path)
        add(list, to: node, version)
        if list.shifted > 0, lists[node] != nil { shifted.insert(node) }
      }
    }
    tree.endDiff()
    return shifted
  }

  private mutating func add(
    _ slot: TouchedSlots.Slot, wasting wasted: Int, to node: SlotTree.Node, _ version: Int
  ) {
    let isChanged = slot.isChanged && (wasted == 0 || wasted < slot.bytes)
    if let position = position(of: node) {
      rows[position].add(slot.bytes, wasted: wasted, isChanged: isChanged, in: version)
    } else {
      others.add(slot.bytes, wasted: wasted, isChanged: isChanged, in: version)
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
  /// - Parameter slots: for each change, the names of the slots that caused it.
  /// - Complexity: O(*changes*).
  mutating func addLostIdentities(_ changeSet: ChangeSet, causes slots: [[String]]) {
    var removed: Set<String> = []
    for case .remove(_, _, .element(_, let id?)) in changeSet.changes { removed.insert(id) }
    if removed.isEmpty { return }
    for (change, names) in zip(changeSet.changes, slots) {
      guard case .add(let subtree, _) = change, case .element(_, let id?) = subtree.name, removed.contains(id),
        let name = names.first, let list = tree.list(around: tree.node(named: name)), lists[list] != nil
      else { continue }
      lists[list]?.recreated += 1
    }
  }

  // MARK: - Shifted lists

  /// Notes the nodes that hold the lists which one diff has shifted: the parents of their added and removed entries.
  ///
  /// - Parameter slots: for each change, the names of the slots that caused it.
  /// - Complexity: O(*lists of the diff*), and O(*changes*) if one of them was shifted.
  mutating func addShiftedParents(_ changeSet: ChangeSet, causes slots: [[String]], touched: TouchedSlots) {
    /// By the name of the step that precedes the entries, such as `2.k`.
    var shifted: [Substring: SlotTree.Node] = [:]
    for list in touched.lists where list.shifted > 0 && shifted.count < Self.maximumRows {
      let name = touched.paths.path(to: list.path, atMost: Self.maximumDepth).description
      let node = tree.node(named: name)
      guard lists[node] != nil else { continue }
      shifted[Substring(name + (name.isEmpty ? "" : ".") + (list.form == .positional ? "d" : "k"))] = node
    }
    if shifted.isEmpty { return }
    for (change, names) in zip(changeSet.changes, slots) {
      let parent: NodeRef
      switch change {
      case .add(_, let position), .remove(_, let position, _): parent = position.parent
      case .text, .attributes, .move: continue
      }
      for name in names {
        // `2.k.4` for an entry, `2.k.kc` for removed entries; in LiveView 1.0, `2.d.4` and `2.d`.
        let entries = name.lastIndex(of: ".").map { name[..<$0] }
        if let node = shifted[Substring(name)] ?? entries.flatMap({ shifted[$0] }) {
          lists[node]?.addShiftedParent(parent)
        }
      }
    }
  }
}

extension ViewState {
  /// The costs of the slots of this epoch's diffs.
  var totals: SlotTotals { log.projections[SlotTotals.self] ?? SlotTotals() }
}

// MARK: - Snapshot

extension SlotTotals.Row {
  func write(to writer: inout SnapshotWriter) {
    for number in [bytes, wastedBytes, diffs, wastedDiffs, lastVersion] { writer.write(count: number) }
    writer.write(isWasted)
  }

  init(of node: SlotTree.Node, from reader: inout SnapshotReader) throws(SnapshotError) {
    self.init(node: node)
    bytes = try reader.count()
    wastedBytes = try reader.count()
    diffs = try reader.count()
    wastedDiffs = try reader.count()
    lastVersion = try reader.count()
    isWasted = try reader.flag()
  }
}
