internal import MarkupDocument
internal import RenderedTree

/// What an update changes, found from the places that it names and nothing else.
///
/// Every edit of the merged tree leads to an element whose tag is read again or to a ``Region`` that is rendered, parsed
/// and compared by itself. Nothing is changed here; where it is not certain that the result is that of the full path, it
/// throws, and the full path is taken.
struct ScopedUpdate {
  /// The attributes of one element.
  struct Tag {
    var node: NodeRef
    var update: TagUpdate
    var causes: [Int]
  }

  struct List {
    var update: any ListPart
    /// The edit that it is of.
    var path: InstancePath
    var slot: Int
    var brought: Arrivals
    var isCovered = false
  }

  let touched: TouchedSlots
  private let finder: RegionFinder
  private var rendered: Rendered { finder.rendered }
  var document: Document { finder.document }
  var budget: WorkBudget { finder.budget }
  var tags: [Tag] = []
  private var tagPositions: [NodeRef: Int] = [:]
  /// Elements whose tag does not tell all: each is a region.
  private var wholeElements: Set<NodeRef> = []
  var regions: [RegionUpdate] = []
  private var positions: [Region.Key: Int] = [:]
  var lists: [List] = []
  var arrivals = Arrivals()
  /// The streams that are told by the items that they name.
  private var streams: Set<RegionFinder.SlotPlace> = []
  /// Nodes that ``Document/checkClientRules(around:_:)`` has already accepted, with their ancestors.
  private var passed: Set<NodeRef> = []
  private var nextNumber: Int

  private init(_ merge: Rendered.Merge, in rendered: Rendered, _ document: Document, _ budget: WorkBudget) {
    touched = merge.touched
    nextNumber = document.nextNumber
    // What a single edit causes needs no finding out.
    finder = RegionFinder(
      rendered: rendered, document: document,
      touched: merge.edits.count > 1 ? TouchedSlots.Index(merge.touched) : .none,
      moved: merge.edits.count > 1 ? rendered.slotsOfMoves(in: merge.edits) : [], budget: budget)
  }

  /// The changes, with all that the view needs to carry them out.
  struct Result {
    var changes: [Change] = []
    /// For every change, the places of the diff that caused it.
    var slots: [[String]] = []
    /// The nodes whose marks are made anew, with the marks.
    var marked: [NodeRef] = []
    var marks = Marks()
    var links: [Linkage] = []
    var hasStreams = false
    /// The components that were rendered.
    var shown: Set<Int> = []
    /// What was rendered.
    var size = PageSize()
    var diagnostics: [MarkupDiagnostic] = []
  }

  /// - Parameters:
  ///   - merge: what was done to the tree that `rendered` is now.
  ///   - budget: what the update may take.
  static func compute(
    _ merge: Rendered.Merge, of diff: Diff, in rendered: Rendered, _ document: Document, within budget: WorkBudget
  ) throws(FullPath) -> Result {
    // Where most of a page is named, it is less work to look at it once as a whole.
    if merge.edits.count > 64, merge.edits.count * 4 > document.count {
      throw FullPath("the diff names a large part of the page")
    }
    var update = ScopedUpdate(merge, in: rendered, document, budget)
    for (cid, content) in diff.components
    where content.statics == nil && !rendered.isPlaced(cid, in: document)
      && !document.nodes(ofComponent: cid).isEmpty
    {
      throw FullPath("component \(cid) stands among what only the document keeps")
    }
    for (position, edit) in merge.edits.enumerated() {
      try update.locate(edit, next: position + 1 < merge.edits.count ? merge.edits[position + 1] : nil)
    }
    try update.joinLists()
    try update.dropCovered()
    try update.compute()
    let order = try update.place()
    try update.document.checkNeighbours(
      of: update.regions.flatMap(\.changes) + update.lists.flatMap(\.update.changes), renewed: update.renewed())
    return update.result(in: order)
  }

  /// The elements that another fragment than before has for its root; empty where nothing depends on it.
  private func renewed() -> [NodeRef] {
    guard document.keepsStateByPlace else { return [] }
    return regions.flatMap { region in
      region.marked.filter { document.contains($0) && document.marks.roots[$0] != region.marks.roots[$0] }
    }
  }

  // MARK: - From edits to places

  /// - Parameter next: the edit after it.
  private mutating func locate(_ edit: Edit, next: Edit?) throws(FullPath) {
    try budget.spend(WorkBudget.edit)
    switch edit {
    case .slot(let path, let slot, _, let cause): try locate(slot, of: path, [cause])
    case .entries(let path, let slot, let edit):
      if let cid = path.component, try !isShown(cid) { return }
      // What a stream brings was looked at with its operation, which comes first.
      if streams.contains(.init(path: path, slot: slot)) { return }
      if try locate(edit, in: slot, of: path) { return }
      try locate(slot, of: path, edit.causes)
    case .stream(let path, let slot, let cause):
      if let cid = path.component, try !isShown(cid) { throw FullPath("a stream changed that no page shows") }
      if try locateStream(in: slot, of: path, cause, next: next) { return }
      try locate(slot, of: path, cause.map { [$0] } ?? [])
    case .component(let cid, let old, let cause):
      guard let site = old?.site else {
        if document.nodes(ofComponent: cid).isEmpty { return }
        throw FullPath("component \(cid) stands among what only the document keeps")
      }
      try add(try finder.region(ofComponent: cid, at: site, causes: [cause]))
    }
  }

