internal import MirrorSupport

/// The slots that an update names, and whether each one changed. They are the causes of the changes
/// in the document.
///
/// Beside the list there is a tree of the places in the *merged tree*. While the renderer walks the
/// merged tree, it finds the range of each slot by these places, without making paths for slots
/// that the update does not name. Adding a place costs one append; for reading, an ``Index`` is
/// made first.
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
  /// The stream operations of the update that have effects, or should have.
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

    fileprivate static let root = Place(node: -1)
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
  package func name(of slot: Int, atMost steps: Int) -> String { paths.name(of: slots[slot].path, atMost: steps) }

  /// Finds places by their path, and the slots at each place.
  package struct Index: Sendable {
    package static let none = Index(TouchedSlots())

    private var places: [Node: Place] = [:]
    private var slots: [Int: [Int]] = [:]
    private var wholeNodes: Set<Int> = []

    /// - Parameter isBefore: whether the places are those of the tree before the update, in which
    ///   moved entries have their former index. A slot that only moves an entry is at the entry
    ///   that it replaces.
    package init(_ touched: TouchedSlots, isBefore: Bool = false) {
      if touched.slots.isEmpty, touched.nodes.isEmpty { return }
      // A place may have been added several times; the first node represents all of them. Parents
      // precede their children.
      var first = Array(touched.nodes.indices)
      for (position, node) in touched.nodes.enumerated() {
        let index = isBefore ? touched.formerIndexes[position] ?? node.index : node.index
        let key = Node(parent: node.parent < 0 ? node.parent : first[node.parent], index: index)
        first[position] = places[key]?.node ?? position
        places[key] = Place(node: first[position])
      }
      for (position, slot) in touched.slots.enumerated() {
        let place = slot.place.node < 0 ? slot.place.node : first[slot.place.node]
        slots[place, default: []].append(position)
        if slot.isWhole { wholeNodes.insert(place) }
      }
    }

    package func component(_ cid: Int) -> Place? { places[Node(parent: -2, index: cid)] }

    package func child(_ index: Int, of place: Place?) -> Place? {
      guard let place else { return nil }
      return places[Node(parent: place.node, index: index)]
    }

    /// The place of an instance.
    package func place(of path: InstancePath) -> Place? {
      if places.isEmpty { return nil }
      var place = path.component.map { component($0) } ?? .root
      for step in path.steps {
        place = child(step.slot, of: place)
        if let entry = step.entry { place = child(entry, of: place) }
      }
      return place
    }

    /// Whether the value at the place was sent whole.
    func isWhole(_ place: Place?) -> Bool { place.map { wholeNodes.contains($0.node) } ?? false }

    /// The positions in ``TouchedSlots/slots`` of the slots at exactly this place.
    func slots(at place: Place?) -> [Int] {
      guard let place else { return [] }
      return slots[place.node] ?? []
    }
  }
}
