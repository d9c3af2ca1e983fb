/// morphdom's walk over the document and the new markup, in morphdom's order.
/// ``patch(_:to:streams:)`` starts a pass at the element to patch. Portals and reused stream items
/// start further passes. A pass for a stream item runs inside of another pass. Each pass has its
/// own ``lookup``, ``removals``, ``aroundSharedKeys`` and ``target``, and restores the former ones
/// at its end.
extension ClientPatch {
  /// Patches `from` until it equals `source`. New nodes of `source` are moved into the document. An
  /// element whose tag differs is replaced.
  ///
  /// - Client: `morphdom` in `morphdom.js`, 1.0+. Origin: none known.
  mutating func morph(
    _ from: PatchTree.Index, to source: PatchTree.Index, childrenOnly: Bool
  ) throws(ClientFailure) {
    let outer = (lookup, removals, aroundSharedKeys, target)
    (lookup, removals, aroundSharedKeys, target) = ([:], [], [], from)
    try index(below: from)
    if !childrenOnly, isRenamed(from, by: source), rules.version.follows(.replacesRenamedRoots) {
      exchange(from, for: source)
      try didInsert(source)
    } else if !childrenOnly, !hidesNodeType(from), hidesNodeType(source) {
      exchange(from, for: source)
    } else {
      var matched = from
      if !childrenOnly, !hidesNodeType(from), try !isSameTag(from, source) { matched = replace(from, by: source) }
      try morphElement(matched, to: source, childrenOnly: childrenOnly)
    }
    for key in removals {
      if let element = lookup[key], try mayRemove(element) { tree.detach(element) }
    }
    (lookup, removals, aroundSharedKeys, target) = outer
  }

  /// Whether the new markup of a component's root has another key. The key of a form with a field
  /// named `id` always counts as another one (``PatchKey/field(_:)``).
  private func isRenamed(_ from: PatchTree.Index, by source: PatchTree.Index) -> Bool {
    guard tree.isPatchedByBrowser, tree[from].state.component != nil else { return false }
    let (old, new) = (key(from), key(source))
    return old != new || old?.isField == true
  }

  /// Puts a node of the new markup into the place of an element.
  mutating func exchange(_ from: PatchTree.Index, for source: PatchTree.Index) {
    guard let parent = tree.parent(from) else { return }
    tree.insert(source, into: parent, before: from)
    tree.detach(from)
  }

  /// Replaces an element by a new one with the tag of `source`. The new element takes over the
  /// children.
  private mutating func replace(_ from: PatchTree.Index, by source: PatchTree.Index) -> PatchTree.Index {
    guard let element = tree.element(source) else { return from }
    let new = tree.make(.element(Element(tag: element.tag, namespace: element.namespace)))
    while let child = tree.firstChild(from) { tree.insert(child, into: new, before: nil) }
    if let parent = tree.parent(from) {
      tree.insert(new, into: parent, before: from)
      tree.detach(from)
    }
    return new
  }

  /// Adds the elements with a key below `top` to the lookup table, and records which keys are
  /// shared.
  ///
  /// - Client: `indexTree` in `morphdom.js`, 1.0+. Origin: none known.
  mutating func index(below top: PatchTree.Index) throws(ClientFailure) {
    var shared: [PatchTree.Index] = []
    for node in try nodes(below: top) {
      if let key = try readableKey(node), let known = lookup.updateValue(node, forKey: key) { shared += [known, node] }
    }
    for node in shared { noteAround(node, below: top) }
  }

  /// Adds an element and its ancestors below `top` to ``aroundSharedKeys``. When the client reaches
  /// one of these ancestors, it can find the element by its key again.
  private mutating func noteAround(_ node: PatchTree.Index, below top: PatchTree.Index) {
    var above: PatchTree.Index? = node
    while let step = above, step != top, aroundSharedKeys.insert(step).inserted { above = tree.parent(step) }
  }

  /// Indexes the keys inside of an HTML element again, as the client does when it reaches the
  /// element. This matters in two cases. If several elements share a key, the last one inside of
  /// the element is then found. If the element was already reached, everything inside of it can be
  /// matched once more.
  ///
  /// - Client: `indexTree` in `morphdom.js`, 1.0+. Origin: none known.
  /// - Complexity: O(*elements with shared keys* · *depth*), for one element; O(*nodes inside*) if
  ///   it is reached again.
  private mutating func indexAgain(below top: PatchTree.Index, isReachedAgain: Bool) throws(ClientFailure) {
    guard tree.isPatchedByBrowser, tree.element(top)?.namespace == .html else { return }
    let takesAll = isReachedAgain && indexBudget > 0
    guard takesAll || aroundSharedKeys.contains(top) else { return }
    let nodes = try nodes(below: top) { takesAll || aroundSharedKeys.contains($0) }
    if takesAll { indexBudget -= nodes.count }
    for node in nodes where takesAll || aroundSharedKeys.contains(node) {
      if let key = key(node) { lookup[key] = node }
    }
  }

