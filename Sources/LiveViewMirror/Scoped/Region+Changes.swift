internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

extension Region {
  /// Parses the rendered markup in its context, claims its ids and components, and compares it with
  /// the region's nodes. It is the only way from markup to changes in a scoped update.
  ///
  /// ``ScopedUpdate`` calls it for its regions. Lists call it for new entries, and streams for new
  /// and changed items. The region must be rendered before the call.
  ///
  /// - Parameters:
  ///   - claims: the ids and components of the parts before this one. Those of the region are
  ///     added.
  ///   - known: the slots that caused all changes; `nil` to find the slots of each change among
  ///     ``causes``.
  /// - Returns: the changes. Their positions among the children of the parent count from the start
  ///   of the region.
  /// - Throws: if the changes may depend on more of the page than the region.
  /// - Complexity: O(*nodes* · log *nodes* + *markup* + *depth*).
  func changes(
    in context: ScopedContext, claiming claims: inout Claims, causedBy known: [Int]? = nil
  ) throws(FullUpdateReason) -> PartChanges {
    let document = context.document
    let old = nodes(in: document)
    var part = PartChanges(of: location.parent, after: location.after, count: old.count)
    part.result.size.add(markup.rendering)
    if let changes = textChanges(replacing: old, in: context) {
      part.result.add(changes, causedBy: known ?? causes)
      return part
    }
    try context.spend(document.depth(of: location.parent, atMost: 1 << 16))
    guard case (let piece, var page)? = context.parse(markup, at: location) else { throw .uncontainedMarkup }
    guard document.count + piece.count <= MarkupParser.maximumNodes else { throw .tooManyNodes }
    try checkNodes(of: &page, below: piece.parent)
    let excerpt = document.excerpt(
      of: location.parent, after: location.after, before: location.before, numberingFrom: context.nextNumber)
    let streams = markup.rendering.streams.map(StreamPatch.init)
    try check(page, below: piece.parent, excerpt, streams, in: document, &claims)
    let morph = Morph.changes(
      from: excerpt, toChildrenOf: piece.parent, in: page, streams: content.operation.map { [$0] } ?? streams,
      rules: PatchRules(version: context.client))
    try morph.checkKeys()
    let parsed = ParsedRegion(page: page, parent: piece.parent, nodeNumbers: morph.nodeNumbers, parts: markup.parts)
    try parsed.check(streams)
    context.take(parsed.nodeNumbers)

    let changes = morph.changes.changes.map { $0.renamingParent(excerpt.root, to: location.parent) }
    if known == nil, causes.count > 1 {
      part.result.changes = changes
      part.result.causes = Causes.slots(
        of: changes, among: causes, touching: context.touched, streams: document.marks.streams,
        after: { Causes(of: $0, markup.rendering, parsedAs: page, showing: morph.refs, touching: context.touched) },
        before: { causesBefore(of: $0, excerpt, in: context) })
    } else {
      part.result.add(changes, causedBy: known ?? causes)
    }
    if !old.isEmpty { part.result.marked = excerpt.nodes(from: excerpt.root) }
    part.result.marks = morph.marks
    part.result.diagnostics = page.diagnostics
    // Without parts there is nothing to link.
    if !markup.parts.isEmpty { part.result.parsed = [parsed] }
    if !streams.isEmpty {
      part.result.hasStreams = true
      part.result.shown = markup.rendering.components
    }
    return part
  }

  /// The causes of changes of old nodes, such as removals. The region is rendered and parsed with
  /// the tree before the update. `nil` if the tree before the update does not have the same
  /// instances.
  private func causesBefore(of nodes: Set<NodeRef>, _ excerpt: Document, in context: ScopedContext) -> Causes? {
    let past = context.before
    guard let content = content.before(in: past),
      let markup = try? RegionWriter.markup(of: content, in: past),
      let (piece, page) = past.parse(markup, at: location)
    else { return nil }
    return Causes(
      of: nodes, markup.rendering, parsedAs: page,
      showing: Morph.refs(of: excerpt, shownAsChildrenOf: piece.parent, in: page), touching: context.touched)
  }

