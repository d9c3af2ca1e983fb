internal import LiveViewMirror
internal import MarkupDocument

/// The nodes that a change set refers to, and the nodes around them. ``SideBySide`` makes them for
/// its ``RowWriter``.
struct RowMarks {
  /// The texts whose content, and the elements whose attributes, the change set changes.
  private(set) var changed: Set<NodeRef> = []
  /// The nodes of moves.
  private(set) var moved: Set<NodeRef> = []
  /// The nodes that contain a change in one of the documents, and the changed nodes.
  private(set) var open: Set<NodeRef> = []
  /// The node around all changes, in both documents.
  private(set) var top: NodeRef
  /// By storage index: the number of nodes of each subtree.
  private let oldSizes: [Int32]
  private let newSizes: [Int32]

  /// - Complexity: O(*nodes of both documents* + *changes*).
  init(_ changeSet: ChangeSet, _ old: Document, _ new: Document) {
    oldSizes = Self.sizes(of: old.tree)
    newSizes = Self.sizes(of: new.tree)
    top = new.root
    var parents: Set<NodeRef> = []
    for change in changeSet.changes {
      switch change {
      case .text(let node, let parent, _, _):
        changed.insert(node)
        parents.insert(parent)
      case .attributes(let node, _, _):
        changed.insert(node)
        parents.insert(node == new.root ? node : new.parent(of: node) ?? new.root)
      case .move(let node, _, _, _):
        moved.insert(node)
        parents.formUnion(change.parents)
      case .add, .remove: parents.formUnion(change.parents)
      }
    }
    // An ancestor in one document need not be one in the other.
    for document in [old, new] {
      var visited: Set<NodeRef> = []
      for parent in parents {
        var node: NodeRef? = parent
        while let step = node, visited.insert(step).inserted { node = document.parent(of: step) }
      }
      open.formUnion(visited)
    }
    open.formUnion(changed)
    top = Self.top(of: parents, open: open, in: new)
  }

  /// The deepest node that contains all changes.
  private static func top(of parents: Set<NodeRef>, open: Set<NodeRef>, in document: Document) -> NodeRef {
    var top = document.root
    while !parents.contains(top) {
      let inner = document.children(of: top).filter(open.contains)
      guard inner.count == 1, let only = inner.first else { break }
      top = only
    }
    return top
  }

  func size(of node: NodeTree.Index, isOld: Bool) -> Int { Int((isOld ? oldSizes : newSizes)[Int(node.raw)]) }

  private static func sizes(of tree: NodeTree) -> [Int32] {
    let nodes = Array(tree.preorder())
    var sizes = [Int32](repeating: 0, count: Int(nodes.lazy.map(\.raw).max() ?? 0) + 1)
    for node in nodes.reversed() {
      sizes[Int(node.raw)] += 1
      if let parent = tree.parent(of: node) { sizes[Int(parent.raw)] += sizes[Int(node.raw)] }
    }
    return sizes
  }
}
