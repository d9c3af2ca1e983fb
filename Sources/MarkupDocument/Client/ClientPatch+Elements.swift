/// Hooks that run before and after an element is patched, and when nodes are added or removed.
extension ClientPatch {
  /// - Returns: whether attributes and children remain to be patched; `false` if this method has handled the element
  ///   completely.
  mutating func willUpdate(_ from: PatchTree.Index, _ to: PatchTree.Index) -> Bool {
    guard let old = tree.element(from), let new = tree.element(to) else { return true }
    cleanContainer(to)
    if tree[to].isSkipped {
      reorder(from, isNew: false)
      return false
    }
    if tree.isPatchedByBrowser, old["data-phx-sticky"] != nil { return false }
    if old.updateRule == .ignore {
      let wanted = attributes(of: new, keptBy: from)
      let kept = old.attributes.filter { !$0.name.hasPrefix("data-") }
      setAttributes(kept + wanted.filter { $0.name.hasPrefix("data-") }, of: from, like: to)
      return false
    }
    guard tree.isPatchedByBrowser else { return true }
    if new["data-phx-parent-id"].map({ !$0.isEmpty }) == true {
      setAttributes(new.attributes, of: from, like: to)
      return false
    }
    if isPortal(new) {
      portals.append(to)
      replaceContent(of: from, byCopyOf: to)
      return false
    }
    switch tree[to].container {
    case .append: restorers.append(ContainerRestorer(from, to, isPrepend: false, in: tree))
    case .prepend: restorers.append(ContainerRestorer(from, to, isPrepend: true, in: tree))
    case .stream, nil: break
    }
    return true
  }

  /// Patches the attributes of `from` with those of the new markup's element `to`.
  mutating func copyAttributes(from to: PatchTree.Index, to from: PatchTree.Index) {
    guard let new = tree.element(to) else { return }
    let wanted = attributes(of: new, keptBy: from)
    if new.isHTML("details"), var kept = tree.element(from), wanted != new.attributes {
      // The client first writes the protected attributes into the new markup, which can close a `details` element there.
      var changed = new
      changed.attributes = wanted
      tree[to].content = .element(changed)
      kept.attributes.reverse()
      tree.excludeDetails(to, changedFrom: new, inOrderOf: kept)
    }
    setAttributes(wanted, of: from, like: to)
  }

  private mutating func setAttributes(
    _ attributes: [Element.Attribute], of from: PatchTree.Index, like to: PatchTree.Index
  ) {
    guard var element = tree.element(from) else { return }
    let before = element
    element.attributes = attributes
    let hadID = before.id
    tree[from].content = .element(element)
    tree.excludeDetails(from, changedFrom: before, inOrderOf: tree.element(to))
    if hadID != element.id { noteID(of: from) }
    tree[from].state.component = tree[to].state.component
    tree[from].root = tree[to].root
    tree[from].state.portal = tree[to].state.portal
    tree[from].isPrunable = false
  }

  /// The new attributes, except that attributes protected by `JS.ignore_attributes` keep their former value or absence.
  private func attributes(of new: Element, keptBy from: PatchTree.Index) -> [Element.Attribute] {
    let ignored = tree[from].state.ignored
    guard !ignored.isEmpty, let old = tree.element(from), old.attributes != new.attributes else {
      return new.attributes
    }
    let names = IgnoredNames(ignored)
    return new.attributes.filter { !names.matches($0.name) } + old.attributes.filter { names.matches($0.name) }
  }

  mutating func didUpdate(_ node: PatchTree.Index) { reorder(node, isNew: false) }

  /// Whether children of a container stay although its new markup does not list them.
  private func keepsEntries(_ node: PatchTree.Index) -> Bool {
    guard let container = tree[node].container else { return false }
    return container == .stream || tree.isPatchedByBrowser
  }

  /// Removes children without an id from a container's new markup.
  private mutating func cleanContainer(_ node: PatchTree.Index) {
    guard keepsEntries(node) else { return }
    var child = tree.firstChild(node)
    while let step = child {
      child = tree.next(step)
      if tree.element(step)?.id == nil { tree.detach(step) }
    }
  }

  // MARK: - Additions and removals

  /// - Returns: the node to insert into the document for a new node; `nil` to insert nothing.
  mutating func nodeToInsert(for new: PatchTree.Index) -> PatchTree.Index? {
    guard let id = tree.element(new)?.id else { return new }
    let known = restorable[id]
    if inserts[id]?.updateOnly == true, known == nil { return nil }
    guard let known else { return new }
    restorable[id] = nil
    morph(known, to: new, childrenOnly: false)
    // A browser inserts the former element, even if patching has replaced it by an element with another tag.
    return known
  }

  /// Runs after a node was inserted.
  mutating func noteInsertion(of node: PatchTree.Index) {
    guard let element = tree.element(node) else { return }
    noteID(of: node)
    reorder(node, isNew: true)
    if isPortal(element) { portals.append(node) }
    added.append(node)
  }

  /// Whether a node that the page does not contain is removed.
  mutating func mayRemove(_ node: PatchTree.Index) -> Bool {
    guard let element = tree.element(node) else { return true }
    if tree[node].isPrunable { return true }
    if let parent = tree.parent(node), keepsEntries(parent), element.id != nil { return false }
    if tree[node].state.portal != nil { return false }
    if waitsForTransition(node) { return false }
    if isPortal(element), let root = tree.firstElement(in: node), let id = tree.element(root)?.id,
      let copy = self.element(withID: id)
    {
      tree.detach(copy)
    }
    return true
  }

  /// An element with `phx-remove` stays until the end of the patch.
  mutating func waitsForTransition(_ node: PatchTree.Index) -> Bool {
    guard tree.isPatchedByBrowser, tree.element(node)?["phx-remove"] != nil else { return false }
    pendingRemovals.append(node)
    return true
  }

  /// Marks the entries of `append` and `prepend` containers, so that a join may remove them.
  mutating func markPrunable() {
    guard tree.isPatchedByBrowser else { return }
    var node: PatchTree.Index? = root
    while let step = node {
      if tree[step].container == .append || tree[step].container == .prepend {
        for child in tree.elements(in: step) { tree[child].isPrunable = true }
      }
      node = tree.successor(of: step, within: root)
    }
  }
}

extension Element {
  /// Whether this is the HTML element with the given tag.
  package func isHTML(_ name: String) -> Bool { namespace == .html && tag == name }
}
