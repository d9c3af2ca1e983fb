/// Streams (`phx-update="stream"`): only the document holds their items.
extension ClientPatch {
  /// Records the inserts of the streams, and removes the items that the streams delete or reset.
  mutating func apply(_ streams: [StreamPatch]) {
    for stream in streams {
      for insert in stream.inserts {
        inserts[insert.id] = StreamInsert(
          stream: stream.ref, at: insert.at, limit: insert.limit, updateOnly: insert.updateOnly, reset: stream.reset)
      }
      if stream.reset {
        for node in nodes() where tree[node].state.stream == stream.ref && isReached(node) { removeItem(node) }
      }
      for id in stream.deletes {
        if let item = element(withID: id), isReached(item) { removeItem(item) }
      }
    }
  }

  /// A join empties the containers of streams, since the dead render may have filled them.
  mutating func emptyStreams() {
    for container in nodes() where tree[container].container == .stream {
      for child in tree.elements(in: container) { removeItem(child) }
    }
  }

  /// Detaches an item, or schedules its removal if it has `phx-remove`. An item that the same update inserts again is kept for
  /// reuse.
  private mutating func removeItem(_ item: PatchTree.Index) {
    if let id = tree.element(item)?.id, inserts[id] != nil {
      restorable[id] = item
    } else if waitsForTransition(item) {
      return
    }
    tree.detach(item)
  }

  /// Whether the client looks for items where the node is: those that portals show outside of the view were not found at first.
  private func isReached(_ node: PatchTree.Index) -> Bool {
    rules.version.follows(.findsItemsInPortals) || tree.isConnected(node, to: root)
  }

  // MARK: - Positions

  /// Inserts a node into an element: a stream item at the index of its insert, any other node at the end.
  mutating func add(_ node: PatchTree.Index, to parent: PatchTree.Index) {
    guard let id = tree.element(node)?.id, let insert = inserts[id] else {
      return tree.insert(node, into: parent, before: nil)
    }
    tree[node].state.stream = insert.stream
    switch insert.at {
    case 0: tree.insert(node, into: parent, before: tree.firstInside(parent))
    case 1...: tree.insert(node, into: parent, before: tree.element(at: insert.at, in: parent))
    default:
      let isBehindOthers = tree.lastElement(in: parent).map { tree[$0].state.stream == nil } ?? false
      tree.insert(node, into: parent, before: isBehindOthers ? firstOther(in: parent) : nil)
    }
  }

  /// The first child element that is not a stream item.
  private func firstOther(in parent: PatchTree.Index) -> PatchTree.Index? {
    var child = tree.firstElement(in: parent)
    while let step = child, tree[step].state.stream != nil { child = tree.nextElement(step) }
    return child
  }

  /// Corrects the position of an item after its insertion, and applies the limit of the container. Only new items and items of
  /// a reset stream are moved. The index is evaluated again because the item itself now counts.
  mutating func reorder(_ node: PatchTree.Index, isNew: Bool) {
    guard let id = tree.element(node)?.id, let insert = inserts[id] else { return }
    tree[node].state.stream = insert.stream
    guard isNew || insert.reset, let parent = tree.parent(node), !tree[parent].isTemplate else { return }
    if insert.at == 0 {
      tree.insert(node, into: parent, before: tree.firstElement(in: parent))
    } else if insert.at > 0 {
      if insert.at >= Int(tree[parent].elements) - 1 {
        tree.insert(node, into: parent, before: nil)
      } else if let sibling = tree.element(at: insert.at, in: parent) {
        let isPassed = tree.isElement(node, among: insert.at, in: parent)
        tree.insert(node, into: parent, before: isPassed ? tree.nextElement(sibling) : sibling)
      }
    }
    if let limit = insert.limit, limit != 0 || rules.version.follows(.takesLimitZero) { cut(parent, to: limit) }
  }

  /// Removes surplus elements: a negative limit keeps the last ones, a positive limit the first ones. All child elements count.
  private mutating func cut(_ parent: PatchTree.Index, to limit: Int) {
    let excess = Int(tree[parent].elements) - Int(clamping: limit.magnitude)
    guard excess > 0 else { return }
    var cut: [PatchTree.Index] = []
    var child = limit < 0 ? tree.firstElement(in: parent) : tree.lastElement(in: parent)
    while cut.count < excess, let step = child {
      cut.append(step)
      child = limit < 0 ? tree.nextElement(step) : tree.previousElement(step)
    }
    for item in limit < 0 ? cut : cut.reversed() { removeItem(item) }
  }
}
