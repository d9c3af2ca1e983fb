internal import MarkupDocument
internal import RenderedTree

/// Diffs that name only components. LiveView's client patches each of these components on its own,
/// and nothing around them.
///
/// ``FullUpdate`` calls these functions: for the rendering, for the rules of the patch, and at the
/// end to decide whether the next update may be a scoped one.
/// ``leftovers(_:after:showing:hasStreams:isPartial:)`` must return `nil` whenever the document
/// after a scoped update could differ from that after a full update.
extension ViewState {
  /// A component that the diff names, rendered on its own.
  struct ComponentRendering {
    var cid: Int
    var rendering: Rendering
    /// Whether the page shows the component. A component in an item of a stream is in the document,
    /// but not in the page, because the server has forgotten the item.
    var isShown: Bool
  }

  /// Renders the components that the client patches on their own: the outermost ones, in ascending
  /// order.
  ///
  /// - Returns: `nil` if the client patches the whole page, for example because the diff names more
  ///   than components.
  func renderComponents(
    of diff: Diff, in merged: Rendered, marking touched: TouchedSlots.Index, shownBy page: Rendering, at place: SlotPath
  ) throws(UpdateError) -> [ComponentRendering]? {
    guard diff.root.namesNothing else { return nil }
    let shown = page.components
    if !document.dialect.isPatchedByBrowser, diff.components.allSatisfy({ shown.contains($0.cid) }) { return nil }
    // The client patches the first element of a component and nothing around it. LiveView allows
    // nothing else there except debug annotations. If there is more, or if the component was sent
    // whole, the mirror patches the whole page. A component without an element in the document is
    // not patched (`findExistingParentCIDs`).
    let isPatchable = diff.components.allSatisfy { cid, change in
      !shown.contains(cid)
        || change.statics == nil && merged.components[cid].map { hasSingleRoot($0.statics) } == true
    }
    if !isPatchable, !diff.components.isEmpty { return nil }
    var renderings: [ComponentRendering] = []
    for cid in document.outermostComponents(among: Set(diff.components.map(\.cid))) {
      do throws(RenderError) {
        renderings.append(
          ComponentRendering(
            cid: cid, rendering: try merged.render(component: cid, marking: touched), isShown: shown.contains(cid)))
      } catch {
        throw UpdateError(error, in: place)
      }
    }
    return renderings
  }

  /// The rules by which the client patches the page. The client leaves a component unchanged if the
  /// diff does not name it and its template has a single root element, and treats the roots of
  /// function components in the same way.
  ///
  /// - Parameter isByComponent: whether the client patches components on their own.
  func patchRules(
    for diff: Diff, in merged: Rendered, touching touched: TouchedSlots, isByComponent: Bool
  ) -> PatchRules {
    guard document.dialect.isPatchedByBrowser else { return PatchRules(version: client) }
    // The diff names only components. If one of them was sent whole, the mirror patches the whole
    // page, although the client would patch only the component.
    guard !diff.root.namesNothing else {
      return PatchRules(version: client, skipsRoots: isByComponent, renewsRoots: true, hidesChanges: isStale)
    }
    let named = Document.NamedParts(diff, touched)
    let unchanged = merged.components.filter { cid, component in
      !named.components.contains(cid) && hasSingleRoot(component.statics)
    }
    return PatchRules(
      version: client, unchanged: Set(unchanged.keys), skipsRoots: true, renewsRoots: true,
      hidesChanges: isStale || document.mayHideComponents(named))
  }

  /// Whether the template of a component has a single root element. If the statics were not linked,
  /// their strings are read now.
  private func hasSingleRoot(_ statics: Statics) -> Bool {
    (templates[statics] ?? Template(statics.parts, dialect: document.dialect)).hasSingleRoot
  }

  /// The content that the client omits from the markup of the page: that of components and function
  /// components that the diff does not name.
  func skippedContent(of diff: Diff, in merged: Rendered) -> SkippedContent? {
    guard document.dialect.isPatchedByBrowser, !diff.root.namesNothing else { return nil }
    return SkippedContent(
      components: Set(merged.components.keys).subtracting(diff.components.map(\.cid)), functionComponents: true)
  }

