internal import MarkupDocument
internal import RenderedTree

/// Leftovers are children without an id, such as white space, in the container of a stream.
/// LiveView's client keeps them when the page no longer lists any child of the container. With the
/// next patch it removes them, even if the diff does not name the stream. ``ViewState/leftovers``
/// has the containers with leftovers, and ``ScopedUpdate`` removes their leftovers together with
/// the changes of the diff.
///
/// The tree forgets the entries of a stream after each update, so a container has leftovers after
/// nearly every mount, and after nearly every insertion into an empty container.
extension Rendered {
  /// The containers with leftovers in a document that shows the page of the tree.
  ///
  /// - Parameter page: the page of the tree, if it is known.
  /// - Returns: `nil` if patching the page once more has another effect than to remove leftovers.
  ///   The next update must then be a full one. Empty if the patch has no effect.
  /// - Complexity: that of a full update.
  func leftovers(in document: Document, showing page: Page?, client: ClientVersion) -> Set<NodeRef>? {
    guard document.marks.haveSingleRoots, let page = page ?? self.page(in: document.dialect), page.rootsAreContained,
      !page.protectsComponents, document.marks.ignored.isEmpty || !page.hasLongTags
    else { return nil }
    let morph = Morph.changes(from: document, to: page, rules: PatchRules(version: client))
    guard !morph.keepsSkippedElements, !morph.keepsOtherNames, morph.marks.roots == document.marks.roots else {
      return nil
    }
    var removed: Set<NodeRef> = []
    var containers: Set<NodeRef> = []
    for change in morph.changes.all {
      guard case .remove(_, let position, _) = change else { return nil }
      removed.insert(change.node)
      containers.insert(position.parent)
    }
    let expected = containers.flatMap(document.leftovers)
    return removed.count == expected.count && removed.isSuperset(of: expected) ? containers : nil
  }
}

extension Document {
  /// The children without an id of a stream's container; empty for another element.
  fileprivate func leftovers(of container: NodeRef) -> [NodeRef] {
    guard content(of: container)?.element?.updateRule == .stream else { return [] }
    return children(of: container).filter { content(of: $0)?.element?.id == nil }
  }
}

extension PartChanges {
  /// The removal of the leftovers of a container.
  init(removingLeftoversOf container: NodeRef, causedBy slots: [Int], in document: Document) {
    self.init(of: container, start: 0, count: document.children(of: container).count)
    for (index, node) in document.children(of: container).enumerated() {
      guard let content = document.content(of: node), content.element?.id == nil else { continue }
      let position = Position(parent: container, index: index)
      let removal = Change.remove(nodes: document.nodes(from: node), from: position, name: DisplayName(content))
      result.add(removal, causedBy: slots)
    }
  }
}

extension ScopedUpdate {
  /// Adds the removal of leftovers, except in containers that a region compares as a whole.
  ///
  /// - Throws: if this diff may not make the client patch a container, because the diff names only
  ///   components, or because the client skips an element around the container. Also if the update
  ///   changes only some of the container's children.
  mutating func addLeftovers(for diff: Diff) throws(FullUpdateReason) {
    if context.leftovers.isEmpty { return }
    let named = Document.NamedParts(diff, context.touched)
    if named.isComponentsAlone { throw .unlinkedPage }
    let changed = context.touched.causes(besides: StreamWaste())
    let causes = changed.count < 2 ? changed : []
    for container in context.leftovers.sorted() {
      try context.spend(WorkBudget.edit)
      guard document.reaches(container, patching: named) else { throw .unlinkedPage }
      let part = PartChanges(removingLeftoversOf: container, causedBy: causes, in: document)
      let beside = regions.filter { $0.region.location.parent == container }
      if beside.contains(where: { $0.old.count == part.oldCount }) { continue }
      if !beside.isEmpty || entries.contains(where: { $0.part.parent == container }) { throw .unlinkedPage }
      try context.checkClientRules(amongChildrenOf: container)
      entries.append(Entries(part: part, address: nil, causes: [], claims: Claims()))
    }
  }
}

extension ParsedRegion {
  /// The containers with leftovers in a region that an update has changed.
  ///
  /// - Parameter document: the document after the update.
  /// - Returns: `nil` if the next patch of the page may have another effect on a container of a
  ///   stream than to remove leftovers.
  func leftovers(in document: Document, client: ClientVersion) -> Set<NodeRef>? {
    guard document.hasClientRules else { return [] }
    var containers: Set<NodeRef> = []
    for node in page.tree.preorder(from: parent) where page.tree[node].element?.updateRule == .stream {
      let container = NodeRef(epoch: document.epoch, number: nodeNumbers[Int(node.raw)])
      let others = document.children(of: container).filter { document.marks.streams[$0] == nil }
      if others.isEmpty { continue }
      // The next patch has another effect if a child has an id and is not an item of the stream, if
      // the client does not patch the container, or if it adds white space with each patch because
      // it does not clean new markup.
      guard others.allSatisfy({ document.content(of: $0)?.element?.id == nil }), document.marks.portals.isEmpty,
        client.follows(.cleansStreams), document.content(of: container)?.element?["phx-update"] == "stream",
        document.isPatched(around: container)
      else { return nil }
      containers.insert(container)
    }
    return containers
  }
}

extension Document {
  /// Whether the client patches the content of each element around a node.
  fileprivate func isPatched(around node: NodeRef) -> Bool {
    var step = parent(of: node)
    while let node = step {
      if let element = content(of: node)?.element {
        guard element.updateRule == .replace, !element.isPatchedAsWhole(in: dialect) else { return false }
      }
      step = parent(of: node)
    }
    return true
  }

  /// Whether a patch of the page that names these parts reaches an element. The client leaves out
  /// components and roots of function components that a diff does not name.
  fileprivate func reaches(_ node: NodeRef, patching named: NamedParts) -> Bool {
    var step: NodeRef? = node
    while let node = step {
      if let root = marks.roots[node], !named.roots.contains(root) { return false }
      if marks.origins[node] != nil, component(of: node).map(named.components.contains) != true { return false }
      step = parent(of: node)
    }
    return true
  }
}
