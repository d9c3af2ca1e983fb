/// Which node of the document each node of the page is: what the ``Matcher`` finds and the ``ChangeWriter`` reads.
struct Matches {
  /// By place in the page's storage.
  private var partners: [Int32]
  /// By place in the document's storage: has a partner.
  private var claimed: [Bool]
  private var stable: [Bool]
  /// Among its siblings in the document; filled for the children of every node that is matched.
  private var positions: [Int32]

  init(document: NodeTree, page: NodeTree) {
    partners = Array(repeating: NodeTree.none, count: page.records.count)
    claimed = Array(repeating: false, count: document.records.count)
    stable = claimed
    positions = Array(repeating: NodeTree.none, count: document.records.count)
  }

  mutating func pair(_ old: NodeTree.Index, _ new: NodeTree.Index) {
    partners[Int(new.raw)] = old.raw
    claimed[Int(old.raw)] = true
  }

  func partner(of new: NodeTree.Index) -> NodeTree.Index? {
    let raw = partners[Int(new.raw)]
    return raw == NodeTree.none ? nil : NodeTree.Index(raw: raw)
  }

  func isClaimed(_ old: NodeTree.Index) -> Bool { claimed[Int(old.raw)] }

  /// Whether a node that lives on does so without moving.
  func isStable(_ old: NodeTree.Index) -> Bool { stable[Int(old.raw)] }
  mutating func setStable(_ old: NodeTree.Index) { stable[Int(old.raw)] = true }

  func position(of old: NodeTree.Index) -> Int? {
    let position = positions[Int(old.raw)]
    return position == NodeTree.none ? nil : Int(position)
  }
  mutating func number(_ siblings: NodeTree.Children) {
    for (position, sibling) in siblings.enumerated() { positions[Int(sibling.raw)] = Int32(position) }
  }
}
