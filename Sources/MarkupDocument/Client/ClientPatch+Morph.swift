/// The walk over two trees, in morphdom's order.
extension ClientPatch {
  /// Makes `from` what `to` says. Nodes of `to` move into the document.
  mutating func morph(_ from: PatchTree.Index, to source: PatchTree.Index, childrenOnly: Bool) {
    let outer = (lookup, removals, aroundSharedKeys)
    (lookup, removals, aroundSharedKeys) = ([:], [], [])
    index(below: from)
    var target = from
    if !childrenOnly, !isSameTag(from, source) {
      target = replace(from, by: source)
    }
    morphElement(target, source, childrenOnly: childrenOnly)
    for key in removals {
      if let element = lookup[key] { remove(element, skippingKeyed: false) }
    }
    (lookup, removals, aroundSharedKeys) = outer
  }

  /// Another tag is another element, with the children of the former one.
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

  /// The client indexes what is in an HTML element anew when it comes to it. That makes a difference where several elements
  /// have a key: then the last one in the element is found.
  ///
  /// - Complexity: O(*elements with a key that others have* · *depth*), for one element.
  private mutating func indexSharedKeys(below top: PatchTree.Index) {
    guard tree.isHTML, aroundSharedKeys.contains(top), tree.element(top)?.namespace == .html else { return }
    var node = tree.firstChild(top)
    while let step = node {
      if aroundSharedKeys.contains(step) {
        if let key = key(step) { lookup[key] = step }
        node = tree.successor(of: step, within: top)
      } else {
        node = following(step, within: top)
      }
    }
  }

  /// In the native dialect no client decides by keys what becomes of a page: they serve to find the containers of streams,
  /// ignored elements, and items again.
  func key(_ node: PatchTree.Index) -> PatchKey? {
    if tree.isHTML { return tree[node].key(byIDAlone: rules.isJoin) }
    let isItem = tree.parent(node).map { tree[$0].updateRule } == .stream
    return isItem || tree[node].updateRule != .replace ? tree[node].key(byIDAlone: true) : nil
  }

  func isSameTag(_ a: PatchTree.Index, _ b: PatchTree.Index) -> Bool {
    guard let a = tree.element(a), let b = tree.element(b) else { return false }
    return a.tag == b.tag || a.tag.lowercased() == b.tag.lowercased()
  }

  private mutating func morphElement(_ from: PatchTree.Index, _ to: PatchTree.Index, childrenOnly: Bool = false) {
    if let key = key(to) { lookup[key] = nil }
    pair(from, to)
    if tree.element(from)?.tag != tree.element(to)?.tag { keepsOtherNames = true }
    if !childrenOnly {
      guard willUpdate(from, to) else { return }
      indexSharedKeys(below: from)
      copyAttributes(from: to, to: from)
      didUpdate(from)
    }
    if tree.isHTML, tree.element(from)?.isHTML("textarea") == true {
      copyText(ofTextarea: to, to: from)
    } else {
      morphChildren(from, to)
      finishControl(from, to)
    }
  }

  /// The page's node is this node of the document from now on.
  mutating func pair(_ from: PatchTree.Index, _ to: PatchTree.Index) {
    tree[from].isPatched = true
    tree[from].origin = tree[to].origin
    tree[to].partner = from
  }

  private mutating func morphChildren(_ from: PatchTree.Index, _ to: PatchTree.Index) {
    // Items of a stream are found by key alone: those that are there are not looked at.
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
        switch compare(old, new, newKey, next: next, in: from) {
        case .match(let element):
          old = element
          isMatched = true
        case .mismatch: discardLater(old)
        case .replaced: break
        }
        if isMatched {
          if tree[old].isElement {
            morphElement(old, new)
          } else {
            tree[old].content = tree[new].content
            pair(old, new)
          }
        }
        known = next
        if isMatched { break }
      }
      if !isMatched {
        if let key = newKey, let element = lookup[key], isSameTag(element, new) {
          if !isStream { add(element, to: from) }
          morphElement(element, new)
        } else {
          insert(new, into: from)
        }
      }
      upcoming = following
    }
    if isStream, hasChildren { return }
    while let old = known {
      known = tree.next(old)
      discardLater(old)
    }
  }

  private enum Comparison {
    case match(PatchTree.Index)
    case mismatch
    /// Another element came to its place, and cannot become the page's either; both are dealt with.
    case replaced
  }

  /// Whether a child of the document becomes a child of the page, or another one that is brought to its place.
  private mutating func compare(
    _ old: PatchTree.Index, _ new: PatchTree.Index, _ newKey: PatchKey?, next: PatchTree.Index?,
    in parent: PatchTree.Index
  ) -> Comparison {
    switch (tree[old].content, tree[new].content) {
    case (.text, .text), (.comment, .comment): return .match(old)
    case (.element, .element): break
    default: return .mismatch
    }
    let oldKey = key(old)
    guard let newKey else { return oldKey == nil && isSameTag(old, new) ? .match(old) : .mismatch }
    if newKey == oldKey { return isSameTag(old, new) ? .match(old) : .mismatch }
    guard let element = lookup[newKey], element != next else { return .mismatch }
    // Found elsewhere: it comes here, and what stood here goes.
    tree.insert(element, into: parent, before: old)
    discardLater(old)
    if isSameTag(element, new) { return .match(element) }
    discardLater(element)
    return .replaced
  }

  /// What has a key may be matched later; it is removed at the end.
  private mutating func discardLater(_ node: PatchTree.Index) {
    if let key = key(node) { removals.append(key) } else { remove(node, skippingKeyed: true) }
  }

  // MARK: - Leaving

  mutating func remove(_ node: PatchTree.Index, skippingKeyed: Bool) {
    guard mayRemove(node) else { return }
    tree.detach(node)
    guard skippingKeyed else { return }
    noteKeyed(below: node)
  }

  /// Elements with a key that stand in what is removed go at the end too, wherever they are by then.
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

  // MARK: - Arriving

  private mutating func insert(_ new: PatchTree.Index, into parent: PatchTree.Index) {
    guard let node = nodeToInsert(for: new) else { return }
    add(node, to: parent)
    didInsert(node)
  }

  /// A new node and all in it; an element that is known by its key comes in place of one of its new ones.
  ///
  /// - Complexity: O(*nodes*), with a bounded number of further visits to the children of each element.
  private mutating func didInsert(_ node: PatchTree.Index) {
    tree[node].isPatched = true
    tree[node].isInserted = true
    noteInsertion(of: node)
    var child = tree.firstChild(node)
    var revisits = 0
    while let step = child {
      child = tree.next(step)
      if tree[step].isInserted {
        // An item that is put behind its next sibling is reached again. Two items at the same counted place overtake each
        // other forever: there the client does not terminate.
        revisits += 1
        if revisits > min(2 * Int(tree[node].elements), Self.maximumRevisits) { return }
        noteInsertion(of: step)
      } else if let key = key(step), let element = lookup[key], isSameTag(step, element), let parent = tree.parent(step)
      {
        tree.insert(element, into: parent, before: step)
        tree.detach(step)
        morphElement(element, step)
      } else {
        didInsert(step)
      }
    }
  }

  private static let maximumRevisits = 64
}
