internal import MarkupDocument
internal import RenderedTree

/// What one region's markup changes in the document: the region is parsed where it stands, and compared with the nodes
/// that stand there now.
struct RegionUpdate {
  var region: Region
  /// The children of the parent that stand in the region now.
  let old: [NodeTree.Index]
  /// What parsing and comparing it takes of the ``WorkBudget``.
  private(set) var work = 0
  /// Whether the region covers most of the page: a full update is cheaper and reports the same.
  private(set) var isMostOfPage = false
  /// Whether another region looks at all of it.
  var covered = false
  private(set) var changes: [Change] = []
  /// The nodes whose marks are made anew, with the marks.
  private(set) var marked: [NodeRef] = []
  private(set) var marks = Marks()
  private(set) var diagnostics: [MarkupDiagnostic] = []
  /// `nil` where it is text, and nothing has to be found in it.
  private(set) var link: Linkage?
  /// For every change, the places of the diff that caused it.
  private(set) var slots: [[String]] = []
  private(set) var nextNumber: Int

  init(_ region: Region, in document: Document) {
    self.region = region
    nextNumber = document.nextNumber
    let (tree, key) = (document.tree, region.key)
    let end = key.before.flatMap(document.place(of:))
    var child =
      key.after.flatMap(document.place(of:)).map(tree.next)
      ?? document.place(of: key.parent).flatMap(tree.firstChild)
    var old: [NodeTree.Index] = []
    while let node = child, node != end {
      old.append(node)
      child = tree.next(of: node)
    }
    self.old = old
  }

  /// Renders the region, which tells the work that it takes to parse and compare it.
  ///
  /// A region is rendered even if it turns out to be a part of another one, or to be removed: what cannot be rendered, such as
  /// components that contain each other, is for the full path to refuse.
  ///
  /// - Complexity: O(*nodes* + *markup*).
  mutating func render(with finder: RegionFinder) throws(FullPath) {
    let tree = finder.document.tree
    var nodes = 0
    for top in old { for _ in tree.preorder(from: top) { nodes += 1 } }
    try finder.budget.spend(nodes)
    try finder.render(&region)
    let bytes = region.rendering.markup.count
    try finder.budget.spend(bytes / 16)
    let isText = isText(in: finder.document) && region.rendering.markup.isPlainText
    isMostOfPage = !isText && nodes >= Self.largeRegion && nodes * 2 >= finder.document.count
    // Plain text is copied, and not parsed.
    work = isText ? WorkBudget.edit : WorkBudget.region + WorkBudget.node * nodes + WorkBudget.byte * bytes
  }

  /// Whether nothing but a text is where the region is.
  private func isText(in document: Document) -> Bool {
    guard let node = old.first else { return true }
    guard old.count == 1, case .text = document.tree[node] else { return false }
    return true
  }

  /// Finds the changes of a region that has been rendered.
  ///
  /// - Parameters:
  ///   - finder: holds the document, and counts the work.
  ///   - number: the name for the first new node.
  ///   - arrivals: what other regions of the update have brought already.
  mutating func compute(
    with finder: RegionFinder, numberingFrom number: Int, causedBy touched: TouchedSlots, _ arrivals: inout Arrivals
  ) throws(FullPath) {
    let document = finder.document
    nextNumber = number
    if computeText(in: document) {
      slots = Array(repeating: Attribution.slots(region.causes, of: touched), count: changes.count)
      return
    }
    let key = region.key
    try finder.budget.spend(document.depth(of: key.parent, atMost: 1 << 16))
    let piece = document.piece(region.rendering.markup, in: key.parent, isFirst: key.after == nil)
    guard piece.isContained else {
      throw FullPath("the markup does not end where it begins: what stands around it decides what it means")
    }
    guard document.count + piece.count <= MarkupParser.maximumNodes else { throw FullPath("the page is very large") }
    if region.isElement { try checkElement(piece) }
    let page = Page(piece, dialect: document.dialect, sources: Page.Sources(region.rendering))
    try page.checkContainment()
    let excerpt = document.excerpt(
      of: key.parent, after: key.after, before: key.before, numberingFrom: number)
    try arrivals.check(
      page, below: piece.parent, components: region.rendering.components, excerpt, in: document)

    let streams = region.rendering.streams.map(StreamPatch.init)
    try Self.check(streams, excerpt, in: document)
    try check(streams, page, below: piece.parent)
    if document.hasClientRules {
      try page.checkSingleRoots()
      try excerpt.checkContainers(in: page, below: piece.parent)
      try excerpt.checkNamespaces(in: page, below: piece.parent)
    }
    if document.isPatchedByKey { try excerpt.checkDepths(in: page, below: piece.parent) }
    try excerpt.checkIDs(in: page, below: piece.parent)
    let morph = Morph.changes(from: excerpt, toChildrenOf: piece.parent, in: page, streams: streams)
    changes = morph.changes.changes.map { $0.moved(from: excerpt.root, to: key.parent) }
    marked = excerpt.nodes(from: excerpt.root)
    marks = morph.marks
    diagnostics = page.diagnostics
    let names = morph.names
    nextNumber = names.nextNumber(from: nextNumber)
    let link = Linkage(page: page, parent: piece.parent, names: names, units: region.units)
    try link.checkLimits(of: streams)
    self.link = link
    if region.causes.count > 1 {
      let index = PageIndex(markup: region.rendering.markup, page: page, morph: morph)
      slots =
        Attribution(
          of: morph.changes, page: index, touched: touched, rendering: region.rendering, among: region.causes
        ).slots
    } else {
      slots = Array(repeating: Attribution.slots(region.causes, of: touched), count: changes.count)
    }
  }

