internal import MirrorSupport

/// The slots that an update names, and whether each one changed. They are the causes of the changes
/// in the document. ``Merger`` fills it.
///
/// In addition to the list ``slots``, there is a tree of the slots' places in the *merged tree*,
/// the Rendered after the update. While the renderer walks the merged tree, it finds the range of
/// each slot by these places, without making paths for slots that the update does not name. Adding
/// a place costs one append; for reading, an ``Index`` is made first.
package struct TouchedSlots: Sendable {
  /// One slot that the update names.
  package struct Slot: Sendable {
    /// The path in the update, a node of ``TouchedSlots/paths``.
    package fileprivate(set) var path: PathTree.Node
    /// Whether the value changed. A slot that was sent without a change is a waste of bandwidth.
    package var isChanged: Bool
    /// Whether the value was sent whole, and not only a part of it.
    fileprivate var isWhole: Bool
    /// The size of the value as compact JSON, in bytes.
    package var bytes: Int
    fileprivate var place: Place
  }

  package private(set) var slots: [Slot] = []
  /// The paths of ``slots``, which share their prefixes: *n* slots at depth *d* take O(*n* + *d*)
  /// memory, not O(*n* × *d*).
  package private(set) var paths = PathTree()
  /// The roots of the fragments into which the update merges changes. See ``Fragment/root``.
  package internal(set) var roots: Set<Int> = []
  /// Whether a fragment with roots was sent again without a change. The client numbers such a root
  /// anew, and treats its element as new.
  ///
  /// - Client: `toOutputBuffer`, `nextMagicID` in `rendered.js`, 1.0+. Origin:
  ///   phoenix_live_view#2845.
  package internal(set) var renewsRoots = false
  /// The stream operations of the update that are not empty.
  package internal(set) var streams: [TouchedStream] = []
  /// The comprehensions that the update names, in the order of the merge.
  package private(set) var lists: [TouchedList] = []
  /// The number of slots that changed.
  package private(set) var changedCount = 0
  private var nodes: [Node] = []
  /// For the node of an entry that moved and changed, its index before the update.
  private var formerIndexes: [Int: Int] = [:]

  private struct Node: Hashable, Sendable {
    /// The parent's index in `nodes`; -1 for the page's root, -2 if this node is the root of a
    /// component.
    var parent: Int
    /// The index of the child, or the component id.
    var index: Int
  }

  /// A place in the merged tree.
  package struct Place: Equatable, Sendable {
    /// An index in `nodes`; -1 for the page's root, -3 for ``nowhere``.
    fileprivate var node: Int

    static let root = Place(node: -1)
    /// Any place inside of a value that was sent whole, where slots are not noted.
    static let nowhere = Place(node: -3)
  }

  package init() {}

  var root: Place { .root }

  // MARK: - Adding

  mutating func place(ofComponent cid: Int) -> Place { add(Node(parent: -2, index: cid)) }

  /// - Parameter former: the index before the update, for the changes of an entry that has moved.
  mutating func place(at index: Int, under place: Place, from former: Int? = nil) -> Place {
    let place = add(Node(parent: place.node, index: index))
    if let former { formerIndexes[place.node] = former }
    return place
  }

  private mutating func add(_ node: Node) -> Place {
    nodes.appendOrBegin(with: node)
    return Place(node: nodes.count - 1)
  }

  mutating func touch(_ path: inout MergePath, at place: Place, isChanged: Bool, isWhole: Bool, bytes: Int) {
    let node = path.node(in: &paths)
    if isChanged { changedCount += 1 }
    slots.appendOrBegin(with: Slot(path: node, isChanged: isChanged, isWhole: isWhole, bytes: bytes, place: place))
  }

  mutating func note(_ list: TouchedList, at path: inout MergePath) {
    var list = list
    list.path = path.node(in: &paths)
    lists.appendOrBegin(with: list)
  }

  // MARK: - Reading

  /// The path of a slot in the update.
  ///
  /// - Complexity: O(*steps*).
  package func path(of slot: Int) -> SlotPath { paths.path(to: slots[slot].path) }

  /// The first steps of a slot's path, in the dotted form.
  ///
  /// - Complexity: O(*steps*).
  package func dottedPath(of slot: Int, atMost steps: Int) -> String {
    paths.dottedPath(to: slots[slot].path, atMost: steps)
  }

  /// Finds places by their path, and the slots at each place. ``Renderer`` asks it for each value
  /// that it writes.
  package struct Index: Sendable {
    package static let none = Index(TouchedSlots())

    /// The places below each place, by ascending index.
    private var children = Groups<(index: Int, node: Int)>()
    private var slots = Groups<Int>()
    /// For each place, whether its value was sent whole.
    private var areWhole: [Bool] = []

    /// - Parameter isBefore: whether the places are those of the tree before the update. Entries
    ///   that moved and changed then have their former index. An entry that only moved keeps its
    ///   new index, which was the index of the entry that it replaces.
    /// - Complexity: O(*places* + *slots*) if the places below each place were added by ascending
    ///   index, as for most updates.
    package init(_ touched: TouchedSlots, isBefore: Bool = false) {
      if touched.slots.isEmpty, touched.nodes.isEmpty { return }
      var nodes = touched.nodes
      if isBefore { for (position, index) in touched.formerIndexes { nodes[position].index = index } }
      let (first, ordered) = Self.unite(&nodes)
      let count = nodes.count + Self.firstGroup
      children = Groups(
        count, of: ordered.lazy.map { (nodes[$0].parent + Self.firstGroup, (nodes[$0].index, $0)) })
      func node(_ slot: Slot) -> Int { slot.place.node < 0 ? slot.place.node : first[slot.place.node] }
      slots = Groups(count, of: touched.slots.indices.lazy.map { (node(touched.slots[$0]) + Self.firstGroup, $0) })
      areWhole = Array(repeating: false, count: count)
      for slot in touched.slots where slot.isWhole { areWhole[node(slot) + Self.firstGroup] = true }
    }

    /// The index of the places in the tree before the update. Called on the index of the tree after
    /// the update.
    ///
    /// - Parameter touched: the slots for which this index was made.
    package func before(_ touched: TouchedSlots) -> Index {
      touched.formerIndexes.isEmpty ? self : Index(touched, isBefore: true)
    }

    /// A place may have been added several times. This function changes the parents, so that each
    /// parent is the first node of its place.
    ///
    /// - Returns: for each node, the first node of the same place; and all these first nodes, in an
    ///   order in which the children of each place have ascending indexes.
    private static func unite(_ nodes: inout [Node]) -> (first: [Int], ordered: [Int]) {
      var first = Array(nodes.indices)
      var last = [Int](repeating: -1, count: nodes.count + firstGroup)
      let isAscending = nodes.allSatisfy { node in
        defer { last[node.parent + firstGroup] = node.index }
        return node.index > last[node.parent + firstGroup]
      }
      if isAscending { return (first, first) }
      var known = [Node: Int](minimumCapacity: nodes.count)
      // Parents precede their children.
      for position in nodes.indices {
        if nodes[position].parent >= 0 { nodes[position].parent = first[nodes[position].parent] }
        first[position] = known[nodes[position], default: position]
        known[nodes[position]] = first[position]
      }
      let ordered = known.values.sorted { nodes[$0].index < nodes[$1].index }
      return (first, ordered)
    }

    /// Added to the number of a place to get its group, because places that are not in `nodes` have
    /// the numbers -1 to -3.
    private static let firstGroup = 3

    package func component(_ cid: Int) -> Place? { child(cid, under: -2) }

    package func child(_ index: Int, of place: Place?) -> Place? { place.flatMap { child(index, under: $0.node) } }

    /// - Complexity: O(log *children*).
    private func child(_ index: Int, under node: Int) -> Place? {
      let group = children[node + Self.firstGroup]
      let position = group.partitioningIndex { $0.index >= index }
      return position < group.endIndex && group[position].index == index ? Place(node: group[position].node) : nil
    }

    /// The place of an instance.
    package func place(of path: InstancePath) -> Place? {
      var place = path.component.map { component($0) } ?? .root
      for step in path.steps {
        place = child(step.slot, of: place)
        if let entry = step.entry { place = child(entry, of: place) }
      }
      return place
    }

    /// Whether the value at the place was sent whole.
    func isWhole(_ place: Place?) -> Bool {
      guard let group = place.map({ $0.node + Self.firstGroup }), group < areWhole.count else { return false }
      return areWhole[group]
    }

    /// The positions in ``TouchedSlots/slots`` of the slots at exactly this place.
    func slots(at place: Place?) -> ArraySlice<Int> {
      place.map { slots[$0.node + Self.firstGroup] } ?? []
    }
  }
}

/// Values in groups that are numbered from 0 on. ``TouchedSlots/Index`` has the children and the
/// slots of all places in two arrays instead of one array for each place.
private struct Groups<Value: Sendable>: Sendable {
  /// The end of each group, which is the start of the next one.
  private var ends: [Int] = []
  private var values: [Value] = []

  init() {}

  /// - Parameter members: the values. In a group they keep their order.
  /// - Complexity: O(*groups* + *values*).
  init(_ count: Int, of members: some Collection<(group: Int, value: Value)>) {
    guard let any = members.first else { return }
    ends = [Int](repeating: 0, count: count)
    for (group, _) in members { ends[group] += 1 }
    var start = 0
    for group in ends.indices { (ends[group], start) = (start, start + ends[group]) }
    values = [Value](repeating: any.value, count: start)
    for (group, value) in members {
      values[ends[group]] = value
      ends[group] += 1
    }
  }

  subscript(group: Int) -> ArraySlice<Value> {
    guard group < ends.count else { return [] }
    return values[(group > 0 ? ends[group - 1] : 0)..<ends[group]]
  }
}
