/// Copies of parts of a document. Scoped updates morph an excerpt, and `ChangePicture` draws one.
extension Document {
  /// Copies the children of `parent` strictly between two siblings, with all their descendants,
  /// into a small document, so that a morph can work on a part of a page alone.
  ///
  /// The copies keep their references and marks, and new nodes get the numbers that they would get
  /// in this document. The children of `parent` become children of the excerpt's root. The root
  /// keeps its own reference, not that of `parent`.
  ///
  /// - Parameters:
  ///   - after: the sibling before the first copy; `nil` to start with the first child.
  ///   - before: the sibling after the last copy; `nil` to end with the last child.
  ///   - next: the number of the first new node, if smaller numbers are already reserved for other
  ///     nodes; `nil` for the next number of this document.
  /// - Complexity: O(*nodes copied*).
  package func excerpt(
    of parent: NodeRef, after: NodeRef?, before: NodeRef?, numberingFrom next: Int? = nil
  ) -> Document {
    var excerpt = Document(dialect: dialect, epoch: epoch)
    excerpt.nextNumber = next ?? nextNumber
    guard let top = treeIndex(of: parent) else { return excerpt }
    let end = before.flatMap { treeIndex(of: $0) }
    var child = after.flatMap { treeIndex(of: $0) }.map(tree.next) ?? tree.firstChild(of: top)
    while let copied = child, copied != end {
      copy(copied, into: &excerpt) { tree[$0] }
      child = tree.next(of: copied)
    }
    return excerpt
  }

  /// Copies the nodes for which `content` is not `nil` into a small document, so that a part of a
  /// page can be drawn together with its ancestors. The copies keep their references and marks.
  ///
  /// - Parameter content: the content of a copy; `nil` to leave out the node and its descendants.
  /// - Complexity: O(*nodes copied* + *their siblings*).
  package func excerpt(of content: (NodeTree.Index) -> NodeContent?) -> Document {
    var excerpt = Document(dialect: dialect, epoch: epoch)
    excerpt.nextNumber = nextNumber
    for child in tree.children(of: NodeTree.root) { copy(child, into: &excerpt, content) }
    return excerpt
  }

  /// Appends a copy of a node and its descendants to the excerpt's root. A node for which `content`
  /// returns `nil` is left out with its descendants.
  private func copy(
    _ top: NodeTree.Index, into excerpt: inout Document, _ content: (NodeTree.Index) -> NodeContent?
  ) {
    var (node, parent) = (top, NodeTree.root)
    while true {
      if let content = content(node) {
        let copy = excerpt.make(content, number: numbers[Int(node.raw)])
        excerpt.append(copy, to: parent)
        let ref = ref(node)
        if let origin = marks.origins[ref] { excerpt.mark(ref, origin) }
        if let root = marks.roots[ref] { excerpt.marks.roots[ref] = root }
        if marks.hasClientState { excerpt.marks.setClientState(marks.clientState(of: ref), of: ref) }
        if let child = tree.firstChild(of: node) {
          (node, parent) = (child, copy)
          continue
        }
      }
      while node != top, tree.next(of: node) == nil, let above = tree.parent(of: node) {
        node = above
        parent = excerpt.tree.parent(of: parent) ?? NodeTree.root
      }
      guard node != top, let sibling = tree.next(of: node) else { return }
      node = sibling
    }
  }
}

extension Marks {
  /// Merges other marks into these. If both have a mark of a node, the mark in `others` is kept.
  package mutating func add(_ others: Marks) {
    origins.merge(others.origins) { $1 }
    addStates(others)
  }

  /// Merges all marks except ``origins``, in the same way as ``add(_:)``.
  mutating func addStates(_ others: Marks) {
    if !others.roots.isEmpty { roots.merge(others.roots) { $1 } }
    guard others.hasClientState else { return }
    streams.merge(others.streams) { $1 }
    ignored.merge(others.ignored) { $1 }
    portals.merge(others.portals) { $1 }
  }
}
