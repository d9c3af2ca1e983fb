/// Portals (LiveView ≥ 1.1): a `template` with `data-phx-portal` whose only element is shown elsewhere.
extension ClientPatch {
  /// The maximum nesting of portals in portals.
  private static let maximumDepth = 5

  func isPortal(_ element: Element) -> Bool {
    tree.isPatchedByBrowser && rules.version.hasPortals && element.isHTML("template")
      && element["data-phx-portal"] != nil
  }

  /// Replaces the content of a matched portal by a copy of the new content.
  mutating func replaceContent(of from: PatchTree.Index, byCopyOf to: PatchTree.Index) {
    while let child = tree.firstInside(from) { tree.detach(child) }
    var child = tree.firstInside(to)
    while let step = child {
      tree.insert(tree.copy(step), into: from, before: nil)
      child = tree.next(step)
    }
  }

  /// Shows the content of all noted portals at their targets, including portals inside of that content.
  mutating func teleport() {
    for _ in 0..<Self.maximumDepth where !portals.isEmpty {
      let templates = portals
      portals = []
      for template in templates { teleport(template) }
    }
    portals = []
  }

  /// Patches the element at the target with the content of the template. New nodes of the template are moved there.
  private mutating func teleport(_ template: PatchTree.Index) {
    guard let source = tree.firstElement(in: template), !tree[source].isSkipped, let element = tree.element(source),
      let id = element.id, let selector = tree.element(template)?["data-phx-portal"]
    else { return }
    let target = Selector(selector).flatMap { first($0) }
    let shown: PatchTree.Index
    if let known = self.element(withID: id) {
      if let target, !tree.isConnected(known, to: target) { tree.move(known, into: target, before: nil) }
      shown = known
    } else {
      shown = tree.make(.element(Element(tag: element.tag, namespace: element.namespace)))
      // A target outside of the view is not in this tree: an element that is moved there leaves the view.
      if let target { tree.insert(shown, into: target, before: nil) }
    }
    tree[source].state.portal = tree.element(template)?.id
    morph(shown, to: source, childrenOnly: false)
    tree[source].state.portal = nil
    noteID(of: shown)
    teleported.append(shown)
  }

  /// Removes the shown elements whose template was removed.
  mutating func removeOrphanedPortals() {
    guard rules.version.hasPortals else { return }
    for element in teleported {
      guard let source = tree[element].state.portal, self.element(withID: source) == nil else { continue }
      tree.detach(element)
    }
  }

  /// The first element in document order that a selector matches.
  func first(_ selector: Selector) -> PatchTree.Index? {
    PatchedElements(tree: tree, top: root).nodes(matching: selector, limit: 1).first
  }
}
