/// Walks the document and the page in the same order as morphdom.
extension ClientPatch {
  /// Patches `from` until it equals `to`. New nodes of `to` are moved into the document.
  mutating func morph(
    _ from: PatchTree.Index, to source: PatchTree.Index, childrenOnly: Bool
  ) throws(ClientFailure) {
    let outer = (lookup, removals, aroundSharedKeys, target)
    (lookup, removals, aroundSharedKeys, target) = ([:], [], [], from)
    index(below: from)
    if !childrenOnly, isRenamed(from, source), rules.version.follows(.replacesRenamedRoots) {
      exchange(from, for: source)
      try didInsert(source)
    } else {
      var matched = from
      if !childrenOnly, !isSameTag(from, source) { matched = replace(from, by: source) }
      try morphElement(matched, source, childrenOnly: childrenOnly)
    }
    for key in removals {
      if let element = lookup[key], mayRemove(element) { tree.detach(element) }
    }
    (lookup, removals, aroundSharedKeys, target) = outer
  }

  /// Whether the new markup of a component's root has another key.
  private func isRenamed(_ from: PatchTree.Index, _ source: PatchTree.Index) -> Bool {
    tree.isPatchedByBrowser && tree[from].state.component != nil && key(from) != key(source)
  }

  /// Puts a node of the new markup into the place of an element.
  mutating func exchange(_ from: PatchTree.Index, for source: PatchTree.Index) {
    guard let parent = tree.parent(from) else { return }
    tree.insert(source, into: parent, before: from)
    tree.detach(from)
  }

  /// An element with another tag replaces the element and takes over its children.
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

  /// Adds the elements with a key below `top` to the lookup table, and records which keys are shared.
  mutating func index(below top: PatchTree.Index) {
    var shared: [PatchTree.Index] = []
    var node = tree.successor(of: top, within: top)
    while let step = node {
      if let key = key(step), let known = lookup.updateValue(step, forKey: key) { shared += [known, step] }
      node = tree.successor(of: step, within: top)
    }
    for node in shared {
      var above: PatchTree.Index? = node
      while let step = above, step != top, aroundSharedKeys.insert(step).inserted { above = tree.parent(step) }
    }
  }

  /// Indexes the keys inside of an HTML element again, as the client does when it reaches the element. This matters only if
  /// several elements share a key, of which the last one inside of the element is then found, and if the element was already
  /// reached: then everything inside of it can be matched once more.
  ///
  /// - Complexity: O(*elements with shared keys* · *depth*), for one element; O(*nodes inside*) if it is reached again.
  private mutating func indexAgain(below top: PatchTree.Index, isReachedAgain: Bool) {
    guard tree.isPatchedByBrowser, tree.element(top)?.namespace == .html else { return }
    let takesAll = isReachedAgain && indexBudget > 0
    guard takesAll || aroundSharedKeys.contains(top) else { return }
    var node = tree.firstChild(top)
    while let step = node {
      if takesAll { indexBudget -= 1 }
      if takesAll || aroundSharedKeys.contains(step) {
        if let key = key(step) { lookup[key] = step }
        node = tree.successor(of: step, within: top)
      } else {
        node = following(step, within: top)
      }
    }
  }

  /// The key by which the client finds an element. In the native dialect only stream containers, ignored elements and stream
  /// items have keys; all other elements are matched by position.
  func key(_ node: PatchTree.Index) -> PatchKey? {
    if tree.isPatchedByBrowser {
      if let field = tree.idField(of: node) { return .field(field) }
      return tree[node].key(byIDAlone: rules.isJoin)
    }
    let isItem = tree.parent(node).map { tree[$0].updateRule } == .stream
    return isItem || tree[node].updateRule != .replace ? tree[node].key(byIDAlone: true) : nil
  }

  /// Whether two elements have the same tag, ignoring case.
  func isSameTag(_ a: PatchTree.Index, _ b: PatchTree.Index) -> Bool {
    guard let a = tree.element(a), let b = tree.element(b) else { return false }
    return a.tag == b.tag || a.tag.lowercased() == b.tag.lowercased()
  }

