/// The callbacks that `dom_patch.js` gives to morphdom. They run before and after an element is
/// patched, and when nodes are added or removed. The walk in `ClientPatch+Morph.swift` calls them.
extension ClientPatch {
  /// Applies the rules for elements that the client patches in its own way: skipped, locked, sticky
  /// and ignored elements, nested views, portals.
  ///
  /// - Returns: whether attributes and children remain to be patched; `false` if this method has
  ///   handled the element completely.
  /// - Client: `onBeforeElUpdated` in `dom_patch.js`, 1.0+. Origin: none known.
  mutating func willUpdate(_ from: PatchTree.Index, to: PatchTree.Index) throws(ClientFailure) -> Bool {
    guard let old = tree.element(from), let new = tree.element(to) else { return true }
    try checkAttributes(of: from)
    try checkAttributes(of: to)
    if from == target, tree.isPatchedByBrowser, hasOtherID(from, than: to) {
      // Only LiveView before 1.2.8 comes here. The client takes the old element out of the page,
      // but goes on patching it and moves new children into it. So the new element keeps only those
      // children that the old element has as well.
      exchange(from, for: to)
      for node in Array(tree.preorder(from: to)) where tree[node].isSkipped { tree.makeEmpty(node) }
      try noteInsertion(of: to)
      return true
    }
    cleanContainer(to)
    if tree.keepsFormer(to) {
      reorder(from, isNew: false)
      return false
    }
    if tree.isPatchedByBrowser {
      // A locked element is patched in a copy, which is shown when its event was answered.
      if old["data-phx-ref-src"] != nil, old["data-phx-ref-lock"] != nil { return false }
      if old["data-phx-sticky"] != nil { return false }
      if rules.version.follows(.refusesIgnoredStar), tree[from].state.ignored.stopsPatches {
        throw .ignoredStar
      }
    }
    if isControlOfTriggered(from) {
      setAttributes(attributes(of: new, keptBy: from), of: from, like: to)
      return false
    }
    if old.updateRule == .ignore {
      let wanted = attributes(of: new, keptBy: from)
      let kept = old.attributes.filter { !Element.isMergedIntoIgnored($0.name) }
      setAttributes(kept + wanted.filter { Element.isMergedIntoIgnored($0.name) }, of: from, like: to)
      return false
    }
    guard tree.isPatchedByBrowser else { return true }
    if new["data-phx-parent-id"].map({ !$0.isEmpty }) == true {
      setAttributes(new.attributes, of: from, like: to)
      return false
    }
    if isPortal(new) {
      portals.append(to)
      // The mark of the fragment. By it, the client finds the template in the next update, and
      // skips it if that update does not touch the fragment.
      tree[from].root = tree[to].root
      replaceContent(of: from, byCopyOf: to)
      return false
    }
    switch tree[to].container {
    case .append: restorers.append(ContainerRestorer(of: from, patchedTo: to, isPrepend: false, in: tree))
    case .prepend: restorers.append(ContainerRestorer(of: from, patchedTo: to, isPrepend: true, in: tree))
    case .stream, nil: break
    }
    return true
  }

  /// Whether an element with an id gets another one. If a field hides the property `id` of a form
  /// (see ``FormProperty``), the ids count as different.
  private func hasOtherID(_ old: PatchTree.Index, than new: PatchTree.Index) -> Bool {
    if tree.idField(of: old) != nil { return true }
    guard let id = tree.element(old)?.id else { return false }
    return id != tree.element(new)?.id || tree.idField(of: new) != nil
  }

  /// - Throws: if a field of a form hides the methods that read attributes.
  private func checkAttributes(of node: PatchTree.Index) throws(ClientFailure) {
    try check(.getAttribute, of: node)
    try check(.hasAttribute, of: node)
  }

