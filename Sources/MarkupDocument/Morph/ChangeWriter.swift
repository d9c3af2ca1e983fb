/// Reads the changes off the pairs, in document order of the page.
struct ChangeWriter {
  let document: Document
  let page: Page
  let streams: StreamPatches
  private var matches: Matches
  private(set) var changes: [Change] = []
  private var nextNumber: Int
  /// The names of the page's nodes, new and kept, by place in its storage.
  private(set) var refs: [NodeRef?]

  private var old: NodeTree { document.tree }
  private var new: NodeTree { page.tree }

  init(document: Document, page: Page, streams: StreamPatches, matches: Matches) {
    self.document = document
    self.page = page
    self.streams = streams
    self.matches = matches
    nextNumber = document.nextNumber
    refs = Array(repeating: nil, count: page.tree.records.count)
  }

  /// Writes all changes of `top` and what is below it, where `old` stands in the document.
  mutating func write(_ top: NodeTree.Index, insteadOf old: NodeTree.Index) {
    if matches.partner(of: top) == nil { writeReplacement(of: old, by: top) }
    var pending = [top]
    while let node = pending.popLast() {
      let children = children(of: node)
      if let partner = matches.partner(of: node) {
        refs[Int(node.raw)] = document.ref(partner)
        writeContent(of: partner, as: node)
        writeRemovals(under: partner)
      }
      writeArrivals(children, under: node)
      for child in children.reversed() {
        if case .new(let child) = child { pending.append(child) }
      }
    }
  }

  /// A change of tag is a new node.
  private mutating func writeReplacement(of node: NodeTree.Index, by top: NodeTree.Index) {
    guard let parent = old.parent(of: node) else { return }
    let position = Position(parent: document.ref(parent), index: oldIndex(of: node))
    changes.append(.remove(nodes: unclaimed(from: node), from: position, name: NodeName(old[node])))
    changes.append(.add(subtree(of: top), at: position))
  }

  private func children(of node: NodeTree.Index) -> [Matches.Child] {
    matches.plan(of: node) ?? new.children(of: node).map { .new($0) }
  }

  // MARK: - A node that is kept

  private mutating func writeContent(of partner: NodeTree.Index, as node: NodeTree.Index) {
    let ref = document.ref(partner)
    switch (old[partner], new[node]) {
    case (.text(let before), .text(let after)), (.comment(let before), .comment(let after)):
      guard !before.hasSameBytes(as: after) else { return }
      let parent = old.parent(of: partner).map(document.ref) ?? document.root
      changes.append(.text(node: ref, parent: parent, before: before, after: after))
    case (.processingInstruction(let before), .processingInstruction(let after)):
      guard before != after else { return }
      let parent = old.parent(of: partner).map(document.ref) ?? document.root
      changes.append(.text(node: ref, parent: parent, before: before.data, after: after.data))
    case (.element(let before), .element(let after)):
      var attributes = before.changes(to: after)
      // Of an ignored element only its data attributes are the server's.
      if before.updateRule == .ignore { attributes.removeAll { !$0.name.hasPrefix("data-") } }
      if !attributes.isEmpty { changes.append(.attributes(node: ref, tag: before.tag, attributes)) }
    default: return
    }
  }

  // MARK: - What leaves

  private mutating func writeRemovals(under parent: NodeTree.Index) {
    for (index, child) in old.children(of: parent).enumerated() where !matches.isClaimed(child) {
      let position = Position(parent: document.ref(parent), index: index)
      changes.append(
        .remove(nodes: unclaimed(from: child), from: position, name: NodeName(old[child])))
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

  // MARK: - What arrives

  private mutating func writeArrivals(_ children: [Matches.Child], under parent: NodeTree.Index) {
    guard let parentRef = refs[Int(parent.raw)] else { return }
    let isParentNew = matches.partner(of: parent) == nil
    for (index, child) in children.enumerated() {
      let position = Position(parent: parentRef, index: index)
      switch child {
      case .kept(let kept): writeMove(of: kept, to: position)
      case .new(let node):
        if let partner = matches.partner(of: node) {
          writeMove(of: partner, to: position)
        } else if !isParentNew {
          changes.append(.add(subtree(of: node), at: position))
        }
      }
    }
  }

  private mutating func writeMove(of node: NodeTree.Index, to position: Position) {
    guard !matches.isStable(node), let parent = old.parent(of: node) else { return }
    let from = Position(parent: document.ref(parent), index: oldIndex(of: node))
    changes.append(.move(node: document.ref(node), name: NodeName(old[node]), from: from, to: position))
  }

  private mutating func oldIndex(of node: NodeTree.Index) -> Int {
    if matches.position(of: node) == nil, let parent = old.parent(of: node) {
      matches.number(old.children(of: parent))
    }
    return matches.position(of: node) ?? 0
  }

  /// A new node with everything new below it; what has a partner comes by a move of its own.
  private mutating func subtree(of top: NodeTree.Index) -> Subtree {
    var nodes: [Subtree.Node] = []
    var pending: [(node: NodeTree.Index, parent: Int?)] = [(top, nil)]
    while let (node, parent) = pending.popLast() {
      let ref = NodeRef(epoch: document.epoch, number: nextNumber)
      nextNumber += 1
      refs[Int(node.raw)] = ref
      nodes.append(Subtree.Node(ref: ref, content: new[node], parent: parent))
      let position = nodes.count - 1
      for child in children(of: node).reversed() {
        if case .new(let child) = child, matches.partner(of: child) == nil { pending.append((child, position)) }
      }
    }
    return Subtree(nodes: nodes)
  }

  // MARK: - What is remembered

  /// The marks after the change: those of the page, and those of what the page does not name and the document keeps.
  func marks() -> Marks {
    var marks = Marks()
    for (node, origin) in document.marks.origins {
      guard let place = document.place(of: node), matches.isClaimed(place), !matches.isPaired(place) else { continue }
      marks.origins[node] = origin
    }
    for (place, origin) in page.origins {
      if let ref = refs[Int(place.raw)] { marks.origins[ref] = origin }
    }
    for (node, stream) in document.marks.streams where lives(node) { marks.streams[node] = stream }
    if !streams.inserts.isEmpty {
      for node in new.preorder() {
        if let ref = refs[Int(node.raw)], let id = new[node].element?.id, let insert = streams.inserts[id] {
          marks.streams[ref] = insert.ref
        }
      }
    }
    return marks
  }

  private func lives(_ node: NodeRef) -> Bool { document.place(of: node).map(matches.isClaimed) ?? false }
}
