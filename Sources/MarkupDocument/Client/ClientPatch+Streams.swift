/// Streams: items that the document alone keeps (`phx-update="stream"`).
extension ClientPatch {
  /// Notes what the streams insert, and takes out what they delete or begin anew.
  mutating func apply(_ streams: [StreamPatch]) {
    for stream in streams {
      for insert in stream.inserts {
        inserts[insert.id] = StreamInsert(
          stream: stream.ref, at: insert.at, limit: insert.limit, updateOnly: insert.updateOnly, reset: stream.reset)
      }
      if stream.reset { for item in items(of: stream.ref) { removeItem(item) } }
      for id in stream.deletes {
        if let item = element(withID: id) { removeItem(item) }
      }
    }
  }

  private func items(of stream: String) -> [PatchTree.Index] {
    var items: [PatchTree.Index] = []
    var node: PatchTree.Index? = root
    while let step = node {
      if tree[step].state.stream == stream { items.append(step) }
      node = tree.successor(of: step, within: root)
    }
    return items
  }

  /// A join begins with empty streams, whatever the dead render showed in them.
  mutating func emptyStreams() {
    var containers: [PatchTree.Index] = []
    var node: PatchTree.Index? = root
    while let step = node {
      if tree[step].container == .stream { containers.append(step) }
      node = tree.successor(of: step, within: root)
    }
    for container in containers {
      for child in tree.elements(in: container) { removeItem(child) }
    }
  }

  private mutating func removeItem(_ item: PatchTree.Index) {
    if let id = tree.element(item)?.id, inserts[id] != nil {
      restorable[id] = item
    } else if waitsForTransition(item) {
      return
    }
    tree.detach(item)
  }

  // MARK: - Places

  /// Puts a node among the children of an element: an item where its insert says, everything else at the end.
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

  /// The first child element that no stream has put there.
  private func firstOther(in parent: PatchTree.Index) -> PatchTree.Index? {
    var child = tree.firstElement(in: parent)
    while let step = child, tree[step].state.stream != nil { child = tree.nextElement(step) }
    return child
  }

  /// What follows once an item is in its container: a new one, and any of a stream that begins anew, is put where its
  /// insert says, now that it counts itself, and the container is cut to the limit.
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
    if let limit = insert.limit, limit != 0 || rules.version.takesLimitZero { cut(parent, to: limit) }
  }

  /// Negative limits keep the last elements, others the first; every element counts.
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
