/// The places that an update names, each with whether it brought anything new: the causes of what changes later.
///
/// Beside the list stands a tree over the places of the *merged tree*, so that the renderer, walking that tree, can tell
/// where each of them was written without building paths for the slots that nobody touched. Writing it costs an append;
/// who reads it makes an ``Index`` of it first.
package struct TouchedSlots: Sendable {
  package struct Slot: Sendable {
    /// Where in the update: a path in ``TouchedSlots/paths``.
    package fileprivate(set) var path: PathTree.Node
    /// Whether the tree differs for it. A slot that was sent and is as before is waste.
    package var isChanged: Bool
    /// Whether all that the place holds was sent, and not a part of it.
    fileprivate var isWhole: Bool
    /// The size of its value as compact JSON.
    package var bytes: Int
    fileprivate var place: Place
  }

  package private(set) var slots: [Slot] = []
  /// The paths of ``slots``, which share their beginnings: *n* slots at depth *d* take O(*n* + *d*), not O(*n* × *d*).
  package private(set) var paths = PathTree()
  /// The roots that the update merges something into; see ``Fragment/root``.
  package internal(set) var roots: Set<Int> = []
  /// Whether a fragment with roots was sent again as it was: LiveView's client takes its elements for new ones.
  package internal(set) var renewsRoots = false
  private var nodes: [Node] = []

  private struct Node: Hashable, Sendable {
    /// -1 in the page's root; -2 for the root of a component.
    var parent: Int
    /// Which child, or which component.
    var index: Int
  }

  /// A place in the tree.
  package struct Place: Equatable, Sendable {
    /// -1 for the page's root, -3 for ``nowhere``.
    fileprivate var node: Int

    fileprivate static let root = Place(node: -1)
    /// In what is new as a whole: no place of its own.
    static let nowhere = Place(node: -3)
  }

  package init() {}

  var root: Place { .root }

  // MARK: - Writing

  mutating func place(ofComponent cid: Int) -> Place { add(Node(parent: -2, index: cid)) }

  mutating func place(at index: Int, under place: Place) -> Place { add(Node(parent: place.node, index: index)) }

  private mutating func add(_ node: Node) -> Place {
    nodes.appendOrBegin(with: node)
    return Place(node: nodes.count - 1)
  }

  mutating func touch(_ path: inout MergePath, at place: Place, isChanged: Bool, isWhole: Bool, bytes: Int) {
    let node = path.node(in: &paths)
    slots.appendOrBegin(with: Slot(path: node, isChanged: isChanged, isWhole: isWhole, bytes: bytes, place: place))
  }

  // MARK: - Reading

  /// Where in the update a slot is.
  ///
  /// - Complexity: O(*steps*).
  package func path(of slot: Int) -> SlotPath { paths.path(to: slots[slot].path) }

  /// The first steps of the path of a slot, dotted.
  ///
  /// - Complexity: O(*steps*).
  package func name(of slot: Int, atMost steps: Int) -> String { paths.name(of: slots[slot].path, atMost: steps) }

  /// Finds the places, and the slots at each.
  package struct Index: Sendable {
    package static let none = Index(TouchedSlots())

    private var places: [Node: Place] = [:]
    private var slots: [Int: [Int]] = [:]
    private var whole: Set<Int> = []

    package init(_ touched: TouchedSlots) {
      if touched.slots.isEmpty, touched.nodes.isEmpty { return }
      // A place may have been written twice: the first one stands for all. Parents come before their children.
      var first = Array(touched.nodes.indices)
      for (position, node) in touched.nodes.enumerated() {
        let key = Node(parent: node.parent < 0 ? node.parent : first[node.parent], index: node.index)
        first[position] = places[key]?.node ?? position
        places[key] = Place(node: first[position])
      }
      for (position, slot) in touched.slots.enumerated() {
        let place = slot.place.node < 0 ? slot.place.node : first[slot.place.node]
        slots[place, default: []].append(position)
        if slot.isWhole { whole.insert(place) }
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

    /// Whether all that the place holds was sent.
    func isWhole(_ place: Place?) -> Bool { place.map { whole.contains($0.node) } ?? false }

    /// The positions in ``TouchedSlots/slots`` of those that stand at exactly this place.
    func slots(at place: Place?) -> [Int] {
      guard let place else { return [] }
      return slots[place.node] ?? []
    }
  }
}
