internal import MirrorSupport

/// Applying change sets to a document. `ViewState` applies one when it commits an update, and
/// `Checkpoint` when it rebuilds an earlier version.
extension Document {
  /// Carries out a change set. Removed and moved nodes are detached first. New and moved nodes are
  /// then inserted in document order: parents before their children, earlier siblings before later
  /// ones. So every target index is final when it is used.
  ///
  /// - Precondition: the change set was computed from exactly this version.
  /// - Returns: the components that lost their last node in the document because nodes were
  ///   removed.
  /// - Complexity: O(*changes* + *nodes added and removed* + the children passed over to find an
  ///   index).
  @discardableResult
  package mutating func apply(_ changeSet: ChangeSet, marks: Marks? = nil) -> Set<Int> {
    var unmarked: Set<Int> = []
    carryOut(changeSet, unmarking: &unmarked)
    if let marks { replaceMarks(by: marks) }
    return unmarked.isEmpty ? [] : unmarked.filter { componentNodes.count(of: $0) == 0 }
  }

  /// Gives the nodes their offsets in the markup of a page that shows the document. Nodes that the
  /// page does not have lose their offset.
  ///
  /// - Parameter refs: per storage index of the page, the node of the document.
  /// - Complexity: O(*nodes*).
  package mutating func setOffsets(from page: NodeTree, of refs: [NodeRef?]) {
    tree.removeOffsets()
    for node in page.preorder() {
      guard let treeIndex = refs[Int(node.raw)].flatMap(treeIndex) else { continue }
      tree.setOffset(page.offset(of: node), of: treeIndex)
    }
  }

  /// Carries out a change set and replaces the marks of `nodes` by `marks`. All other nodes keep
  /// their marks, so the cost depends on the change and not on the document.
  ///
  /// - Returns: the components that lost their last node in the document. The node was removed, or
  ///   it was kept because of its `id` and now belongs to another component.
  package mutating func apply(
    _ changeSet: ChangeSet, replacingMarksOf nodes: [NodeRef], with marks: Marks
  ) -> Set<Int> {
    var unmarked: Set<Int> = []
    carryOut(changeSet, unmarking: &unmarked)
    for node in nodes { removeMarks(of: node, unmarking: &unmarked) }
    addMarks(marks)
    return unmarked.filter { componentNodes.count(of: $0) == 0 }
  }

  /// - Parameter components: receives the components that lose a node.
  private mutating func carryOut(_ changeSet: ChangeSet, unmarking components: inout Set<Int>) {
    let changes = changeSet.all
    if changes.count == 1, case .text(let node, _, _, let after) = changes[0] {
      return setText(of: known(node), to: after)
    }
    if changes.contains(where: \.movesElementsOrIDs) { knownDuplicates = nil }
    for case .move(let node, _, _, _) in changes { tree.detach(known(node)) }
    var arrivals = false
    for change in changes {
      switch change {
      case .remove(let nodes, _, _): remove(nodes, unmarking: &components)
      case .text(let node, _, _, let after): setText(of: known(node), to: after)
      case .attributes(let node, _, let changes): setAttributes(of: node, changes)
      case .add, .move: arrivals = true
      }
    }
    guard arrivals else { return }
    var inserter = Inserter()
    for change in changes {
      switch change {
      case .add(let subtree, let position): inserter.insert(make(subtree), at: position, into: &self)
      case .move(let node, _, _, let position): inserter.insert(known(node), at: position, into: &self)
      case .text, .attributes, .remove: break
      }
    }
  }

  private func known(_ node: NodeRef) -> NodeTree.Index {
    guard let treeIndex = treeIndex(of: node) else { preconditionFailure("node \(node) is not in this version") }
    return treeIndex
  }

  private mutating func remove(_ nodes: [NodeRef], unmarking components: inout Set<Int>) {
    let top = known(nodes[0])
    for node in nodes {
      let treeIndex = known(node)
      if let id = tree[treeIndex].element?.id { ids.remove(node.number, for: ByteString(id)) }
      numbers[Int(treeIndex.raw)] = 0
      if !wholeElements.isEmpty { wholeElements.remove(node.number) }
      if !elementsForFullUpdates.isEmpty { elementsForFullUpdates.remove(node.number) }
      _ = treeIndexes.remove(node.number)
      removeMarks(of: node, unmarking: &components)
    }
    tree.remove(top)
  }

