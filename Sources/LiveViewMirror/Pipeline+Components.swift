internal import MarkupDocument
internal import RenderedTree

/// Diffs that name components alone: LiveView's client patches each of these by itself, and nothing around them.
extension ViewState {
  /// A component that the diff names, as it is rendered by itself.
  struct ComponentRendering {
    var cid: Int
    var rendering: Rendering
    /// Whether the page shows it too. Components inside of stream items are in the document and in no page: the server has
    /// forgotten the items.
    var isShown: Bool
  }

  /// The components that the client patches, outermost alone, in ascending order.
  ///
  /// - Returns: `nil` where the diff names more than components: then the whole page is patched.
  func renderComponents(
    of diff: Diff, in merged: Rendered, marking touched: TouchedSlots, shownBy page: Rendering, at place: SlotPath
  ) throws(UpdateError) -> [ComponentRendering]? {
    guard diff.root.namesNothing else { return nil }
    let shown = page.components
    if document.dialect == .native, diff.components.allSatisfy({ shown.contains($0.cid) }) { return nil }
    // The client patches the first element of a component and nothing around it. LiveView allows nothing around it but debug
    // annotations; where there is something, or the component comes whole, the page says what it becomes.
    let isPatchable = diff.components.allSatisfy { cid, change in
      !shown.contains(cid)
        || change.statics == nil && document.rootNode(ofComponent: cid) != nil
          && merged.components[cid]?.statics.template(for: document.dialect).hasSingleRoot == true
    }
    if !isPatchable, !diff.components.isEmpty { return nil }
    // Once for all of them: making it takes as long as the diff is.
    let index = TouchedSlots.Index(touched)
    var renderings: [ComponentRendering] = []
    for cid in document.outermostComponents(among: Set(diff.components.map(\.cid))) {
      do throws(RenderError) {
        renderings.append(
          ComponentRendering(
            cid: cid, rendering: try merged.render(component: cid, marking: index), isShown: shown.contains(cid)))
      } catch {
        throw UpdateError(error, in: place)
      }
    }
    return renderings
  }

  /// How the client patches the page: components that the diff does not name are left as they are, with all in them, where
  /// their markup is one element and nothing else can have come to be in it. So are the roots of function components.
  ///
  /// - Parameter isByComponent: whether the client patches some components alone.
  func patchRules(
    for diff: Diff, in merged: Rendered, touching touched: TouchedSlots, isByComponent: Bool
  ) -> PatchRules {
    guard document.dialect == .html else { return PatchRules(version: client) }
    // A component that comes whole is found in the page, which the client does not patch then.
    guard !diff.root.namesNothing else {
      return PatchRules(version: client, skipsRoots: isByComponent, renewsRoots: true, hidesChanges: isStale)
    }
    let named = Document.Named(diff, touched)
    let unchanged = merged.components.filter { cid, component in
      !named.components.contains(cid) && component.statics.template(for: .html).hasSingleRoot
    }
    return PatchRules(
      version: client, unchanged: Set(unchanged.keys), skipsRoots: true, renewsRoots: true,
      hidesChanges: isStale || document.mayHideComponents(named))
  }

  /// What the client leaves out of the markup of the page: the content of components and function components that the diff does not
  /// name.
  func skippedContent(of diff: Diff, in merged: Rendered) -> SkippedContent? {
    guard document.dialect == .html, !diff.root.namesNothing else { return nil }
    return SkippedContent(
      components: Set(merged.components.keys).subtracting(diff.components.map(\.cid)), functionComponents: true)
  }

