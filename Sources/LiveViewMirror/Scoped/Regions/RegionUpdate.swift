internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The changes of one region. Its markup is parsed in its context and compared with the region's nodes in the document.
struct RegionUpdate {
  var region: Region
  /// The region's nodes in the document before the update. They are children of the region's parent.
  let old: [NodeTree.Index]
  /// The work of parsing and comparing the region, in units of ``WorkBudget``.
  private(set) var work = 0
  /// Whether the region covers most of the page: a full update is cheaper and reports the same.
  private(set) var isMostOfPage = false
  /// Whether another region contains all nodes of this one.
  var isCovered = false
  private(set) var changes: [Change] = []
  /// The nodes whose marks are replaced by ``marks``.
  private(set) var marked: [NodeRef] = []
  private(set) var marks = Marks()
  private(set) var diagnostics: [MarkupDiagnostic] = []
  /// `nil` if the region is a text without markup: there is nothing to link.
  private(set) var parsed: ParsedRegion?
  /// For each change, the names of the slots that caused it.
  private(set) var slots: [[String]] = []

  init(_ region: Region, in document: Document) {
    self.region = region
    let (tree, location) = (document.tree, region.location)
    let end = location.before.flatMap(document.treeIndex(of:))
    var child =
      location.after.flatMap(document.treeIndex(of:)).map(tree.next)
      ?? document.treeIndex(of: location.parent).flatMap(tree.firstChild)
    var old: [NodeTree.Index] = []
    while let node = child, node != end {
      old.append(node)
      child = tree.next(of: node)
    }
    self.old = old
  }

  /// Renders the region and computes ``work`` from the size of the result.
  ///
  /// A region is rendered even if another part turns out to contain or remove it. So a tree that cannot be rendered, for example
  /// components that contain each other, always leads to a full update, which refuses the diff.
  ///
  /// - Complexity: O(*nodes* + *markup*).
  mutating func render(in context: ScopedContext) throws(NeedsFullUpdate) {
    let tree = context.document.tree
    var nodes = 0
    for top in old { for _ in tree.preorder(from: top) { nodes += 1 } }
    try context.spend(nodes)
    let start = MonotonicTime.now
    try RegionWriter.render(&region, in: context)
    context.didRender(since: start)
    let bytes = region.rendering.markup.count
    try context.spend(bytes / 16)
    let isText = isText(in: context.document) && region.rendering.markup.isPlainText
    isMostOfPage = !isText && nodes >= Self.largeRegion && nodes * 2 >= context.document.count
    // Plain text is not parsed.
    work = isText ? WorkBudget.edit : WorkBudget.region + WorkBudget.node * nodes + WorkBudget.byte * bytes
  }

  /// Whether the region has at most one node, which is a text.
  private func isText(in document: Document) -> Bool {
    guard let node = old.first else { return true }
    guard old.count == 1, case .text = document.tree[node] else { return false }
    return true
  }

