extension Document {
  /// Carries a change set out: everything that leaves its place leaves first, then what is new or moved is put where it
  /// belongs, parents before their children and first children first, so that every index is final when it is used.
  ///
  /// - Precondition: the change set was computed from this very version.
  /// - Complexity: O(*changes* + *nodes added and removed* + the children passed over to find an index).
  package mutating func apply(_ changeSet: ChangeSet, marks: Marks? = nil) {
    var unmarked: Set<Int> = []
    carryOut(changeSet, unmarking: &unmarked)
    if let marks { replaceMarks(by: marks) }
  }

  /// Carries a change set out and gives `nodes` new marks, those of `marks` and no others. What is not among them keeps
  /// its own, so that the cost follows the change.
  ///
  /// - Returns: the components that have no node in the document any more. Their last nodes were removed, or belong to
  ///   another owner now: an `id` can hand a node from one component to another.
  package mutating func apply(
    _ changeSet: ChangeSet, replacingMarksOf nodes: [NodeRef], with marks: Marks
  ) -> Set<Int> {
    var unmarked: Set<Int> = []
    carryOut(changeSet, unmarking: &unmarked)
    for node in nodes { removeMarks(of: node, unmarking: &unmarked) }
    addMarks(marks)
    return unmarked.filter { componentNodes.count(of: $0) == 0 }
  }

  /// - Parameter components: those that lose a node are added.
  private mutating func carryOut(_ changeSet: ChangeSet, unmarking components: inout Set<Int>) {
    if changeSet.changes.count == 1, case .text(let node, _, _, let after) = changeSet.changes[0] {
      return setText(of: known(node), to: after)
    }
    if changeSet.changes.contains(where: \.movesElementsOrIDs) { knownDuplicates = nil }
    for case .move(let node, _, _, _) in changeSet.changes { tree.detach(known(node)) }
    var arrivals = false
    for change in changeSet.changes {
      switch change {
      case .remove(let nodes, _, _): remove(nodes, unmarking: &components)
      case .text(let node, _, _, let after): setText(of: known(node), to: after)
      case .attributes(let node, _, let changes): setAttributes(of: node, changes)
      case .add, .move: arrivals = true
      }
    }
    guard arrivals else { return }
    var inserter = Inserter()
    for change in changeSet.changes {
      switch change {
      case .add(let subtree, let position): inserter.insert(make(subtree), at: position, into: &self)
      case .move(let node, _, _, let position): inserter.insert(known(node), at: position, into: &self)
      case .text, .attributes, .remove: break
      }
    }
  }

  private func known(_ node: NodeRef) -> NodeTree.Index {
    guard let place = place(of: node) else { preconditionFailure("node \(node) is not in this version") }
    return place
  }

  private mutating func remove(_ nodes: [NodeRef], unmarking components: inout Set<Int>) {
    let top = known(nodes[0])
    for node in nodes {
      let place = known(node)
      if let id = tree[place].element?.id { ids.remove(node.number, for: IDKey(id)) }
      numbers[Int(place.raw)] = 0
      if !wholeElements.isEmpty { wholeElements.remove(node.number) }
      _ = places.remove(node.number)
      removeMarks(of: node, unmarking: &components)
    }
    tree.remove(top)
  }

  private mutating func make(_ subtree: Subtree) -> NodeTree.Index {
    var made: [NodeTree.Index] = []
    made.reserveCapacity(subtree.count)
    for node in subtree.nodes {
      let place = make(node.content, number: node.ref.number)
      nextNumber = max(nextNumber, node.ref.number + 1)
      if let parent = node.parent { append(place, to: made[parent]) }
      made.append(place)
    }
    return made[0]
  }

  /// A node that stands nowhere yet.
  mutating func make(_ content: NodeContent, number: Int) -> NodeTree.Index {
    let place = tree.make(content)
    if Int(place.raw) == numbers.count {
      numbers.append(0)
      ranks.append(0)
    }
    numbers[Int(place.raw)] = number
    places[number] = place.raw
    if case .element(let element) = content {
      if let id = element.id { ids.insert(number, for: IDKey(id)) }
      noteClientRules(of: element, number)
    }
    return place
  }

