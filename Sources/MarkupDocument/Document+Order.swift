extension Document {
  /// Nodes in document order, each once; those that are not in the document are left out.
  ///
  /// - Complexity: for a few nodes O(*k* log *k* · *depth*) and the siblings between them, for many O(*nodes*).
  package func inDocumentOrder(_ nodes: Set<NodeRef>) -> [NodeRef] {
    if nodes.count <= 1 { return nodes.filter(contains) }
    if nodes.count > 32 { return tree.preorder().lazy.map(ref).filter(nodes.contains) }
    return nodes.compactMap { place(of: $0) }.sorted(by: precedes).map(ref)
  }

  private func precedes(_ a: NodeTree.Index, _ b: NodeTree.Index) -> Bool {
    let (pathA, pathB) = (ancestors(of: a), ancestors(of: b))
    guard let fork = zip(pathA, pathB).firstIndex(where: { $0 != $1 }) else { return pathA.count < pathB.count }
    // Both walk towards the end; the one that meets the other stands before it.
    var (fromA, fromB) = (tree.next(of: pathA[fork]), tree.next(of: pathB[fork]))
    while true {
      if fromA == pathB[fork] { return true }
      if fromB == pathA[fork] { return false }
      if fromA == nil { return false }
      if fromB == nil { return true }
      fromA = fromA.flatMap(tree.next)
      fromB = fromB.flatMap(tree.next)
    }
  }

  private func ancestors(of place: NodeTree.Index) -> [NodeTree.Index] {
    var path = [place]
    var step = place
    while let parent = tree.parent(of: step) {
      path.append(parent)
      step = parent
    }
    return path.reversed()
  }
}

extension Sequence {
  fileprivate func firstIndex(where isMatch: (Element) -> Bool) -> Int? {
    enumerated().first { isMatch($0.element) }?.offset
  }
}
