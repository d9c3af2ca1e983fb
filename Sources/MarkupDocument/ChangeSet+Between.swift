internal import MirrorSupport

extension ChangeSet {
  /// The changes between two versions of a document with the same epoch, found by comparing node references.
  ///
  /// - Complexity: O(*n* log *n*), *n* being the number of nodes in both versions.
  package init(from old: Document, to new: Document) {
    self.init()
    var oldIndexes = SiblingIndexes()
    /// Per index in the old storage: the node's position among its siblings, and whether it stays in place. Set only for
    /// children of the nodes visited so far.
    var positions = [Int32](repeating: 0, count: old.tree.records.count)
    var stable = [Bool](repeating: false, count: old.tree.records.count)
    var pending = [(NodeTree.root, isHidden: false)]
    while let (place, isHidden) = pending.popLast() {
      let hidesChildren = isHidden || new.dialect.hidesContent(of: new.tree[place])
      let parent = new.ref(place)
      let children = new.tree.children(of: place).map { $0 }
      let oldParent = old.treeIndex(of: parent)
      appendContent(of: parent, from: old, to: new, isHidden)
      if let oldParent {
        for (index, child) in old.tree.children(of: oldParent).enumerated() {
          positions[Int(child.raw)] = Int32(index)
          if new.contains(old.ref(child)) { continue }
          appendRemoval(of: old.ref(child), from: Position(parent: parent, index: index), old, new, hidesChildren)
        }
      }
      /// Per new position: the child's old storage index if it had the same parent in the old document.
      let former = children.map { child in
        old.treeIndex(of: new.ref(child)).flatMap { old.tree.parent(of: $0) == oldParent ? $0 : nil }
      }
      let kept = former.enumerated().compactMap { (index, place) in
        place.map { (place: $0, from: Int(positions[Int($0.raw)]), to: index) }
      }
      let stays = longestIncreasingSubsequence(of: kept.map(\.from)) { kept[$0].from == kept[$0].to }
      for index in stays { stable[Int(kept[index].place.raw)] = true }
      for (index, child) in children.enumerated() where !(former[index].map { stable[Int($0.raw)] } ?? false) {
        appendArrival(of: child, at: Position(parent: parent, index: index), &oldIndexes, old, new, hidesChildren)
      }
      pending += children.reversed().map { ($0, hidesChildren) }
    }
  }

  private mutating func appendContent(of node: NodeRef, from old: Document, to new: Document, _ isHidden: Bool) {
    switch (old.content(of: node), new.content(of: node)) {
    case (.text(let before)?, .text(let after)?), (.comment(let before)?, .comment(let after)?):
      guard !before.hasSameBytes(as: after), let parent = new.parent(of: node) else { return }
      append(.text(node: node, parent: parent, before: before, after: after), isHidden: isHidden)
    case (.processingInstruction(let before)?, .processingInstruction(let after)?):
      guard before != after, let parent = new.parent(of: node) else { return }
      append(.text(node: node, parent: parent, before: before.data, after: after.data), isHidden: isHidden)
    case (.element(let before)?, .element(let after)?):
      let attributes = before.changes(to: after)
      if !attributes.isEmpty { append(.attributes(node: node, tag: after.tag, attributes), isHidden: isHidden) }
    default: return
    }
  }

  private mutating func appendRemoval(
    of top: NodeRef, from position: Position, _ old: Document, _ new: Document, _ isHidden: Bool
  ) {
    guard let place = old.treeIndex(of: top) else { return }
    var nodes: [NodeRef] = []
    var node: NodeTree.Index? = place
    while let step = node {
      let lives = new.contains(old.ref(step))
      if !lives { nodes.append(old.ref(step)) }
      node = old.tree.successor(of: step, within: place, skippingChildren: lives)
    }
    append(.remove(nodes: nodes, from: position, name: NodeName(old.tree[place])), isHidden: isHidden)
  }

  private mutating func appendArrival(
    of place: NodeTree.Index, at position: Position, _ indexes: inout SiblingIndexes, _ old: Document, _ new: Document,
    _ isHidden: Bool
  ) {
    let node = new.ref(place)
    if let parent = old.parent(of: node) {
      let from = Position(parent: parent, index: indexes.index(of: node, in: old))
      append(.move(node: node, name: NodeName(new.tree[place]), from: from, to: position), isHidden: isHidden)
    } else if old.contains(position.parent) {
      append(.add(subtree(of: place, old, new), at: position), isHidden: isHidden)
    }
  }
}

/// A new node with all new nodes below it. Descendants that existed before are left out: each arrives by a move of its own.
private func subtree(of top: NodeTree.Index, _ old: Document, _ new: Document) -> Subtree {
  var nodes: [Subtree.Node] = []
  var pending: [(place: NodeTree.Index, parent: Int?)] = [(top, nil)]
  while let (place, parent) = pending.popLast() {
    nodes.append(Subtree.Node(ref: new.ref(place), content: new.tree[place], parent: parent))
    let position = nodes.count - 1
    for child in Array(new.tree.children(of: place)).reversed() where !old.contains(new.ref(child)) {
      pending.append((child, position))
    }
  }
  return Subtree(nodes: nodes)
}