  /// Finds the changes of a region that has been rendered.
  mutating func compute(in context: ScopedContext) throws(NeedsFullUpdate) {
    let document = context.document
    if computeText(in: context) {
      slots = Array(repeating: Attribution.slots(region.causes, of: context.touched), count: changes.count)
      return
    }
    let location = region.location
    try context.spend(document.depth(of: location.parent, atMost: 1 << 16))
    guard
      let (piece, page) = context.parse(region.rendering, in: location.parent, isFirst: location.after == nil)
    else {
      throw NeedsFullUpdate("the markup of the region affects the markup around it")
    }
    guard document.count + piece.count <= MarkupParser.maximumNodes else {
      throw NeedsFullUpdate("the page may have too many nodes")
    }
    if location.isElement { try checkElement(piece) }
    let excerpt = document.excerpt(
      of: location.parent, after: location.after, before: location.before, numberingFrom: context.nextNumber)
    let streams = region.rendering.streams.map(StreamPatch.init)
    try check(page, below: piece.parent, excerpt, streams, in: context)

    let morph = Morph.changes(
      from: excerpt, toChildrenOf: piece.parent, in: page, streams: streams, rules: PatchRules(version: context.client))
    try morph.checkKeys()
    changes = morph.changes.changes.map { $0.renamingParent(excerpt.root, to: location.parent) }
    marked = excerpt.nodes(from: excerpt.root)
    marks = morph.marks
    diagnostics = page.diagnostics
    let parsed = ParsedRegion(page: page, parent: piece.parent, names: morph.names, parts: region.parts)
    context.take(parsed.names)
    try parsed.check(streams)
    self.parsed = parsed
    if region.causes.count > 1 {
      let index = PageIndex(markup: region.rendering.markup, page: page, morph: morph)
      slots =
        Attribution(
          of: morph.changes, page: index, touched: context.touched, rendering: region.rendering, among: region.causes
        ).slots
    } else {
      slots = Array(repeating: Attribution.slots(region.causes, of: context.touched), count: changes.count)
    }
  }

  // MARK: - Checks

  /// Checks that the result for this region does not depend on the rest of the page.
  private func check(
    _ page: Page, below parent: NodeTree.Index, _ excerpt: Document, _ streams: [StreamPatch],
    in context: ScopedContext
  ) throws(NeedsFullUpdate) {
    let document = context.document
    try page.checkContainment()
    if document.dialect.isPatchedByBrowser { try page.checkFields(below: parent) }
    try context.claims.claim(
      page, below: parent, components: region.rendering.components, excerpt, in: document)
    try Self.check(streams, excerpt, in: document)
    try check(streams, page, below: parent)
    if document.hasClientRules {
      try page.checkSingleRoots()
      try excerpt.checkContainers(in: page, below: parent)
      try excerpt.checkNamespaces(in: page, below: parent)
    }
    try excerpt.checkIDs(in: page, below: parent)
  }

  /// Checks that all items that the streams name are in the region. A stream names an item by its id, and the item may be
  /// anywhere in the page.
  private static func check(
    _ streams: [StreamPatch], _ excerpt: Document, in document: Document
  ) throws(NeedsFullUpdate) {
    for stream in streams {
      // The meaning of 0 depends on the client: before LiveView 1.2 it was no limit, since then it removes all items.
      if stream.inserts.contains(where: { $0.limit == 0 }) { throw NeedsFullUpdate("a stream has a limit of 0") }
      for id in stream.deletes + stream.inserts.map(\.id) {
        guard let known = document.node(withID: id) else { continue }
        guard document.count(ofID: id) == 1, excerpt.contains(known) else {
          throw NeedsFullUpdate("a stream names the id \"\(id)\", which is in another part of the page")
        }
      }
      if stream.reset, document.marks.streams.contains(where: { $1 == stream.ref && !excerpt.contains($0) }) {
        throw NeedsFullUpdate("a stream that is reset has items in another part of the page")
      }
    }
  }

  /// Checks that the region has all children of the parent of a new item, and all items that the streams insert: the position of
  /// an item depends on both.
  private func check(_ streams: [StreamPatch], _ page: Page, below top: NodeTree.Index) throws(NeedsFullUpdate) {
    var inserts = Set(streams.lazy.flatMap(\.inserts).map(\.id))
    if streams.contains(where: \.reset), !region.rendering.components.isEmpty {
      for node in page.tree.preorder(from: top) where page.tree[node].element?["phx-update"] == "stream" {
        if page.tree.children(of: node).contains(where: { page.tree[$0].element?.id.map(inserts.contains) == false }) {
          throw NeedsFullUpdate("a stream that is reset shows an item that it does not insert")
        }
      }
    }
    if inserts.isEmpty { return }
    if region.location.after != nil || region.location.before != nil,
      page.tree.children(of: top).contains(where: { page.tree[$0].element?.id.map(inserts.contains) ?? false })
    {
      throw NeedsFullUpdate("a stream inserts an item beside nodes outside of its region")
    }
    for node in page.tree.preorder(from: top) { if let id = page.tree[node].element?.id { inserts.remove(id) } }
    if !inserts.isEmpty { throw NeedsFullUpdate("a stream inserts an item whose markup is not in its region") }
  }