  /// Patches the attributes of `from` with those of the new markup's element `to`.
  ///
  /// - Client: `morphAttrs` in `morphdom.js`, 1.0+. Origin: none known.
  mutating func copyAttributes(from to: PatchTree.Index, to from: PatchTree.Index) {
    guard let new = tree.element(to) else { return }
    let wanted = attributes(of: new, keptBy: from)
    noteSelection(of: to, from: new.attributes, to: wanted)
    if new.isHTML("details"), var kept = tree.element(from), wanted != new.attributes {
      // The client first writes the protected attributes into the new markup, which can close a
      // `details` element there.
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
    if losesRequired(element) { element.attributes.removeAll { $0.name == "required" } }
    let hadID = before.id
    tree[from].content = .element(element)
    tree.excludeDetails(from, changedFrom: before, inOrderOf: tree.element(to))
    if hadID != element.id {
      noteID(of: from)
      if from == target, tree.isPatchedByBrowser, tree[from].state.component != nil { renamed.append(from) }
    }
    tree[from].state.component = tree[to].state.component
    tree[from].root = tree[to].root
    tree[from].state.portal = tree[to].state.portal
    tree[from].isPrunable = false
  }

  /// The new attributes, except that attributes protected by `JS.ignore_attributes` keep their
  /// former value or absence.
  ///
  /// - Client: `ignoreAttrs` in `js.js`, 1.1+. Origin: phoenix_live_view#3765.
  /// - Client: `syncAttrsToProps` in `dom.js`, 1.0+. Origin: phoenix_live_view#627.
  private func attributes(of new: Element, keptBy from: PatchTree.Index) -> [Element.Attribute] {
    let ignored = tree[from].state.ignored
    guard !ignored.isEmpty, let old = tree.element(from), old.attributes != new.attributes else {
      return new.attributes
    }
    let names = IgnoredNames(ignored)
    let keepsAbsent = rules.version.follows(.keepsAttributesAbsent)
    // `checked` is not protected, because after the attributes the client patches the state of a
    // check box or radio button to that of the new markup.
    func isProtected(_ attribute: Element.Attribute) -> Bool {
      names.matches(attribute.name) && !(attribute.name == "checked" && new.isCheckable)
    }
    return new.attributes.filter { !isProtected($0) || !keepsAbsent && old[$0.name] == nil }
      + old.attributes.filter(isProtected)
  }

  /// Whether the element is the file input of an upload with chosen files. The client removes its
  /// `required`, because the files need not be chosen again.
  ///
  /// - Client: `maybeRemoveRequired` in `hooks.js`, 1.2.10+. Origin: phoenix_live_view#3319.
  private func losesRequired(_ element: Element) -> Bool {
    tree.isPatchedByBrowser && rules.version.follows(.dropsRequiredOfUploads)
      && element["data-phx-active-refs"].map { !$0.isEmpty } == true
      && [element["data-phx-hook"], element["phx-hook"]].contains("Phoenix.LiveFileUpload")
  }

  /// Runs after the attributes of an element were patched.
  mutating func didUpdate(_ node: PatchTree.Index) {
    noteTriggered(node)
    reorder(node, isNew: false)
  }

  /// Notes a form that is submitted after the patch (`phx-trigger-action`).
  ///
  /// - Client: `isNowTriggerFormExternal` in `dom.js`, 1.0+. Origin: none known.
  private mutating func noteTriggered(_ node: PatchTree.Index) {
    if tree.isPatchedByBrowser, tree.element(node)?["phx-trigger-action"] != nil { triggered = node }
  }

  /// Whether the element is a control of the form that is submitted after the patch. Only the
  /// attributes of such a control are patched.
  private func isControlOfTriggered(_ node: PatchTree.Index) -> Bool {
    guard let triggered, tree.element(node)?.isFormControl == true else { return false }
    return tree.belongs(node, to: triggered)
  }

  /// Whether children of a container stay although its new markup does not list them.
  private func keepsEntries(_ node: PatchTree.Index) -> Bool {
    guard let container = tree[node].container else { return false }
    return container == .stream || tree.isPatchedByBrowser
  }

  /// Removes children without an id from a container's new markup.
  ///
  /// - Client: `cleanChildNodes` in `dom.js`, 1.0+. Origin: none known.
  private mutating func cleanContainer(_ node: PatchTree.Index) {
    guard keepsEntries(node) else { return }
    if tree.isPatchedByBrowser, tree[node].container == .stream, !rules.version.follows(.cleansStreams) { return }
    var child = tree.firstChild(node)
    while let step = child {
      child = tree.next(step)
      if tree.element(step)?.id == nil { tree.detach(step) }
    }
  }

  // MARK: - Additions and removals

  /// Decides which node is inserted for a new node. An item that the same update has removed is
  /// used again; an item that the update may only change (`update_only`) is not inserted.
  ///
  /// - Returns: `nil` to insert nothing.
  /// - Client: `onBeforeNodeAdded` in `dom_patch.js`, 1.0+. Origin: phoenix_live_view#3573.
  mutating func nodeToInsert(for new: PatchTree.Index) throws(ClientFailure) -> PatchTree.Index? {
    guard let id = tree.element(new)?.id else { return new }
    let known = restorable[id]
    if inserts[id]?.updateOnly == true, known == nil { return nil }
    guard let known else { return new }
    restorable[id] = nil
    try morph(known, to: new, childrenOnly: false)
    // A browser inserts the former element, even if patching has replaced it by an element with
    // another tag.
    return known
  }

  /// Runs after a node was inserted.
  ///
  /// - Client: `onNodeAdded` in `dom_patch.js`, 1.0+. Origin: none known.
  mutating func noteInsertion(of node: PatchTree.Index) throws(ClientFailure) {
    try checkAttributes(of: node)
    if tree[node].isSkipped { tree.makeEmpty(node) }
    guard var element = tree.element(node) else { return }
    if losesRequired(element) {
      element.attributes.removeAll { $0.name == "required" }
      tree[node].content = .element(element)
    }
    noteID(of: node)
    noteTriggered(node)
    reorder(node, isNew: true)
    if isPortal(element) { portals.append(node) }
    added.append(node)
  }

  /// Whether a node that the page does not contain is removed now. Schedules the removal of an
  /// element with `phx-remove`, and detaches the shown copy of a removed portal.
  ///
  /// - Client: `onBeforeNodeDiscarded` in `dom_patch.js`, 1.0+. Origin: none known.
  mutating func mayRemove(_ node: PatchTree.Index) throws(ClientFailure) -> Bool {
    guard let element = tree.element(node) else { return true }
    try check(.getAttribute, of: node)
    if tree[node].isPrunable { return true }
    if let parent = tree.parent(node), keepsEntries(parent), element.id != nil { return false }
    if tree[node].state.portal != nil { return false }
    if tree.isPatchedByBrowser, element["data-phx-teleported"].map({ !$0.isEmpty }) == true { return false }
    if waitsForTransition(node) { return false }
    try check(.hasAttribute, of: node)
    if tree.isPatchedByBrowser, element["data-phx-skip"] != nil { return false }
    if isPortal(element), let root = tree.firstElement(in: node), let id = tree.element(root)?.id,
      let copy = self.element(withID: id)
    {
      tree.detach(copy)
    }
    return true
  }

  /// Whether the element stays until the end of the patch, because it has `phx-remove`. Schedules
  /// its removal in that case.
  ///
  /// - Client: `maybePendingRemove`, `transitionPendingRemoves` in `dom_patch.js`, 1.0+. Origin:
  ///   phoenix_live_view#2423.
  mutating func waitsForTransition(_ node: PatchTree.Index) -> Bool {
    guard tree.isPatchedByBrowser, tree.element(node)?["phx-remove"] != nil else { return false }
    pendingRemovals.append(node)
    return true
  }

  /// Marks the entries of `append` and `prepend` containers, so that a join may remove them.
  ///
  /// - Client: `markPrunableContentForRemoval` in `dom_patch.js`, 1.0+. Origin: none known.
  mutating func markPrunable() {
    guard tree.isPatchedByBrowser else { return }
    for node in nodes() where tree[node].container == .append || tree[node].container == .prepend {
      for child in tree.elements(in: node) { tree[child].isPrunable = true }
    }
  }
}

extension Element {
  /// Whether this is a check box or a radio button.
  fileprivate var isCheckable: Bool { isHTML("input") && ["checkbox", "radio"].contains(self["type"]?.lowercased()) }

  /// Whether the element is of a kind that can belong to a form.
  fileprivate var isFormControl: Bool {
    namespace == .html
      && ["button", "fieldset", "input", "object", "option", "output", "select", "textarea"].contains(tag)
  }

  /// Whether this is the HTML element with the given tag.
  package func isHTML(_ name: String) -> Bool { namespace == .html && tag == name }
}