  /// Puts a detached node at the end of `parent`'s children.
  mutating func append(_ node: NodeTree.Index, to parent: NodeTree.Index) {
    insert(node, into: parent, before: nil)
  }

  mutating func insert(_ node: NodeTree.Index, into parent: NodeTree.Index, before sibling: NodeTree.Index?) {
    tree.insert(node, into: parent, before: sibling)
    rank(node)
  }

  private mutating func setText(of place: NodeTree.Index, to text: String) {
    switch tree[place] {
    case .comment: tree[place] = .comment(text)
    case .processingInstruction(let instruction):
      tree[place] = .processingInstruction(ProcessingInstruction(target: instruction.target, data: text))
    case .text, .element, .root: tree[place] = .text(text)
    }
  }

  private mutating func setAttributes(of node: NodeRef, _ changes: [AttributeChange]) {
    let place = known(node)
    guard case .element(var element) = tree[place] else { return }
    let id = element.id
    element.apply(changes)
    if changes.contains(where: { $0.name == "id" }) {
      if let id { ids.remove(node.number, for: IDKey(id)) }
      if let id = element.id { ids.insert(node.number, for: IDKey(id)) }
    }
    noteClientRules(of: element, node.number)
    tree[place] = .element(element)
  }

  private mutating func noteClientRules(of element: Element, _ number: Int) {
    if element.hasClientRules(in: dialect) {
      hasClientRules = true
      if element.isPatchedAsWhole(in: dialect) || element.actsWhenAdded(in: dialect) { wholeElements.insert(number) }
    }
  }
}

extension Change {
  /// Whether elements may stand elsewhere afterwards, or have other ids.
  fileprivate var movesElementsOrIDs: Bool {
    switch self {
    case .text: false
    case .attributes(_, _, let changes): changes.contains { $0.name == "id" }
    case .add, .remove, .move: true
    }
  }
}

/// Finds the sibling at an index: from the last insertion under the same parent, or from either end, whichever is nearest.
/// Insertions under one parent come in ascending order, so all of them together pass each sibling about once.
private struct Inserter {
  private struct Cursor {
    var index = 0
    var sibling: NodeTree.Index?
  }

  /// The cursor of the last parent, and those of the parents before.
  private var parent: NodeTree.Index?
  private var cursor = Cursor()
  private var others: [NodeTree.Index: Cursor] = [:]

  mutating func insert(_ node: NodeTree.Index, at position: Position, into document: inout Document) {
    guard let target = document.place(of: position.parent) else {
      preconditionFailure("node \(position.parent) is not in this version")
    }
    if parent != target { turn(to: target, in: document.tree) }
    if position.index < cursor.index { cursor = Cursor(sibling: document.tree.firstChild(of: target)) }
    walk(to: min(position.index, document.tree.childCount(of: target)), under: target, in: document.tree)
    document.insert(node, into: target, before: cursor.sibling)
    cursor.index += 1
  }

  private mutating func turn(to target: NodeTree.Index, in tree: NodeTree) {
    if let parent { others[parent] = cursor }
    cursor = others.removeValue(forKey: target) ?? Cursor(sibling: tree.firstChild(of: target))
    parent = target
  }

  private mutating func walk(to goal: Int, under parent: NodeTree.Index, in tree: NodeTree) {
    let count = tree.childCount(of: parent)
    if count - goal < goal - cursor.index { cursor = Cursor(index: count) }
    while cursor.index > goal {
      cursor.sibling = cursor.sibling.map(tree.previous) ?? tree.lastChild(of: parent)
      cursor.index -= 1
    }
    while cursor.index < goal, let passed = cursor.sibling {
      cursor.sibling = tree.next(of: passed)
      cursor.index += 1
    }
  }
}