  // MARK: - Plain text

  /// Whether the region was empty or one text, and becomes a text without markup.
  ///
  /// - Parameter old: the region's nodes before the update.
  func becomesPlainText(replacing old: [NodeTree.Index], in document: Document) -> Bool {
    guard old.count <= 1, markup.bytes.isPlainText else { return false }
    guard let node = old.first else { return true }
    if case .text = document.tree[node] { return true }
    return false
  }

  /// The changes of a region that becomes a text without markup. The text is not parsed, which is
  /// faster, and most diffs change one text.
  ///
  /// - Returns: `nil` if the parser is needed.
  private func textChanges(replacing old: [NodeTree.Index], in context: ScopedContext) -> [Change]? {
    let (document, parent) = (context.document, location.parent)
    guard document.dialect.keepsText, becomesPlainText(replacing: old, in: document), markup.rendering.spans.isEmpty,
      markup.rendering.streams.isEmpty
    else { return nil }
    if let place = document.treeIndex(of: parent), !document.takesPlainText(place) { return nil }
    let text = String(decoding: markup.bytes, as: UTF8.self)
    guard let node = old.first else {
      if text.isEmpty { return [] }
      let new = Subtree(text, named: NodeRef(epoch: document.epoch, number: context.takeNumber()))
      return [.add(new, at: Position(parent: parent, index: 0))]
    }
    guard case .text(let before) = document.tree[node] else { return nil }
    let ref = document.ref(node)
    if text.isEmpty { return [.remove(nodes: [ref], from: Position(parent: parent, index: 0), name: .text)] }
    return text.hasSameBytes(as: before) ? [] : [.text(node: ref, parent: parent, before: before, after: text)]
  }

  // MARK: - Checks

  /// Checks that the parser made as many nodes from the markup as the content requires. Removes
  /// texts and comments around the item of a stream from the page.
  private func checkNodes(of page: inout Page, below parent: NodeTree.Index) throws(FullUpdateReason) {
    let count: Int
    switch content {
    case .between: return
    case .element, .component:
      // Text at an end would be joined with the text around the region.
      for edge in [page.tree.firstChild(of: parent), page.tree.lastChild(of: parent)] {
        guard let edge else { throw .noElement }
        if case .text = page.tree[edge] { throw .severalElements }
      }
      if case .component = content { return }
      count = 1
    case .entries(let range, _, _, _): count = range.count
    case .item:
      for child in Array(page.tree.children(of: parent)) where page.tree[child].element == nil {
        page.tree.remove(child)
      }
      count = 1
    }
    guard page.tree.childCount(of: parent) == count else { throw .severalElements }
  }

  /// Checks that the result for this region does not depend on the rest of the page.
  private func check(
    _ page: Page, below parent: NodeTree.Index, _ excerpt: Document, _ streams: [StreamPatch],
    in document: Document, _ claims: inout Claims
  ) throws(FullUpdateReason) {
    try page.checkContainment()
    if document.dialect.isPatchedByBrowser { try page.checkFields(below: parent) }
    try claims.claim(page, below: parent, components: markup.rendering.components, excerpt, in: document)
    try Self.check(streams, excerpt, in: document)
    try check(streams, page, below: parent)
    if document.hasClientRules {
      try page.checkSingleRoots()
      try excerpt.checkContainers(in: page, below: parent)
      try excerpt.checkNamespaces(in: page, below: parent)
    }
    // If the region had no nodes, no id moves.
    if excerpt.count > 1 { try excerpt.checkIDs(in: page, below: parent) }
  }

