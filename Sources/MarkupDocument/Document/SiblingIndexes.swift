/// Finds the index of many nodes among their siblings, in one version of a document. Scoped updates
/// use it to order their changes. All calls must pass the same version.
///
/// An index is counted from the nearer end. Once the steps below one parent exceed ``walks`` × the
/// number of its children, the children are numbered in a table. So all lookups together cost no
/// more than a few walks over the children of each parent.
package struct SiblingIndexes {
  private enum Parent {
    /// How many siblings were passed so far.
    case walked(Int)
    /// Every child's index.
    case numbered([NodeTree.Index: Int])
  }

  private var parents: [NodeTree.Index: Parent] = [:]

  /// The children are numbered in a table after this many walks over them, not at once, because a
  /// step of a walk costs less than an entry of the table.
  private static let walks = 4

  /// An empty cache.
  package init() {}

  /// The index of a node among its siblings; 0 for the root and for a node that is not in the
  /// document.
  ///
  /// - Complexity: O(1) amortised over the siblings.
  package mutating func index(of node: NodeRef, in document: Document) -> Int {
    guard let treeIndex = document.treeIndex(of: node), let parent = document.tree.parent(of: treeIndex) else {
      return 0
    }
    let count = document.tree.childCount(of: parent)
    let walked: Int
    switch parents[parent] {
    case .numbered(let numbers)?: return numbers[treeIndex] ?? 0
    case .walked(let steps)?: walked = steps
    case nil: walked = 0
    }
    if walked > Self.walks * count {
      let numbers = Dictionary(
        document.tree.children(of: parent).enumerated().lazy.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      parents[parent] = .numbered(numbers)
      return numbers[treeIndex] ?? 0
    }
    let index = document.index(of: node)
    parents[parent] = .walked(walked + min(index, count - index))
    return index
  }
}

extension Document {
  /// The number of children of a node's parent; 1 for the root and for a node that is not in the
  /// document.
  package func siblings(of node: NodeRef) -> Int {
    treeIndex(of: node).flatMap(tree.parent).map { tree.childCount(of: $0) } ?? 1
  }

  /// The number of nodes from a node up to the root, both included, counted up to `limit`.
  ///
  /// - Complexity: O(*depth*).
  package func depth(of node: NodeRef, atMost limit: Int) -> Int {
    treeIndex(of: node).map { tree.chain(from: $0).prefix(limit).reduce(0) { depth, _ in depth + 1 } } ?? 0
  }
}