  /// Patches an element with a matched element of the new markup.
  ///
  /// - Client: `morphEl` in `morphdom.js`, 1.0+. Origin: none known.
  private mutating func morphElement(
    _ from: PatchTree.Index, to: PatchTree.Index, childrenOnly: Bool = false
  ) throws(ClientFailure) {
    let found = key(to).flatMap { key in lookup.removeValue(forKey: key).map { (key, $0) } }
    let isReachedAgain = tree[from].isPatched
    pair(from, with: to)
    if tree.element(from)?.tag != tree.element(to)?.tag { keepsOtherNames = true }
    if !childrenOnly {
      guard try willUpdate(from, to: to) else { return }
      try indexAgain(below: from, isReachedAgain: isReachedAgain)
      if let (key, element) = found, element != from, tree.isPatchedByBrowser, tree.isConnected(element, to: from) {
        lookup[key] = element
      }
      copyAttributes(from: to, to: from)
      didUpdate(from)
    }
    if rules.isResumption, tree[from].container == .stream { return }
    if tree.isPatchedByBrowser, tree.element(from)?.isHTML("textarea") == true {
      copyText(ofTextarea: to, to: from)
    } else {
      try morphChildren(of: from, to: to)
      finishControl(from, like: to)
    }
  }

  /// Records that the node `to` of the page is shown by the node `from` of the document, and gives
  /// `from` the origin of `to`.
  mutating func pair(_ from: PatchTree.Index, with to: PatchTree.Index) {
    tree[from].isPatched = true
    tree[from].origin = tree[to].origin
    tree[to].partner = from
  }

  /// Patches the children of an element in order. Each child of the new markup is compared with the
  /// next children of the document, is found elsewhere by its key, or is inserted.
  ///
  /// - Client: `morphChildren` in `morphdom.js`, 1.0+. Origin: none known.
  private mutating func morphChildren(of from: PatchTree.Index, to: PatchTree.Index) throws(ClientFailure) {
    // Items of a stream are matched by key only; the existing items are not compared in order.
    let isStream = tree[from].container == .stream
    var upcoming = tree.firstChild(to)
    let hasChildren = upcoming != nil
    var known = tree.firstChild(from)
    while let new = upcoming {
      let following = try child(after: new)
      let newKey = key(new)
      var isMatched = false
      while !isStream, var old = known {
        let next = try child(after: old)
        switch try compare(old, with: new, keyed: newKey, next: next, in: from) {
        case .match(let element):
          old = element
          isMatched = true
        case .mismatch: try discardLater(old, in: from)
        case .replaced: break
        }
        if isMatched {
          if tree[old].isElement {
            try morphElement(old, to: new)
          } else {
            tree[old].content = tree[new].content
            pair(old, with: new)
          }
        }
        known = next
        if isMatched { break }
      }
      if !isMatched {
        if let key = newKey, let element = lookup[key], try isSameTag(element, new),
          try isStream ? true : canMove(element, into: from)
        {
          noteMove(of: element, to: from)
          if !isStream {
            add(element, to: from)
          } else if tree.parent(element) != from {
            // The item is not moved. It stays in an element that the client may reach later, and
            // its key is then indexed again.
            noteAround(element, below: target)
          }
          try morphElement(element, to: new)
        } else {
          try insert(new, into: from)
        }
      }
      upcoming = following
    }
    if isStream, hasChildren { return }
    while let old = known {
      known = try child(after: old)
      try discardLater(old, in: from)
    }
  }

  private enum Comparison {
    case match(PatchTree.Index)
    case mismatch
    /// An element with the page's key was moved here, but it has another tag. This element and the
    /// child that it displaced are discarded.
    case replaced
  }

