/// The places that an update names, each with whether it brought anything new: the causes of what changes later.
///
/// Beside the list stands a trie over the places of the *merged tree*, so that the renderer, walking that tree, can tell
/// where each of them was written without building paths for the slots that nobody touched.
package struct TouchedSlots: Sendable {
  package struct Slot: Sendable {
    /// Where in the update.
    package var path: SlotPath
    /// Whether the tree differs for it. A slot that was sent and is as before is waste.
    package var isChanged: Bool
    /// The size of its value as compact JSON.
    package var bytes: Int
  }

  package private(set) var slots: [Slot] = []
  private var nodes: [Node] = [Node()]
  private var componentNodes: [Int: Int] = [:]

  private struct Node: Sendable {
    var children: [Int: Int] = [:]
    var slots: [Int] = []
  }

  /// A place in the trie.
  struct Place: Equatable {
    fileprivate var node: Int
  }

  package init() {}

  var root: Place { Place(node: 0) }

  // MARK: - Writing

  mutating func place(ofComponent cid: Int) -> Place {
    if let node = componentNodes[cid] { return Place(node: node) }
    nodes.append(Node())
    componentNodes[cid] = nodes.count - 1
    return Place(node: nodes.count - 1)
  }

  mutating func place(at index: Int, under place: Place) -> Place {
    if let node = nodes[place.node].children[index] { return Place(node: node) }
    nodes.append(Node())
    nodes[place.node].children[index] = nodes.count - 1
    return Place(node: nodes.count - 1)
  }

  mutating func touch(_ path: SlotPath, at place: Place, isChanged: Bool, bytes: Int) {
    nodes[place.node].slots.append(slots.count)
    slots.append(Slot(path: path, isChanged: isChanged, bytes: bytes))
  }

  // MARK: - Reading

  func component(_ cid: Int) -> Place? { componentNodes[cid].map(Place.init) }

  func child(_ index: Int, of place: Place?) -> Place? {
    guard let place else { return nil }
    return nodes[place.node].children[index].map(Place.init)
  }

  /// The positions in ``slots`` of those that stand at exactly this place.
  func slots(at place: Place?) -> [Int] {
    guard let place else { return [] }
    return nodes[place.node].slots
  }
}