  private mutating func morphElement(
    _ from: PatchTree.Index, _ to: PatchTree.Index, childrenOnly: Bool = false
  ) throws(ClientFailure) {
    let found = key(to).flatMap { key in lookup.removeValue(forKey: key).map { (key, $0) } }
    let isReachedAgain = tree[from].isPatched
    pair(from, to)
    if tree.element(from)?.tag != tree.element(to)?.tag { keepsOtherNames = true }
    if !childrenOnly {
      guard try willUpdate(from, to) else { return }
      indexAgain(below: from, isReachedAgain: isReachedAgain)
      if let (key, element) = found, element != from, tree.isPatchedByBrowser, tree.isConnected(element, to: from) {
        lookup[key] = element
      }
      copyAttributes(from: to, to: from)
      didUpdate(from)
    }
    if tree.isPatchedByBrowser, tree.element(from)?.isHTML("textarea") == true {
      copyText(ofTextarea: to, to: from)
    } else {
      try morphChildren(from, to)
      finishControl(from, to)
    }
  }

  /// Records that a node of the page is this node of the document.
  mutating func pair(_ from: PatchTree.Index, _ to: PatchTree.Index) {
    tree[from].isPatched = true
    tree[from].origin = tree[to].origin
    tree[to].partner = from
  }

  private mutating func morphChildren(_ from: PatchTree.Index, _ to: PatchTree.Index) throws(ClientFailure) {
    // Items of a stream are matched by key only; the existing items are not compared in order.
    let isStream = tree[from].container == .stream
    var upcoming = tree.firstChild(to)
    let hasChildren = upcoming != nil
    var known = tree.firstChild(from)
    while let new = upcoming {
      let following = tree.next(new)
      let newKey = key(new)
      var isMatched = false
      while !isStream, var old = known {
        let next = tree.next(old)
        switch try compare(old, new, newKey, next: next, in: from) {
        case .match(let element):
          old = element
          isMatched = true
        case .mismatch: try discardLater(old, in: from)
        case .replaced: break
        }
        if isMatched {
          if tree[old].isElement {
            try morphElement(old, new)
          } else {
            tree[old].content = tree[new].content
            pair(old, new)
          }
        }
        known = next
        if isMatched { break }
      }
      if !isMatched {
        if let key = newKey, let element = lookup[key], isSameTag(element, new),
          try isStream ? true : canMove(element, into: from)
        {
          noteMove(of: element, to: from)
          if !isStream { add(element, to: from) }
          try morphElement(element, new)
        } else {
          try insert(new, into: from)
        }
      }
      upcoming = following
    }
    if isStream, hasChildren { return }
    while let old = known {
      known = tree.next(old)
      try discardLater(old, in: from)
    }
  }

  private enum Comparison {
    case match(PatchTree.Index)
    case mismatch
    /// An element with the page's key was moved here, but it has another tag. Both elements are discarded.
    case replaced
  }

  /// Compares a child of the document with a child of the page. If an element with the page's key is elsewhere in the document,
  /// it is moved here first.
  ///
  /// - Parameter parent: the element whose children are patched. The child can have moved into another element meanwhile; the client
  ///   then goes on among its new siblings.
  private mutating func compare(
    _ old: PatchTree.Index, _ new: PatchTree.Index, _ newKey: PatchKey?, next: PatchTree.Index?,
    in parent: PatchTree.Index
  ) throws(ClientFailure) -> Comparison {
    switch (tree[old].content, tree[new].content) {
    case (.text, .text), (.comment, .comment): return .match(old)
    case (.element, .element): break
    default: return .mismatch
    }
    let oldKey = key(old)
    guard let newKey else { return oldKey == nil && isSameTag(old, new) ? .match(old) : .mismatch }
    if newKey == oldKey, !newKey.isField { return isSameTag(old, new) ? .match(old) : .mismatch }
    guard let element = lookup[newKey], element != next, try canMove(element, into: parent) else { return .mismatch }
    // The element is elsewhere in the document: move it here and discard the child that it displaces.
    guard tree.parent(old) == parent else {
      if tree.isPatchedByBrowser { throw .siblingMoved }
      return .mismatch
    }
    noteMove(of: element, to: parent)
    tree.insert(element, into: parent, before: old)
    try discardLater(old, in: parent)
    if isSameTag(element, new) { return .match(element) }
    try discardLater(element, in: parent)
    return .replaced
  }

