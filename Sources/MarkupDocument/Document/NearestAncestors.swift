/// Finds the nearest matching ancestor for many nodes of one document.
///
/// The result is cached for every node on the way up, so a path that many nodes share is walked
/// once.
///
/// ``Document/mayHideComponents(_:)`` and full updates use it. A copy of the document is kept, so
/// later changes do not affect the search.
package struct NearestAncestors {
  private let document: Document
  private let isWanted: (NodeRef) -> Bool
  /// The results by storage index; the value `nil` means that the node has no matching ancestor.
  private var known: [NodeTree.Index: NodeTree.Index?] = [:]

  /// A search for ancestors in `document` that satisfy `isWanted`.
  package init(in document: Document, of isWanted: @escaping (NodeRef) -> Bool) {
    self.document = document
    self.isWanted = isWanted
  }

  /// The nearest ancestor of `node` that satisfies the condition.
  ///
  /// - Complexity: O(*depth*), and O(*nodes*) for all nodes together.
  package mutating func nearest(around node: NodeRef) -> NodeRef? {
    guard let treeIndex = document.treeIndex(of: node) else { return nil }
    if let found = known[treeIndex] { return found.map(document.ref) }
    var (passed, step) = ([treeIndex], document.tree.parent(of: treeIndex))
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
    for treeIndex in passed { known.updateValue(found, forKey: treeIndex) }
    return found.map(document.ref)
  }
}