  /// The containers with leftovers; see ``Rendered/leftovers(in:showing:client:)``. A scoped update
  /// ignores the parts of the page that its diff does not name. This is correct only if patching
  /// the same page once more would remove the leftovers and change nothing else.
  ///
  /// - Parameter isPartial: whether the client patched only some components, or may have skipped
  ///   changes.
  /// - Returns: `nil` if the next update must be a full one.
  /// - Complexity: O(1) for pages without elements whose state the client keeps, and O(*nodes*) if
  ///   only a part was patched. Otherwise that of another full update.
  func leftovers(
    _ merged: Rendered, after morph: Morph.Outcome, showing page: Page, hasStreams: Bool, isPartial: Bool
  ) -> Set<NodeRef>? {
    if morph.failure != nil || morph.keepsSkippedElements { return nil }
    // In such a document, every update is a full one anyway.
    if morph.repeatsIDs || document.needsFullUpdates { return nil }
    if !hasStreams, !document.keepsClientState(with: page) {
      return !isPartial && !morph.isPatched || morph.shows(page) ? [] : nil
    }
    guard morph.marks.haveSingleRoots, let page = hasStreams ? merged.page(in: document.dialect) : page,
      page.rootsAreContained, !page.protectsComponents, morph.marks.ignored.isEmpty || !page.hasLongTags
    else { return nil }
    if let isStable = morph.isStable(showing: page, version: client), isStable || !page.mayHoldStreams {
      return isStable ? [] : nil
    }
    var next = document
    next.apply(morph.changes, marks: morph.marks)
    return merged.leftovers(in: next, showing: page, client: client)
  }
}

extension Rendered {
  /// The page of the tree; `nil` if it cannot be rendered.
  func page(in dialect: Dialect) -> Page? {
    guard let rendering = try? render() else { return nil }
    return Page(rendering, dialect: dialect)
  }
}

extension Page {
  /// Whether an element has more than 64 attributes. If the client keeps some attributes of such an
  /// element, the check for stability would take as long as the update.
  var hasLongTags: Bool {
    tree.preorder().contains { tree[$0].element?.attributes.count ?? 0 > 64 }
  }
}

extension ViewState.ComponentRendering {
  /// The page from which the component is patched: the view's page or, if that page does not show
  /// the component, a page with the component alone.
  ///
  /// - Parameters:
  ///   - page: the view's page.
  ///   - document: the document before the update.
  func page(
    shownIn page: Page, of document: Document, at place: SlotPath
  ) throws(UpdateError) -> Morph.ComponentPage {
    let streams = rendering.streams.map(StreamPatch.init)
    guard !isShown, let root = document.rootNode(ofComponent: cid) else {
      return Morph.ComponentPage(cid: cid, page: page, isOwn: false, streams: streams)
    }
    let own = document.page(of: rendering, replacing: root).page
    try FullUpdate.check(own, at: place)
    return Morph.ComponentPage(cid: cid, page: own, isOwn: true, streams: streams)
  }
}

extension Document.NamedParts {
  init(_ diff: Diff, _ touched: TouchedSlots) {
    self.init(
      components: Set(diff.components.map(\.cid)), roots: touched.roots, isComponentsAlone: diff.root.namesNothing)
  }
}

extension FragmentDiff {
  /// Whether the diff names neither slots nor statics of the fragment.
  var namesNothing: Bool {
    guard case .slots(let slots) = body else { return false }
    return slots.isEmpty && statics == nil
  }
}

extension Document {
  /// The given components that are in the document, but not inside of another given component, in
  /// ascending order.
  func outermostComponents(among cids: Set<Int>) -> [Int] {
    var above = NearestAncestors(in: self) { component(of: $0).map(cids.contains) ?? false }
    return cids.filter { cid in
      let nodes = nodes(ofComponent: cid)
      return !nodes.isEmpty && !nodes.contains { isInside($0, of: cid, &above) }
    }.sorted()
  }

  /// Whether another one of the given components is around a node of component `cid`.
  private func isInside(_ node: NodeRef, of cid: Int, _ above: inout NearestAncestors) -> Bool {
    var step = node
    while let outer = above.nearest(around: step) {
      if component(of: outer) != cid { return true }
      step = outer
    }
    return false
  }
}