  /// Streams name their items by id, wherever those stand: all must be in the region.
  private static func check(
    _ streams: [StreamPatch], _ excerpt: Document, in document: Document
  ) throws(FullPath) {
    for stream in streams {
      // Before LiveView 1.2 it was no limit.
      if stream.inserts.contains(where: { $0.limit == 0 }) { throw FullPath("a stream has a limit of 0") }
      for id in stream.deletes + stream.inserts.map(\.id) {
        guard let known = document.node(withID: id) else { continue }
        guard document.count(ofID: id) == 1, excerpt.contains(known) else {
          throw FullPath("a stream names \"\(id)\", which stands in another part of the page")
        }
      }
      if stream.reset, document.marks.streams.contains(where: { $1 == stream.ref && !excerpt.contains($0) }) {
        throw FullPath("a stream that starts anew has items in another part of the page")
      }
    }
  }

  /// Where an item is put depends on all children of its parent, and on what any stream of the diff inserts: those must be
  /// in the region.
  private func check(_ streams: [StreamPatch], _ page: Page, below top: NodeTree.Index) throws(FullPath) {
    var inserts = Set(streams.lazy.flatMap(\.inserts).map(\.id))
    if inserts.isEmpty { return }
    if region.key.after != nil || region.key.before != nil,
      page.tree.children(of: top).contains(where: { page.tree[$0].element?.id.map(inserts.contains) ?? false })
    {
      throw FullPath("an item of a stream has neighbours that no stream has put there")
    }
    for node in page.tree.preorder(from: top) { if let id = page.tree[node].element?.id { inserts.remove(id) } }
    if !inserts.isEmpty { throw FullPath("a stream inserts an item that it does not bring") }
  }

  /// An element must become one, and a component must end with nodes that no text around runs together with.
  private func checkElement(_ piece: MarkupParser.Piece) throws(FullPath) {
    let tree = piece.tree
    var isOne = true
    if case .element = region.units.first?.unit { isOne = tree.childCount(of: piece.parent) == 1 }
    for edge in [tree.firstChild(of: piece.parent), tree.lastChild(of: piece.parent)] {
      guard let edge else { throw FullPath("an element is gone") }
      if case .text = tree[edge] { isOne = false }
    }
    if !isOne { throw FullPath("an element is more than one now") }
  }

  /// Regions up to so many nodes are looked at by themselves, whatever share of the page they are.
  private static let largeRegion = 256

  /// Text that says what it means, where text or nothing was: most diffs change one.
  private mutating func computeText(in document: Document) -> Bool {
    let markup = region.rendering.markup
    guard document.dialect == .html, old.count <= 1, region.rendering.spans.isEmpty, region.rendering.streams.isEmpty,
      markup.isPlainText
    else { return false }
    if let parent = document.place(of: region.key.parent), !document.takesPlainText(parent) { return false }
    let (parent, text) = (region.key.parent, String(decoding: markup, as: UTF8.self))
    guard let node = old.first else {
      if text.isEmpty { return true }
      let new = Subtree(text, named: NodeRef(epoch: document.epoch, number: nextNumber))
      nextNumber += 1
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

  // MARK: - Places

  /// How many children the region has more than before.
  var growth: Int {
    changes.reduce(0) { growth, change in
      switch change {
      case .add(_, let position): growth + (position.parent == region.key.parent ? 1 : 0)
      case .remove(_, let position, _): growth - (position.parent == region.key.parent ? 1 : 0)
      case .move(_, _, let from, let to):
        growth + (to.parent == region.key.parent ? 1 : 0) - (from.parent == region.key.parent ? 1 : 0)
      case .text, .attributes: growth
      }
    }
  }

  /// Whether any change counts the children of the region's parent.
  var hasPlaces: Bool {
    changes.contains { change in
      switch change {
      case .text, .attributes: false
      case .add(_, let position), .remove(_, let position, _): position.parent == region.key.parent
      case .move(_, _, let from, let to): from.parent == region.key.parent || to.parent == region.key.parent
      }
    }
  }

  /// Indexes were counted from the region's beginning; now from that of the parent.
  mutating func shift(leaving old: Int, reaching new: Int) {
    if old == 0, new == 0 { return }
    let parent = region.key.parent
    changes = changes.map { change in
      change.placed(
        left: { $0.parent == parent ? $0.shifted(by: old) : $0 },
        reached: { $0.parent == parent ? $0.shifted(by: new) : $0 })
    }
  }
}

extension Change {
  /// The change with another name for one parent.
  fileprivate func moved(from stand: NodeRef, to parent: NodeRef) -> Change {
    func position(_ position: Position) -> Position {
      position.parent == stand ? Position(parent: parent, index: position.index) : position
    }
    if case .text(let node, stand, let before, let after) = self {
      return .text(node: node, parent: parent, before: before, after: after)
    }
    return placed(left: position, reached: position)
  }
}