  /// Whether an element that was found by its key can become a child of another one. An element can be wanted inside of itself,
  /// for example if it was an item of a stream, which is matched wherever it is. A browser throws then.
  ///
  /// - Complexity: O(*depth*); O(1) for an element without children.
  private func canMove(_ element: PatchTree.Index, into parent: PatchTree.Index) throws(ClientFailure) -> Bool {
    let isAround =
      tree.firstInside(element) == nil
      ? element == parent : sequence(first: parent) { tree.parent($0) }.contains(element)
    if isAround, tree.isPatchedByBrowser { throw .elementInItself }
    return !isAround
  }

  private mutating func noteMove(of element: PatchTree.Index, to parent: PatchTree.Index) {
    if tree.parent(element) != parent { movesKeys = true }
  }

  /// Schedules the removal of an element with a key, since it may still be matched; removes all other nodes at once.
  private mutating func discardLater(_ node: PatchTree.Index, in parent: PatchTree.Index) throws(ClientFailure) {
    if let key = key(node) {
      removals.append(key)
    } else if mayRemove(node) {
      if tree.isPatchedByBrowser, tree.parent(node) != parent { throw .siblingMoved }
      tree.detach(node)
      noteKeyed(below: node)
    }
  }

  // MARK: - Removing

  /// Schedules the removal of elements with a key inside of a removed node. An element that is matched before the end is kept.
  private mutating func noteKeyed(below top: PatchTree.Index) {
    var node = tree.firstChild(top)
    while let step = node {
      if let key = key(step) {
        removals.append(key)
        node = following(step, within: top)
      } else {
        node = tree.successor(of: step, within: top)
      }
    }
  }

  private func following(_ node: PatchTree.Index, within top: PatchTree.Index) -> PatchTree.Index? {
    var node = node
    while node != top {
      if let sibling = tree.next(node) { return sibling }
      guard let above = tree.parent(node) else { return nil }
      node = above
    }
    return nil
  }

  // MARK: - Inserting

  private mutating func insert(_ new: PatchTree.Index, into parent: PatchTree.Index) throws(ClientFailure) {
    guard let node = try nodeToInsert(for: new) else { return }
    add(node, to: parent)
    try didInsert(node)
  }

  /// Completes the insertion of a new node and its descendants. A descendant whose key belongs to an existing element is
  /// replaced by that element.
  ///
  /// - Complexity: O(*nodes*), with a bounded number of repeated visits to the children of each element.
  private mutating func didInsert(_ node: PatchTree.Index) throws(ClientFailure) {
    tree[node].isPatched = true
    tree[node].isInserted = true
    noteInsertion(of: node)
    var child = tree.firstChild(node)
    var revisits = 0
    while let step = child {
      child = tree.next(step)
      if tree[step].isInserted {
        // An item that is moved behind its next sibling is visited again. Two items with the same target index overtake each
        // other forever.
        revisits += 1
        if revisits > 2 * Int(tree[node].elements) + 8 {
          if tree.isPatchedByBrowser { throw .endless }
          return
        }
        noteInsertion(of: step)
      } else if let key = key(step), let element = lookup[key], isSameTag(step, element),
        let parent = tree.parent(step),
        try canMove(element, into: parent)
      {
        noteMove(of: element, to: parent)
        tree.insert(element, into: parent, before: step)
        tree.detach(step)
        try morphElement(element, step)
      } else {
        try didInsert(step)
      }
    }
  }
}