  private mutating func make(_ subtree: Subtree) -> NodeTree.Index {
    var made: [NodeTree.Index] = []
    made.reserveCapacity(subtree.count)
    for node in subtree.nodes {
      let treeIndex = make(node.content, number: node.ref.number)
      nextNumber = max(nextNumber, node.ref.number + 1)
      if let parent = node.parent { append(treeIndex, to: made[parent]) }
      made.append(treeIndex)
    }
    return made[0]
  }

  /// Makes a node without a parent and registers its number, its id and its client rules.
  mutating func make(_ content: NodeContent, number: Int) -> NodeTree.Index {
    let treeIndex = tree.make(content)
    if Int(treeIndex.raw) == numbers.count {
      numbers.append(0)
      ranks.append(0)
    }
    numbers[Int(treeIndex.raw)] = number
    treeIndexes[number] = treeIndex.raw
    if case .element(let element) = content {
      if let id = element.id { ids.insert(number, for: ByteString(id)) }
      noteClientRules(of: element, number)
    }
    return treeIndex
  }

  /// Puts a detached node at the end of `parent`'s children.
  mutating func append(_ node: NodeTree.Index, to parent: NodeTree.Index) {
    insert(node, into: parent, before: nil)
  }

  mutating func insert(_ node: NodeTree.Index, into parent: NodeTree.Index, before sibling: NodeTree.Index?) {
    tree.insert(node, into: parent, before: sibling)
    rank(node)
  }

  private mutating func setText(of treeIndex: NodeTree.Index, to text: String) {
    switch tree[treeIndex] {
    case .comment: tree[treeIndex] = .comment(text)
    case .processingInstruction(let instruction):
      tree[treeIndex] = .processingInstruction(ProcessingInstruction(target: instruction.target, data: text))
    case .text, .element, .root: tree[treeIndex] = .text(text)
    }
  }

  private mutating func setAttributes(of node: NodeRef, _ changes: [AttributeChange]) {
    let treeIndex = known(node)
    guard case .element(var element) = tree[treeIndex] else { return }
    let id = element.id
    element.apply(changes)
    if changes.contains(where: { $0.name == "id" }) {
      if let id { ids.remove(node.number, for: ByteString(id)) }
      if let id = element.id { ids.insert(node.number, for: ByteString(id)) }
    }
    noteClientRules(of: element, node.number)
    tree[treeIndex] = .element(element)
  }

  private mutating func noteClientRules(of element: Element, _ number: Int) {
    if element.hasClientRules(in: dialect) {
      hasClientRules = true
      if element.isPatchedAsWhole(in: dialect) || element.actsWhenAdded(in: dialect) { wholeElements.insert(number) }
    }
    if dialect.isPatchedByBrowser, element.needsFullUpdates {
      elementsForFullUpdates.insert(number)
    } else if !elementsForFullUpdates.isEmpty {
      elementsForFullUpdates.remove(number)
    }
  }
}

extension Change {
  /// Whether the change can change the position or the id of an element.
  fileprivate var movesElementsOrIDs: Bool {
    switch self {
    case .text: false
    case .attributes(_, _, let changes): changes.contains { $0.name == "id" }
    case .add, .remove, .move: true
    }
  }
}

/// Finds the sibling at an index. It starts at the last insertion under the same parent or at
/// either end, whichever is nearest. Insertions under one parent come in ascending order, so
/// together they pass each sibling about once.
private struct Inserter {
  private struct Cursor {
    var index = 0
    var sibling: NodeTree.Index?
  }

  /// The parent of the last insertion and its cursor; `others` holds the cursors of earlier
  /// parents.
  private var parent: NodeTree.Index?
  private var cursor = Cursor()
  private var others: [NodeTree.Index: Cursor] = [:]

  mutating func insert(_ node: NodeTree.Index, at position: Position, into document: inout Document) {
    guard let target = document.treeIndex(of: position.parent) else {
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
