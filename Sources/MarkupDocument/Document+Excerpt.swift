extension Document {
  /// A small document whose root stands for `parent`, with the children strictly between two siblings and all that is
  /// below them: so that a morph can look at a part of a page alone.
  ///
  /// Its nodes have the names and marks that they have here, and new ones get the names that they would get here; only
  /// the root is called what every root is.
  ///
  /// - Parameters:
  ///   - after: the child before the first that is copied; `nil` for all from the first on.
  ///   - before: the child behind the last that is copied; `nil` for all to the last.
  ///   - next: the number for the first new node, where others have been promised already.
  /// - Complexity: O(*nodes copied*).
  package func excerpt(
    of parent: NodeRef, after: NodeRef?, before: NodeRef?, numberingFrom next: Int? = nil
  ) -> Document {
    var excerpt = Document(dialect: dialect, epoch: epoch)
    excerpt.nextNumber = next ?? nextNumber
    guard let top = place(of: parent) else { return excerpt }
    let end = before.flatMap { place(of: $0) }
    var child = after.flatMap { place(of: $0) }.map(tree.next) ?? tree.firstChild(of: top)
    while let copied = child, copied != end {
      copy(copied, into: &excerpt)
      child = tree.next(of: copied)
    }
    return excerpt
  }

  /// Puts a copy of a node and all below it at the end of the excerpt's root.
  private func copy(_ top: NodeTree.Index, into excerpt: inout Document) {
    var (node, parent) = (top, NodeTree.root)
    while true {
      let copy = excerpt.make(tree[node], number: numbers[Int(node.raw)])
      excerpt.append(copy, to: parent)
      let ref = ref(node)
      if let origin = marks.origins[ref] { excerpt.mark(ref, origin) }
      if let root = marks.roots[ref] { excerpt.marks.roots[ref] = root }
      if marks.hasClientState { excerpt.marks.setClientState(marks.clientState(of: ref), of: ref) }
      if let child = tree.firstChild(of: node) {
        (node, parent) = (child, copy)
        continue
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

extension Document {
  /// Gives the next new nodes the numbers from one on: for a document that stands for a part of another.
  package mutating func beginNumbering(at number: Int) { nextNumber = number }
}

extension Marks {
  package mutating func add(_ others: Marks) {
    origins.merge(others.origins) { $1 }
    roots.merge(others.roots) { $1 }
    streams.merge(others.streams) { $1 }
    ignored.merge(others.ignored) { $1 }
    portals.merge(others.portals) { $1 }
  }
}
