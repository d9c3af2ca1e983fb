extension Document {
  /// Carries a change set out: everything that leaves its place leaves first, then what is new or moved is put where it
  /// belongs, parents before their children and first children first, so that every index is final when it is used.
  ///
  /// - Precondition: the change set was computed from this very version.
  /// - Complexity: O(*changes* + *nodes added and removed* + the children passed over to find an index).
  package mutating func apply(_ changeSet: ChangeSet, marks: Marks? = nil) {
    for case .move(let node, _, _, _) in changeSet.changes { tree.detach(known(node)) }
    for change in changeSet.changes {
      switch change {
      case .remove(let nodes, _, _): remove(nodes)
      case .text(let node, _, _, let after): setText(of: known(node), to: after)
      case .attributes(let node, _, let changes): setAttributes(of: known(node), changes)
      case .add, .move: break
      }
    }
    var inserter = Inserter()
    for change in changeSet.changes {
      switch change {
      case .add(let subtree, let position): inserter.insert(make(subtree), at: position, into: &self)
      case .move(let node, _, _, let position): inserter.insert(known(node), at: position, into: &self)
      case .text, .attributes, .remove: break
      }
    }
    if let marks { self.marks = marks }
  }

  private func known(_ node: NodeRef) -> NodeTree.Index {
    guard let place = place(of: node) else { preconditionFailure("node \(node) is not in this version") }
    return place
  }

  private mutating func remove(_ nodes: [NodeRef]) {
    let top = known(nodes[0])
    for node in nodes {
      numbers[Int(known(node).raw)] = 0
      places[node.number] = nil
      marks.origins[node] = nil
      marks.streams[node] = nil
    }
    tree.remove(top)
  }

  private mutating func make(_ subtree: Subtree) -> NodeTree.Index {
    var made: [NodeTree.Index] = []
    made.reserveCapacity(subtree.count)
    for node in subtree.nodes {
      let place = tree.make(node.content)
      if Int(place.raw) == numbers.count { numbers.append(0) }
      numbers[Int(place.raw)] = node.ref.number
      places[node.ref.number] = place
      nextNumber = max(nextNumber, node.ref.number + 1)
      if let parent = node.parent { tree.append(place, to: made[parent]) }
      made.append(place)
    }
    return made[0]
  }

  private mutating func setText(of place: NodeTree.Index, to text: String) {
    if case .comment = tree[place] { tree[place] = .comment(text) } else { tree[place] = .text(text) }
  }

  private mutating func setAttributes(of place: NodeTree.Index, _ changes: [AttributeChange]) {
    guard case .element(var element) = tree[place] else { return }
    for change in changes {
      let known = element.attributes.firstIndex { $0.name == change.name }
      switch (known, change.after) {
      case (let index?, let value?): element.attributes[index].value = value
      case (let index?, nil): element.attributes.remove(at: index)
      case (nil, let value?): element.attributes.append(Attribute(change.name, value))
      case (nil, nil): break
      }
    }
    tree[place] = .element(element)
  }
}

/// Finds the sibling at an index. Insertions under one parent come in ascending order, so it goes on from the last one.
private struct Inserter {
  private var parent: NodeTree.Index?
  private var index = 0
  private var sibling: NodeTree.Index?

  mutating func insert(_ node: NodeTree.Index, at position: Position, into document: inout Document) {
    guard let target = document.place(of: position.parent) else {
      preconditionFailure("node \(position.parent) is not in this version")
    }
    if parent != target || position.index < index {
      parent = target
      index = 0
      sibling = document.tree.firstChild(of: target)
    }
    while index < position.index, let passed = sibling {
      sibling = document.tree.next(of: passed)
      index += 1
    }
    document.tree.insert(node, into: target, before: sibling)
    index += 1
  }
}