  /// Checks that the region of an element is still one element, and that the region of a component does not begin or end with
  /// text, which the parser would join with the text around it.
  private func checkElement(_ piece: MarkupParser.Piece) throws(NeedsFullUpdate) {
    let tree = piece.tree
    var isOne = true
    if case .element = region.parts.first?.part { isOne = tree.childCount(of: piece.parent) == 1 }
    for edge in [tree.firstChild(of: piece.parent), tree.lastChild(of: piece.parent)] {
      guard let edge else { throw NeedsFullUpdate("the markup of an element or component is empty now") }
      if case .text = tree[edge] { isOne = false }
    }
    if !isOne { throw NeedsFullUpdate("the markup is no longer exactly one element or component") }
  }

  /// A region with fewer nodes is compared on its own, even if it covers most of the page.
  private static let largeRegion = 256

  /// Computes the change if the region was empty or one text, and becomes a text without markup: most diffs change one text.
  ///
  /// - Returns: whether the change was computed.
  private mutating func computeText(in context: ScopedContext) -> Bool {
    let (document, markup) = (context.document, region.rendering.markup)
    guard document.dialect.keepsText, old.count <= 1, region.rendering.spans.isEmpty, region.rendering.streams.isEmpty,
      markup.isPlainText
    else { return false }
    let parent = region.location.parent
    if let place = document.treeIndex(of: parent), !document.takesPlainText(place) { return false }
    let text = String(decoding: markup, as: UTF8.self)
    guard let node = old.first else {
      if text.isEmpty { return true }
      let new = Subtree(text, named: NodeRef(epoch: document.epoch, number: context.takeNumber()))
      changes = [.add(new, at: Position(parent: parent, index: 0))]
      return true
    }
    guard case .text(let before) = document.tree[node] else { return false }
    let ref = document.ref(node)
    if text.isEmpty {
      changes = [.remove(nodes: [ref], from: Position(parent: parent, index: 0), name: .text)]
    } else if !text.hasSameBytes(as: before) {
      changes = [.text(node: ref, parent: parent, before: before, after: text)]
    }
    return true
  }

  // MARK: - Positions

  /// The number of children that the region gains; negative if it loses children.
  var growth: Int {
    changes.reduce(0) { growth, change in
      switch change {
      case .add(_, let position): growth + (position.parent == region.location.parent ? 1 : 0)
      case .remove(_, let position, _): growth - (position.parent == region.location.parent ? 1 : 0)
      case .move(_, _, let from, let to):
        growth + (to.parent == region.location.parent ? 1 : 0) - (from.parent == region.location.parent ? 1 : 0)
      case .text, .attributes: growth
      }
    }
  }

  /// Whether a change has a position among the children of the region's parent.
  var hasPositions: Bool {
    changes.contains { change in
      switch change {
      case .text, .attributes: false
      case .add(_, let position), .remove(_, let position, _): position.parent == region.location.parent
      case .move(_, _, let from, let to): from.parent == region.location.parent || to.parent == region.location.parent
      }
    }
  }

  /// Makes positions that count from the start of the region count from the start of its parent.
  ///
  /// - Parameters:
  ///   - old: the number of children before the region, before the update.
  ///   - new: the number of children before the region, after the update.
  mutating func shift(leaving old: Int, reaching new: Int) {
    if old == 0, new == 0 { return }
    let parent = region.location.parent
    changes = changes.map { change in
      change.placed(
        left: { $0.parent == parent ? $0.shifted(by: old) : $0 },
        reached: { $0.parent == parent ? $0.shifted(by: new) : $0 })
    }
  }
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
