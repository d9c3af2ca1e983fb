/// Portals (LiveView ≥ 1.1). A portal is a `template` with `data-phx-portal`, whose only element is
/// shown elsewhere. ``patch(_:to:streams:)`` shows the content after morphdom's walk, which notes
/// the templates in ``portals``.
extension ClientPatch {
  /// The maximum nesting of portals in portals.
  private static let maximumDepth = 5
  /// The maximum number of selectors that are searched for in one update.
  private static let maximumTargets = 256

  /// - Client: `isPortalTemplate` in `dom.js`, 1.1+. Origin: phoenix_live_view#3478.
  func isPortal(_ element: Element) -> Bool {
    tree.isPatchedByBrowser && rules.version.follows(.showsPortals) && element.isPortalTemplate
  }

  /// Replaces the content of a matched portal by a copy of the new content.
  ///
  /// - Client: `onBeforeElUpdated` in `dom_patch.js`, 1.1.20+. Origin: phoenix_live_view#4095.
  mutating func replaceContent(of from: PatchTree.Index, byCopyOf to: PatchTree.Index) {
    guard rules.version.follows(.updatesPortalTemplates) else { return }
    while let child = tree.firstInside(from) { tree.detach(child) }
    let losesForms = rules.version.follows(.parsesPortalTemplates) && tree.form(around: from) != nil
    var child = tree.firstInside(to)
    while let step = child {
      let copy = tree.copy(step)
      tree.insert(copy, into: from, before: nil)
      if losesForms { unwrapForms(in: copy) }
      child = tree.next(step)
    }
  }

  /// Replaces each form by its content, because the HTML parser does not allow a form inside of a
  /// form.
  private mutating func unwrapForms(in top: PatchTree.Index) {
    var pending = [top]
    while let node = pending.popLast() {
      var child = tree.firstChild(node)
      while let step = child {
        pending.append(step)
        child = tree.next(step)
      }
      guard tree.element(node)?.isHTML("form") == true, let parent = tree.parent(node) else { continue }
      while let inner = tree.firstChild(node) { tree.insert(inner, into: parent, before: node) }
      tree.detach(node)
    }
  }

  /// Shows the content of all noted portals at their targets, including portals inside of that
  /// content.
  mutating func teleport() throws(ClientFailure) {
    for _ in 0..<(rules.version.follows(.showsNestedPortals) ? Self.maximumDepth : 1) where !portals.isEmpty {
      let templates = portals
      portals = []
      for template in templates { try teleport(template) }
    }
    portals = []
  }

  /// Patches the element at the target with the content of the template. New nodes of the template
  /// are moved there.
  ///
  /// - Client: `teleport` in `dom_patch.js`, 1.1+. Origin: phoenix_live_view#3478.
  private mutating func teleport(_ template: PatchTree.Index) throws(ClientFailure) {
    guard let selector = tree.element(template)?["data-phx-portal"] else { return }
    let target = try target(of: selector)
    guard let source = tree.firstElement(in: template) else { throw .portalRoot }
    if tree.keepsFormer(source) { return }
    guard let element = tree.element(source), let id = element.id else { throw .portalRoot }
    let shown: PatchTree.Index
    if let known = self.element(withID: id) {
      if !tree.isConnected(known, to: target), target != outside || Selector(selector)?.isOfPage != true {
        if tree.isConnected(target, to: known) { throw .elementInItself }
        tree.insert(known, into: target, before: nil)
      }
      shown = known
    } else {
      shown = tree.make(.element(Element(tag: element.tag, namespace: element.namespace)))
      tree.insert(shown, into: target, before: nil)
    }
    tree[source].state.portal = tree.element(template)?.id
    try morph(shown, to: source, childrenOnly: false)
    tree[source].state.portal = nil
    noteID(of: shown)
    teleported.append(shown)
  }

  /// The first element in document order that a selector matches. If the view has no such element,
  /// the target is ``outside``, which stands for the rest of the browser's page.
  ///
  /// - Complexity: O(*depth*) amortised for an id, O(*nodes*) for the first lookup of another
  ///   selector in an update. Once the targets of ``maximumTargets`` selectors are known, further
  ///   selectors that are not an id are not searched for; their target is taken to be outside of
  ///   the view.
  private mutating func target(of selector: String) throws(ClientFailure) -> PatchTree.Index {
    if let known = targets[selector], isPresent(known) { return known }
    guard let parsed = Selector(selector) else {
      // The text after a colon may be a pseudo-class that only a browser knows.
      if !selector.contains(":") { throw .portalTarget(selector) }
      return outside
    }
    var target = outside
    if let id = parsed.onlyID {
      target = element(withID: id) ?? outside
    } else if targets.count < Self.maximumTargets {
      for top in [outside, root] {
        target = PatchedElements(tree: tree, top: top).nodes(matching: parsed, limit: 1).first ?? target
      }
    }
    targets[selector] = target
    return target
  }

  /// Removes the shown elements whose template was removed.
  ///
  /// - Client: `perform` in `dom_patch.js`, 1.1+. Origin: phoenix_live_view#3478.
  mutating func removeOrphanedPortals() {
    guard rules.version.follows(.showsPortals) else { return }
    for element in teleported {
      guard let source = tree[element].state.portal, self.element(withID: source) == nil else { continue }
      tree.detach(element)
    }
  }
}

extension Element {
  /// Whether this is the `template` of a portal, for the clients that know portals.
  var isPortalTemplate: Bool { isHTML("template") && self["data-phx-portal"] != nil }
}

extension Selector {
  /// The id, if the selector is `#id` alone.
  fileprivate var onlyID: String? {
    guard complexes.count == 1, complexes[0].count == 1, complexes[0][0].tests.count == 1,
      case .attribute("id", .equal(let id)) = complexes[0][0].tests[0]
    else { return nil }
    return id
  }

  /// Whether the selector can only match `body` or `html`, which contain every view.
  fileprivate var isOfPage: Bool {
    complexes.allSatisfy { complex in
      complex.last?.tests.contains {
        if case .tag("body") = $0 { true } else if case .tag("html") = $0 { true } else { false }
      }
        ?? false
    }
  }
}
