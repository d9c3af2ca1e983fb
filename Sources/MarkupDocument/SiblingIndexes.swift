/// The positions of many nodes among their siblings, in one version of a document.
///
/// A position is counted from the nearer end. Where that has passed every child of a parent a few times, the children are
/// numbered once: so all questions together cost no more than a few walks over the children of their parents.
package struct SiblingIndexes {
  private enum Parent {
    /// How many siblings were passed.
    case walked(Int)
    case numbered([NodeTree.Index: Int])
  }

  private var parents: [NodeTree.Index: Parent] = [:]

  /// So many times the children of a parent are passed before they are numbered: a step costs less than an entry.
  private static let walks = 4

  package init() {}

  /// A node's position among its siblings; 0 for the root and for a node that is not in the document.
  ///
  /// - Complexity: O(1) amortised over the siblings.
  package mutating func index(of node: NodeRef, in document: Document) -> Int {
    guard let place = document.place(of: node), let parent = document.tree.parent(of: place) else { return 0 }
    let count = document.tree.childCount(of: parent)
    let walked: Int
    switch parents[parent] {
    case .numbered(let numbers)?: return numbers[place] ?? 0
    case .walked(let steps)?: walked = steps
    case nil: walked = 0
    }
    if walked > Self.walks * count {
      let numbers = Dictionary(
        document.tree.children(of: parent).enumerated().lazy.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      parents[parent] = .numbered(numbers)
      return numbers[place] ?? 0
    }
    let index = document.index(of: node)
    parents[parent] = .walked(walked + min(index, count - index))
    return index
  }
}

extension Document {
  /// How many children the parent of a node has; 1 for the root.
  package func siblings(of node: NodeRef) -> Int {
    place(of: node).flatMap(tree.parent).map { tree.childCount(of: $0) } ?? 1
  }

  /// How many ancestors a node has, counted up to a limit.
  ///
  /// - Complexity: O(*depth*).
  package func depth(of node: NodeRef, atMost limit: Int) -> Int {
    var (depth, step) = (0, place(of: node))
    while let place = step, depth < limit {
      depth += 1
      step = tree.parent(of: place)
    }
    return depth
  }
}
