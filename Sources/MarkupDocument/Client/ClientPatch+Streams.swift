/// Streams (`phx-update="stream"`). Only the document has all items of a stream; the new markup has
/// the inserted ones. ``patch(_:to:streams:)`` applies the operations before morphdom's walk,
/// because the walk places each item by its entry in ``inserts``.
extension ClientPatch {
  /// Records the inserts of the streams, and removes the items that the streams delete or reset.
  ///
  /// - Client: `perform` in `dom_patch.js`, 1.0+. Origin: phoenix_live_view#2423.
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

  /// Empties the containers of streams at a join, because the dead render may have filled them.
  ///
  /// - Client: `perform` in `dom_patch.js`, 1.0+. Origin: phoenix_live_view#2854.
  mutating func emptyStreams() {
    for container in nodes() where tree[container].container == .stream {
      for child in tree.elements(in: container) { removeItem(child) }
    }
  }

  /// Detaches an item, or schedules its removal if it has `phx-remove`. An item that the same
  /// update inserts again is kept for reuse.
  ///
  /// - Client: `removeStreamChildElement` in `dom_patch.js`, 1.0+. Origin: phoenix_live_view#2577.
  private mutating func removeItem(_ item: PatchTree.Index) {
    if let id = tree.element(item)?.id, inserts[id] != nil {
      restorable[id] = item
    } else if waitsForTransition(item) {
      return
    }
    tree.detach(item)
  }

  /// Whether the client looks for items where the node is. Older clients do not find items that
  /// portals show outside of the view.
  private func isReached(_ node: PatchTree.Index) -> Bool {
    rules.version.follows(.findsItemsInPortals) || tree.isConnected(node, to: root)
  }

  // MARK: - Positions

  /// Inserts a stream item at the index of its insert, and any other node at the end of an element.
  /// A negative index means the end. But if the last element there is not an item, the new item is
  /// inserted before the first element that is not one.
  ///
  /// - Client: `addChild` in `dom_patch.js`, 1.0+. Origin: phoenix_live_view#2423.
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

  /// Corrects the position of an item after its insertion, and applies the limit of the container.
  /// Only new items and items of a reset stream are moved. The index is evaluated again because the
  /// item itself now counts.
  ///
  /// - Client: `maybeReOrderStream` in `dom_patch.js`, 1.0+. Origin: phoenix_live_view#3030.
  mutating func reorder(_ node: PatchTree.Index, isNew: Bool) {
    guard let id = tree.element(node)?.id, let insert = inserts[id] else { return }
    tree[node].state.stream = insert.stream
    guard isNew || insert.reset, let parent = tree.parent(node), !tree[parent].isTemplate else { return }
    if insert.at == 0 {
      tree.insert(node, into: parent, before: tree.firstElement(in: parent))
    } else if insert.at > 0 {
      if insert.at >= Int(tree[parent].elementCount) - 1 {
        tree.insert(node, into: parent, before: nil)
      } else if let sibling = tree.element(at: insert.at, in: parent) {
        let isPassed = tree.isChild(node, of: parent, atOrBefore: insert.at)
        tree.insert(node, into: parent, before: isPassed ? tree.nextElement(sibling) : sibling)
      }
    }
    if let limit = insert.limit, limit != 0 || rules.version.follows(.takesLimitZero) { cut(parent, to: limit) }
  }

  /// Removes the child elements that exceed the limit. A negative limit keeps the last elements, a
  /// positive limit the first ones. Elements that are not items count as well.
  ///
  /// - Client: `maybeLimitStream` in `dom_patch.js`, 1.0+. Origin: phoenix_live_view#2624.
  private mutating func cut(_ parent: PatchTree.Index, to limit: Int) {
    let excess = Int(tree[parent].elementCount) - Int(clamping: limit.magnitude)
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