  mutating func locate(_ slot: Int, of path: InstancePath, _ causes: [Int]) throws(FullPath) {
    if let cid = path.component, try !isShown(cid) { return }
    try budget.spend(WorkBudget.level * path.count)
    guard let levels = rendered.levels(to: path) else { throw RegionFinder.unlinked }
    let (number, inner) = try finder.linked(slot, in: levels)
    let level = levels[number]
    if let template = level.template, let site = level.site, case .tag(let anchor) = template.positions[inner],
      finder.outermostOpaque(anchor, template, site) == nil
    {
      let node = try finder.node(site.nodes[anchor])
      try document.checkClientRules(around: node, &passed)
      if let known = tagPositions[node] {
        tags[known].causes += causes
        return
      }
      if !wholeElements.contains(node) {
        if let update = TagUpdate(of: anchor, at: node, level, in: document) {
          try budget.spend(WorkBudget.edit + WorkBudget.byte * update.size)
          tagPositions[node] = tags.count
          tags.append(Tag(node: node, update: update, causes: causes))
          return
        }
        wholeElements.insert(node)
      }
    }
    try add(try finder.region(of: inner, in: Array(levels[...number]), causes: causes))
  }

  /// Whether a list could be told by its entries alone.
  private mutating func locate(
    _ edit: EntriesEdit, in slot: Int, of path: InstancePath
  ) throws(FullPath) -> Bool {
    try budget.spend(WorkBudget.level * path.count)
    guard let levels = rendered.levels(to: path), let level = levels.last, let template = level.template,
      let site = level.site, levels.allSatisfy({ $0.template != nil }), case .gap(let gap) = template.positions[slot],
      finder.outermostOpaque(template.gaps[gap].parent, template, site) == nil
    else { return false }
    var brought = Arrivals()
    guard
      let list = try ListUpdate(
        edit, in: slot, of: levels, finder: finder, causedBy: touched,
        numberingFrom: nextNumber, &brought), arrivals.isDisjoint(with: brought)
    else { return false }
    try document.checkClientRules(amongChildrenOf: list.parent, &passed)
    nextNumber = list.nextNumber
    lists.append(List(update: list, path: path, slot: slot, brought: brought))
    arrivals.add(brought)
    return true
  }

  /// Whether a stream could be told by the items that it names.
  private mutating func locateStream(
    in slot: Int, of path: InstancePath, _ cause: Int?, next: Edit?
  ) throws(FullPath) -> Bool {
    try budget.spend(WorkBudget.level * path.count)
    guard let levels = rendered.levels(to: path), levels.allSatisfy({ $0.template != nil }) else { return false }
    var brought = Arrivals()
    // The entries that it brings stand in the edit that follows.
    var entries: EntriesEdit?
    if case .entries(let other, slot, let edit) = next, other == path { entries = edit }
    guard
      let update = try StreamUpdate(
        in: slot, of: levels, finder: finder, cause: cause, entries: entries, causedBy: touched,
        numberingFrom: nextNumber, &brought), arrivals.isDisjoint(with: brought)
    else { return false }
    try document.checkClientRules(amongChildrenOf: update.parent, &passed)
    nextNumber = update.nextNumber
    lists.append(List(update: update, path: path, slot: slot, brought: brought))
    streams.insert(.init(path: path, slot: slot))
    arrivals.add(brought)
    return true
  }

  /// Whether a component has a place in the document. One that no page shows changes nothing.
  private func isShown(_ cid: Int) throws(FullPath) -> Bool {
    if rendered.isPlaced(cid, in: document) { return true }
    if rendered.components[cid]?.site == nil { return false }
    throw FullPath("component \(cid) stands where its place is not known")
  }

  private mutating func add(_ region: Region) throws(FullPath) {
    try document.checkClientRules(amongChildrenOf: region.key.parent, &passed)
    if let known = positions[region.key] {
      regions[known].region.causes += region.causes
    } else {
      positions[region.key] = regions.count
      regions.append(RegionUpdate(region, in: document))
      try regions[regions.count - 1].render(with: finder)
    }
  }

  // MARK: - Changes

  private mutating func compute() throws(FullPath) {
    // For all of them first: finding and rendering was the smaller part of the work.
    for region in regions {
      if region.isMostOfPage {
        throw FullPath("the change stands in something that is most of the page, and that is looked at as a whole")
      }
      try budget.spend(region.work)
    }
    for position in regions.indices {
      if regions[position].region.causes.count > 1 {
        regions[position].region.causes = Array(Set(regions[position].region.causes)).sorted()
      }
      try regions[position].compute(with: finder, numberingFrom: nextNumber, causedBy: touched, &arrivals)
      nextNumber = regions[position].nextNumber
    }
    guard nextNumber - document.nextNumber + document.count <= MarkupParser.maximumNodes else {
      throw FullPath("the page is very large")
    }
  }
}

extension Rendered {
  /// Whether a component is shown, and it is known where.
  func isPlaced(_ cid: Int, in document: Document) -> Bool {
    guard let root = components[cid]?.site?.edge(.left) else { return false }
    return document.contains(NodeRef(epoch: document.epoch, number: root))
  }

  /// The slots whose content may have come from another place of the page.
  fileprivate func slotsOfMoves(in edits: [Edit]) -> Set<RegionFinder.SlotPlace> {
    var places: Set<RegionFinder.SlotPlace> = []
    for edit in edits {
      switch edit {
      case .slot(let path, let slot, _, _):
        if !components.isEmpty { places.insert(.init(path: path, slot: slot)) }
      case .entries(let path, let slot, _): places.insert(.init(path: path, slot: slot))
      case .stream, .component: continue
      }
    }
    return places
  }
}