  /// Checks that all items that the streams name are in the region. A stream names an item by its
  /// id, and the item may be anywhere in the page.
  private static func check(
    _ streams: [StreamPatch], _ excerpt: Document, in document: Document
  ) throws(FullUpdateReason) {
    for stream in streams {
      // The meaning of 0 depends on the client: before LiveView 1.2 it was no limit, since then it
      // removes all items.
      if stream.inserts.contains(where: { $0.limit == 0 }) { throw .limitOfZero }
      for id in stream.deletes + stream.inserts.map(\.id) {
        guard let known = document.node(withID: id) else { continue }
        guard document.count(ofID: id) == 1, excerpt.contains(known) else { throw .itemElsewhere(id) }
      }
      if stream.reset, document.marks.streams.contains(where: { $1 == stream.ref && !excerpt.contains($0) }) {
        throw .resetElsewhere
      }
    }
  }

  /// Checks that the region has all children of the parent of a new item, and all items that the
  /// streams insert: the position of an item depends on both.
  private func check(
    _ streams: [StreamPatch], _ page: Page, below top: NodeTree.Index
  ) throws(FullUpdateReason) {
    var inserts = Set(streams.lazy.flatMap(\.inserts).map(\.id))
    if streams.contains(where: \.reset), !markup.rendering.components.isEmpty {
      for node in page.tree.preorder(from: top) where page.tree[node].element?.updateRule == .stream {
        if page.tree.children(of: node).contains(where: { page.tree[$0].element?.id.map(inserts.contains) == false }) {
          throw .resetKeepsItem
        }
      }
    }
    if inserts.isEmpty { return }
    if location.after != nil || location.before != nil,
      page.tree.children(of: top).contains(where: { page.tree[$0].element?.id.map(inserts.contains) ?? false })
    {
      throw .insertBeside
    }
    for node in page.tree.preorder(from: top) { if let id = page.tree[node].element?.id { inserts.remove(id) } }
    if !inserts.isEmpty { throw .insertWithoutMarkup }
  }
}

extension Region.Content {
  /// The same content in the tree before the update; `nil` if the instances on its path had other
  /// templates, or are new.
  ///
  /// - Parameter context: the context of that tree.
  fileprivate func before(in context: ScopedContext) -> Region.Content? {
    switch self {
    case .component, .entries, .item: return self
    case .element(let anchor, let instance):
      guard let old = context.rendered.instances(on: instance.path, in: context.templates)?.last,
        old.statics == instance.statics
      else { return nil }
      return .element(anchor: anchor, of: old)
    case .between(let left, let right, let changed, let instances):
      guard let path = instances.last?.path, let old = context.rendered.instances(on: path, in: context.templates),
        old.count == instances.count, zip(old, instances).allSatisfy({ $0.statics == $1.statics }),
        ![left, right].contains(where: \.isEntry)
          || old[changed.instance].entryCount(of: changed.slot)
            == instances[changed.instance].entryCount(of: changed.slot)
      else { return nil }
      return .between(left, right, around: changed, on: old)
    }
  }

  /// The stream operation whose item the region shows; `nil` for other content.
  fileprivate var operation: StreamPatch? { if case .item(_, _, _, let patch) = self { patch } else { nil } }
}

extension Change {
  /// A copy that names `parent` instead of the root of the excerpt.
  fileprivate func renamingParent(_ excerptRoot: NodeRef, to parent: NodeRef) -> Change {
    func position(_ position: Position) -> Position {
      position.parent == excerptRoot ? Position(parent: parent, index: position.index) : position
    }
    if case .text(let node, excerptRoot, let before, let after) = self {
      return .text(node: node, parent: parent, before: before, after: after)
    }
    return placed(left: position, reached: position)
  }
}

extension Region.Boundary {
  fileprivate var isEntry: Bool { if case .entry = position { true } else { false } }
}

extension PathInstance {
  /// The number of entries of the comprehension in a slot; `nil` if the slot does not hold one.
  fileprivate func entryCount(of slot: Int) -> Int? {
    guard slots.indices.contains(slot), case .comprehension(let list) = slots[slot] else { return nil }
    return list.entries.count
  }
}