  /// Whether the same page, patched in once more, changes nothing. A scoped update looks away from all that a diff does not
  /// name, which is right only then.
  ///
  /// - Parameter isPartial: whether the client patched some components alone, or left some out.
  /// - Complexity: O(1) for pages that have no element whose state a client keeps, O(*nodes*) where a part was patched; else
  ///   that of another full update.
  func isSettled(
    _ merged: Rendered, after morph: Morph.Outcome, showing page: Page, hasStreams: Bool, isPartial: Bool
  ) -> Bool {
    let keepsState = document.keepsClientState(with: page) || hasStreams
    if !keepsState { return !isPartial || morph.shows(page) }
    guard morph.marks.haveSingleRoots, let page = hasStreams ? merged.page(in: document.dialect) : page,
      page.rootsAreContained, !page.protectsComponents, morph.marks.ignored.isEmpty || !page.hasLongTags
    else { return false }
    if let isSettled = morph.isSettled(showing: page, version: client) { return isSettled }
    var next = document
    next.apply(morph.changes, marks: morph.marks)
    return merged.isSettled(in: next, showing: page, client: client)
  }
}

extension Rendered {
  /// - Parameter page: what the tree renders to, if that is known.
  func isSettled(in document: Document, showing page: Page?, client: ClientVersion) -> Bool {
    guard document.marks.haveSingleRoots, let page = page ?? self.page(in: document.dialect), page.rootsAreContained,
      !page.protectsComponents, document.marks.ignored.isEmpty || !page.hasLongTags
    else { return false }
    let morph = Morph.changes(from: document, to: page, rules: PatchRules(version: client))
    return morph.changes.changes.isEmpty && !morph.keepsOtherNames && morph.marks.roots == document.marks.roots
  }

  /// What the tree renders to.
  fileprivate func page(in dialect: Dialect) -> Page? {
    guard let rendering = try? render() else { return nil }
    return Page(rendering, dialect: dialect)
  }
}

extension Page {
  /// Whether an element has very many attributes. Where the client keeps some of them, patching the page once more would cost as much
  /// as the update.
  fileprivate var hasLongTags: Bool {
    tree.preorder().contains { tree[$0].element?.attributes.count ?? 0 > 64 }
  }
}

extension ViewState.ComponentRendering {
  /// - Parameters:
  ///   - page: the view's page.
  ///   - document: what the component is patched in.
  func page(
    shownIn page: Page, of document: Document, at place: SlotPath
  ) throws(UpdateError) -> Morph.ComponentPage {
    let streams = rendering.streams.map(StreamPatch.init)
    guard !isShown, let root = document.rootNode(ofComponent: cid) else {
      return Morph.ComponentPage(cid: cid, page: page, isOwn: false, streams: streams)
    }
    let own = document.page(of: rendering, replacing: root).page
    try ViewState.check(own, at: place)
    return Morph.ComponentPage(cid: cid, page: own, isOwn: true, streams: streams)
  }
}

extension Document.Named {
  init(_ diff: Diff, _ touched: TouchedSlots) {
    self.init(
      components: Set(diff.components.map(\.cid)), roots: touched.roots, isComponentsAlone: diff.root.namesNothing)
  }
}

extension FragmentDiff {
  /// Whether it says nothing of the page's root.
  var namesNothing: Bool {
    guard case .slots(let slots) = body else { return false }
    return slots.isEmpty && statics == nil
  }
}

extension Document {
  /// Those of some components that the document shows outside of the others, ascending.
  ///
  /// - Complexity: O(*components* · *depth*), and at most O(*nodes*).
  func outermostComponents(among cids: Set<Int>) -> [Int] {
    var above = Enclosure(in: self) { component(of: $0).map(cids.contains) ?? false }
    return cids.filter { cid in
      let nodes = nodes(ofComponent: cid)
      return !nodes.isEmpty && !nodes.contains { isInside($0, of: cid, &above) }
    }.sorted()
  }

  /// Whether a component among some others is around a node of one of them; the same component around itself does not count.
  private func isInside(_ node: NodeRef, of cid: Int, _ above: inout Enclosure) -> Bool {
    var step = node
    while let outer = above.nearest(around: step) {
      if component(of: outer) != cid { return true }
      step = outer
    }
    return false
  }
}