  /// Compares a child of the document with a child of the page. If an element with the page's key
  /// is elsewhere in the document, it is moved here first.
  ///
  /// - Parameters:
  ///   - next: the child of the document that the client compares next.
  ///   - parent: the element whose children are patched. `old` can have moved into another element
  ///     meanwhile; the client then continues with the next siblings of `old` there.
  /// - Client: `morphChildren` in `morphdom.js`, 1.0+. Origin: none known.
  private mutating func compare(
    _ old: PatchTree.Index, with new: PatchTree.Index, keyed newKey: PatchKey?, next: PatchTree.Index?,
    in parent: PatchTree.Index
  ) throws(ClientFailure) -> Comparison {
    switch (tree[old].content, tree[new].content) {
    case (.text, .text), (.comment, .comment): return .match(old)
    case (.element, .element) where !hidesNodeType(old) && !hidesNodeType(new): break
    default: return .mismatch
    }
    let oldKey = key(old)
    if newKey == oldKey, newKey?.isField != true { return try isSameTag(old, new) ? .match(old) : .mismatch }
    guard let newKey else { return .mismatch }
    guard let element = lookup[newKey], element != next, try canMove(element, into: parent) else { return .mismatch }
    // The element is elsewhere in the document. Move it here and discard the child that it
    // displaces.
    guard tree.parent(old) == parent else {
      if tree.isPatchedByBrowser { throw .siblingMoved }
      return .mismatch
    }
    noteMove(of: element, to: parent)
    tree.insert(element, into: parent, before: old)
    try discardLater(old, in: parent)
    if try isSameTag(element, new) { return .match(element) }
    try discardLater(element, in: parent)
    return .replaced
  }

  /// Whether an element that was found by its key can become a child of `parent`. It cannot if it
  /// is `parent` or contains `parent`. The new markup can require such a move, for example because
  /// items of streams are matched wherever they are. A browser then throws an error.
  ///
  /// - Complexity: O(*depth*); O(1) for an element without children.
  private func canMove(_ element: PatchTree.Index, into parent: PatchTree.Index) throws(ClientFailure) -> Bool {
    let isAround = tree.firstInside(element) == nil ? element == parent : tree.isInside(parent, of: element)
    if isAround, tree.isPatchedByBrowser { throw .elementInItself }
    return !isAround
  }

  private mutating func noteMove(of element: PatchTree.Index, to parent: PatchTree.Index) {
    if tree.parent(element) != parent { movesKeys = true }
  }

  /// Discards a node that was not matched. The removal of an element with a key is only scheduled,
  /// because the element may still be matched; any other node is removed at once.
  ///
  /// - Client: `removeNode` in `morphdom.js`, 1.0+. Origin: none known.
  private mutating func discardLater(_ node: PatchTree.Index, in parent: PatchTree.Index) throws(ClientFailure) {
    if let key = key(node) {
      removals.append(key)
    } else if try mayRemove(node) {
      if tree.isPatchedByBrowser, tree.parent(node) != parent { throw .siblingMoved }
      tree.detach(node)
      try noteKeyed(below: node)
    }
  }

  // MARK: - Removing

  /// Schedules the removal of elements with a key inside of a removed node. An element that is
  /// matched before the end is kept.
  ///
  /// - Client: `walkDiscardedChildNodes` in `morphdom.js`, 1.0+. Origin: none known.
  private mutating func noteKeyed(below top: PatchTree.Index) throws(ClientFailure) {
    for node in try nodes(below: top, entering: { key($0) == nil }) {
      if let key = try readableKey(node) { removals.append(key) }
    }
  }

  // MARK: - Inserting

  private mutating func insert(_ new: PatchTree.Index, into parent: PatchTree.Index) throws(ClientFailure) {
    guard let node = try nodeToInsert(for: new) else { return }
    add(node, to: parent)
    try didInsert(node)
  }

  /// Completes the insertion of a new node and its descendants. A descendant whose key belongs to
  /// an existing element is replaced by that element.
  ///
  /// - Client: `handleNodeAdded` in `morphdom.js`, 1.0+. Origin: none known.
  /// - Complexity: O(*nodes*), with a bounded number of repeated visits to the children of each
  ///   element.
  private mutating func didInsert(_ node: PatchTree.Index) throws(ClientFailure) {
    tree[node].isPatched = true
    tree[node].isInserted = true
    try noteInsertion(of: node)
    var child = tree.firstChild(node)
    var revisits = 0
    while let step = child {
      child = next(step).index
      if tree[step].isInserted {
        // An item that is moved behind its next sibling is visited again. Two items with the same
        // target index can overtake each other forever.
        revisits += 1
        if revisits > 2 * Int(tree[node].elementCount) + 8 {
          if tree.isPatchedByBrowser { throw .endless }
          return
        }
        try noteInsertion(of: step)
      } else if let key = key(step), let element = lookup[key], try isSameTag(step, element),
        let parent = tree.parent(step),
        try canMove(element, into: parent)
      {
        noteMove(of: element, to: parent)
        tree.insert(element, into: parent, before: step)
        tree.detach(step)
        try morphElement(element, to: step)
      } else {
        try didInsert(step)
      }
    }
  }
}
