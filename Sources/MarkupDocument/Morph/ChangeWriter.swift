internal import MirrorSupport

/// Derives the change set from the matched pairs, in document order of the page.
struct ChangeWriter {
  private let document: Document
  private let patched: PatchedPage
  private var matches: Matches
  private(set) var changes = ChangeSet()
  private var nextNumber: Int
  /// Per storage index of the page: the reference of the node, new or kept.
  private(set) var refs: [NodeRef?]

  private var old: NodeTree { document.tree }
  private var new: NodeTree { patched.page.tree }

  init(document: Document, patched: PatchedPage, matches: Matches) {
    self.document = document
    self.patched = patched
    self.matches = matches
    nextNumber = document.nextNumber
    refs = Array(repeating: nil, count: patched.page.tree.records.count)
  }

  /// Writes all changes.
  mutating func write() {
    var pending = [(node: patched.top, isHidden: false)]
    while let (node, isHidden) = pending.popLast() {
      let children = Array(new.children(of: node))
      let hidesChildren = isHidden || document.dialect.hidesContent(of: new[node])
      if let partner = matches.partner(of: node) {
        refs[Int(node.raw)] = document.ref(partner)
        writeContent(of: partner, as: node, isHidden)
        let arrivals = children.count { matches.partner(of: $0) == nil }
        changes.reserve(
          arrivals + old.children(of: partner).count { !matches.isClaimed($0) }, isHidden: hidesChildren)
        writeRemovals(under: partner, hidesChildren)
      }
      writeArrivals(children, under: node, hidesChildren)
      pending += children.reversed().map { ($0, hidesChildren) }
    }
  }

  // MARK: - Kept nodes

  private mutating func writeContent(of partner: NodeTree.Index, as node: NodeTree.Index, _ isHidden: Bool) {
    let ref = document.ref(partner)
    switch (old[partner], new[node]) {
    case (.text(let before), .text(let after)), (.comment(let before), .comment(let after)):
      guard !before.hasSameBytes(as: after) else { return }
      let parent = old.parent(of: partner).map(document.ref) ?? document.root
      changes.append(.text(node: ref, parent: parent, before: before, after: after), isHidden: isHidden)
    case (.processingInstruction(let before), .processingInstruction(let after)):
      guard before != after else { return }
      let parent = old.parent(of: partner).map(document.ref) ?? document.root
      changes.append(.text(node: ref, parent: parent, before: before.data, after: after.data), isHidden: isHidden)
    case (.element(let before), .element(let after)):
      let attributes = before.changes(to: after)
      if !attributes.isEmpty { changes.append(.attributes(node: ref, tag: before.tag, attributes), isHidden: isHidden) }
    default: return
    }
  }

  // MARK: - Removals

  private mutating func writeRemovals(under parent: NodeTree.Index, _ isHidden: Bool) {
    for (index, child) in old.children(of: parent).enumerated() where !matches.isClaimed(child) {
      let position = Position(parent: document.ref(parent), index: index)
      changes.append(
        .remove(nodes: unclaimed(from: child), from: position, name: NodeName(old[child])), isHidden: isHidden)
    }
  }

  private func unclaimed(from top: NodeTree.Index) -> [NodeRef] {
    var nodes: [NodeRef] = []
    var node: NodeTree.Index? = top
    while let step = node {
      let lives = matches.isClaimed(step)
      if !lives { nodes.append(document.ref(step)) }
      node = old.successor(of: step, within: top, skippingChildren: lives)
    }
    return nodes
  }

  // MARK: - Additions and moves

  private mutating func writeArrivals(_ children: [NodeTree.Index], under parent: NodeTree.Index, _ isHidden: Bool) {
    guard let parentRef = refs[Int(parent.raw)] else { return }
    let isParentNew = matches.partner(of: parent) == nil
    for (index, child) in children.enumerated() {
      let position = Position(parent: parentRef, index: index)
      if let partner = matches.partner(of: child) {
        writeMove(of: partner, to: position, isHidden)
      } else if !isParentNew {
        changes.append(.add(subtree(of: child), at: position), isHidden: isHidden)
      }
    }
  }

  /// - Parameter isHidden: whether the new place is hidden. Its parent may be new, and is then in the same list of changes.
  private mutating func writeMove(of node: NodeTree.Index, to position: Position, _ isHidden: Bool) {
    guard !matches.isStable(node), let parent = old.parent(of: node) else { return }
    let from = Position(parent: document.ref(parent), index: oldIndex(of: node))
    changes.append(
      .move(node: document.ref(node), name: NodeName(old[node]), from: from, to: position),
      isHidden: isHidden)
  }

  private mutating func oldIndex(of node: NodeTree.Index) -> Int {
    if matches.position(of: node) == nil, let parent = old.parent(of: node) {
      matches.number(old.children(of: parent))
    }
    return matches.position(of: node) ?? 0
  }

  /// A new node with all new nodes below it. Descendants with a partner are left out: each arrives by a move of its own.
  private mutating func subtree(of top: NodeTree.Index) -> Subtree {
    var nodes: [Subtree.Node] = []
    var pending: [(node: NodeTree.Index, parent: Int?)] = [(top, nil)]
    while let (node, parent) = pending.popLast() {
      let ref = NodeRef(epoch: document.epoch, number: nextNumber)
      nextNumber += 1
      refs[Int(node.raw)] = ref
      nodes.append(Subtree.Node(ref: ref, content: new[node], parent: parent))
      let position = nodes.count - 1
      for child in Array(new.children(of: node)).reversed() where matches.partner(of: child) == nil {
        pending.append((child, position))
      }
    }
    return Subtree(nodes: nodes)
  }

  // MARK: - Marks and names

  /// The marks of the document after the change.
  func marks() -> Marks {
    var marks = Marks()
    for (place, origin) in patched.page.origins {
      if let ref = refs[Int(place.raw)] { marks.origins[ref] = origin }
    }
    for (place, root) in patched.page.roots {
      if let ref = refs[Int(place.raw)] { marks.roots[ref] = root }
    }
    for (place, state) in patched.states {
      if let ref = refs[Int(place.raw)] { marks.setClientState(state, of: ref) }
    }
    return marks
  }

  /// Per storage index of the page that was patched in: the reference of the node.
  func names() -> [NodeRef?] {
    patched.places.map { $0 == NodeTree.none ? nil : refs[Int($0)] }
  }
}
