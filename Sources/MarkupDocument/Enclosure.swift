/// Finds, for many nodes of a document, the nearest node of some kind around each.
///
/// What is found on the way up is kept: so many nodes deep in each other are climbed from once.
package struct Enclosure {
  private let document: Document
  private let isWanted: (NodeRef) -> Bool
  /// By place, the nearest one above; `nil` for nodes that have none.
  private var known: [NodeTree.Index: NodeTree.Index?] = [:]

  package init(in document: Document, of isWanted: @escaping (NodeRef) -> Bool) {
    self.document = document
    self.isWanted = isWanted
  }

  /// The nearest ancestor that is wanted.
  ///
  /// - Complexity: O(*depth*), and for all nodes together O(*nodes*).
  package mutating func nearest(around node: NodeRef) -> NodeRef? {
    guard let place = document.place(of: node) else { return nil }
    if let found = known[place] { return found.map(document.ref) }
    var (passed, step) = ([place], document.tree.parent(of: place))
    var found: NodeTree.Index?
    while let above = step {
      if isWanted(document.ref(above)) {
        found = above
        break
      }
      if let nearest = known[above] {
        found = nearest
        break
      }
      passed.append(above)
      step = document.tree.parent(of: above)
    }
    for place in passed { known.updateValue(found, forKey: place) }
    return found.map(document.ref)
  }
}
