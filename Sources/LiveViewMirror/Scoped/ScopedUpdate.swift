internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// Computes the changes of a diff from only those parts of the page that the diff concerns.
/// ``ViewState`` calls ``compute(_:of:in:)`` after it has merged the diff into the tree.
///
/// Each edit leads to one of three kinds of parts: a start tag that is parsed again
/// (``TagUpdate``), a ``Region`` that is rendered, parsed and compared on its own, or the
/// ``Entries`` of a list or stream. Of a list or stream, only new entries and changed items are
/// parsed. Leftovers of the previous update (see ``addLeftovers(for:)``) are removed too. The tree
/// and the document are not changed here. If it is not certain that the result is the same as that
/// of a full update, a ``FullUpdateReason`` is thrown.
///
/// docs/update-process.md follows one diff through these steps.
struct ScopedUpdate {
  /// A region that was rendered, and is compared when all parts are known.
  struct PlannedRegion {
    var region: Region
    /// The region's nodes in the document before the update. They are children of the region's
    /// parent.
    let old: [NodeTree.Index]
    /// The work of parsing and comparing the region, in units of ``WorkBudget``.
    let work: Int
    /// Whether the region covers most of the page. If it does, a full update is cheaper and reports
    /// the same.
    let isMostOfPage: Bool
    /// Whether another region contains all nodes of this one.
    var isCovered = false
  }

  /// The entries of a list or stream that a diff names. Other entries are not visited.
  struct Entries {
    /// The changes. Their positions are final when all parts are known.
    let part: PartChanges
    /// The slot with the list or stream; `nil` for leftovers, which no slot names.
    let address: SlotAddress?
    /// The touched slots of the list or stream, as positions in `TouchedSlots/slots`.
    let causes: [Int]
    /// The ids and components that the entries contain.
    let claims: Claims
  }

  let context: ScopedContext
  var document: Document { context.document }
  var tags: [TagUpdate] = []
  private var tagPositions: [NodeRef: Int] = [:]
  /// Elements of which more than the attributes may change. Each of these elements is a region.
  private var wholeElements: Set<NodeRef> = []
  var regions: [PlannedRegion] = []
  private var regionPositions: [Region.Location: Int] = [:]
  var entries: [Entries] = []
  /// The streams in ``entries``.
  private var streams: Set<SlotAddress> = []

  /// The changes, and what the view needs to apply them.
  struct Result {
    var changes: [Change] = []
    /// For each change, the slots that caused it, as positions in `TouchedSlots/slots`.
    var causes: [[Int]] = []
    /// The nodes whose marks are replaced by ``marks``.
    var marked: [NodeRef] = []
    var marks = Marks()
    var parsed: [ParsedRegion] = []
    var hasStreams = false
    /// The components in the regions that have streams.
    var shown: Set<Int> = []
    /// The size of the rendered markup.
    var size = PageSize()
    var diagnostics: [MarkupDiagnostic] = []
    /// See ``ScopedContext/rendering``. Only set for the whole update.
    var rendering: Int64 = 0
    /// See ``ScopedContext/parsing``. Only set for the whole update.
    var parsing: Int64 = 0

    mutating func add(_ change: Change, causedBy slots: [Int]) {
      changes.append(change)
      causes.append(slots)
    }

    mutating func add(_ changes: [Change], causedBy slots: [Int]) {
      self.changes += changes
      causes += repeatElement(slots, count: changes.count)
    }

    mutating func add(_ other: Result) {
      changes += other.changes
      causes += other.causes
      marked += other.marked
      marks.add(other.marks)
      parsed += other.parsed
      hasStreams = hasStreams || other.hasStreams
      shown.formUnion(other.shown)
      size.add(other.size)
      diagnostics += other.diagnostics
    }
  }

  /// Finds the parts of all edits and computes their changes.
  ///
  /// - Parameters:
  ///   - merge: the merge of the diff into the tree of the context.
  ///   - diff: the diff.
  ///   - context: the merged tree, and the document before the update.
  static func compute(
    _ merge: Rendered.Merge, of diff: Diff, in context: ScopedContext
  ) throws(FullUpdateReason) -> Result {
    var update = ScopedUpdate(context: context)
    for (cid, content) in diff.components
    where content.statics == nil && !context.rendered.isPlaced(cid, in: context.document)
      && !context.document.nodes(ofComponent: cid).isEmpty
    {
      throw .unplacedComponent(cid)
    }
    for (position, edit) in merge.edits.enumerated() {
      try update.locate(edit, next: position + 1 < merge.edits.count ? merge.edits[position + 1] : nil)
    }
    try update.addLeftovers(for: diff)
    try update.joinEntries()
    try update.dropCovered()
    var result = try update.result(of: try update.computeParts())
    (result.rendering, result.parsing) = (context.rendering, context.parsing)
    try context.document.checkNeighbours(of: result.changes, renewed: update.renewed(by: result))
    return result
  }

  private init(context: ScopedContext) { self.context = context }

  /// The elements that are the root of another fragment than before; empty if no rule of the client
  /// depends on them.
  private func renewed(by result: Result) -> [NodeRef] {
    guard document.keepsStateByPlace else { return [] }
    return result.marked.filter { document.contains($0) && document.marks.roots[$0] != result.marks.roots[$0] }
  }

  // MARK: - From edits to parts

  /// Locates an edit, and adds or extends the part that it leads to.
  ///
  /// - Parameter next: the edit after this one.
  private mutating func locate(_ edit: Edit, next: Edit?) throws(FullUpdateReason) {
    try context.spend(WorkBudget.edit)
    switch edit {
    case .slot(let path, let slot, _, let cause): try locate(SlotAddress(path: path, slot: slot), [cause])
    case .entries(let path, let slot, let edit):
      let address = SlotAddress(path: path, slot: slot)
      if let cid = path.component, try !isShown(cid) { return }
      // The entries of a stream were located with its operation, which precedes them in the list of
      // edits.
      if streams.contains(address) { return }
      if try locateList(edit, at: address) { return }
      try locate(address, edit.causes)
    case .stream(let path, let slot, let cause):
      let address = SlotAddress(path: path, slot: slot)
      if let cid = path.component, try !isShown(cid) {
        throw .hiddenStream
      }
      // If the operation has new entries, they are the next edit.
      var entries: EntriesEdit?
      if case .entries(path, slot, let edit) = next { entries = edit }
      if try locateStream(at: address, cause, entries) { return }
      try locate(address, cause.map { [$0] } ?? [])
    case .component(let cid, let old, let cause):
      guard let site = old?.site else {
        if document.nodes(ofComponent: cid).isEmpty { return }
        throw .unplacedComponent(cid)
      }
      try add(try RegionFinder(context: context).region(ofComponent: cid, at: site, causes: [cause]))
    }
  }

  /// Locates a slot whose whole content may have changed.
  mutating func locate(_ address: SlotAddress, _ causes: [Int]) throws(FullUpdateReason) {
    if let cid = address.path.component, try !isShown(cid) { return }
    guard let instances = try instances(on: address.path) else { throw .unlinked }
    let (position, slot) = try RegionFinder.linked(address.slot, on: instances)
    let instance = instances[position]
    if let template = instance.template, let site = instance.site, case .tag(let anchor) = template.positions[slot],
      template.outermost(of: site, around: anchor) == nil
    {
      let node = try context.node(site[anchor])
      try context.checkClientRules(around: node)
      if let known = tagPositions[node] {
        tags[known].causes += causes
        return
      }
      if !wholeElements.contains(node) {
        let start = MonotonicTime.now
        if let tag = TagUpdate(of: anchor, at: node, instance, in: document, causes: causes) {
          context.didParse(since: start)
          try context.spend(WorkBudget.edit + WorkBudget.byte * tag.size)
          tagPositions[node] = tags.count
          tags.append(tag)
          return
        }
        wholeElements.insert(node)
      }
    }
    try add(
      try RegionFinder(context: context).region(of: slot, on: Array(instances[...position]), causes: causes))
  }

  /// Locates a list whose entries were added, removed or moved.
  ///
  /// - Returns: whether the changes can be computed entry by entry. If not, a region is needed.
  private mutating func locateList(_ edit: EntriesEdit, at address: SlotAddress) throws(FullUpdateReason) -> Bool {
    guard let instances = try instances(on: address.path), let instance = instances.last,
      let template = instance.template, let site = instance.site, instances.allSatisfy({ $0.template != nil }),
      case .gap(let gap) = template.positions[address.slot],
      template.outermost(of: site, around: template.gaps[gap].parent) == nil
    else { return false }
    let firstNumber = context.nextNumber
    return try add(try Entries(listAt: address, edit, of: instance, in: context), numberingFrom: firstNumber)
  }

  /// Locates a stream operation.
  ///
  /// - Returns: whether the changes can be computed item by item. If not, a region is needed.
  private mutating func locateStream(
    at address: SlotAddress, _ cause: Int?, _ edit: EntriesEdit?
  ) throws(FullUpdateReason) -> Bool {
    guard let instances = try instances(on: address.path), let instance = instances.last,
      instances.allSatisfy({ $0.template != nil })
    else { return false }
    let firstNumber = context.nextNumber
    let stream = try Entries(streamAt: address, edit, cause, of: instance, in: context)
    let isAdded = try add(stream, numberingFrom: firstNumber)
    if isAdded { streams.insert(address) }
    return isAdded
  }

  /// Adds a list or stream, unless it is `nil` or another part claims the same ids or components.
  ///
  /// - Parameter firstNumber: the number of the first new node of the part.
  /// - Returns: whether the part was added.
  private mutating func add(
    _ new: Entries?, numberingFrom firstNumber: Int
  ) throws(FullUpdateReason) -> Bool {
    guard let new, context.claims.isDisjoint(with: new.claims) else {
      context.restore(nextNumber: firstNumber)
      return false
    }
    try context.checkClientRules(amongChildrenOf: new.part.parent)
    entries.append(new)
    context.claims.add(new.claims)
    return true
  }

  /// Adds a region. The region is rendered at once, even if later another part turns out to contain
  /// or remove it. Therefore a tree that cannot be rendered, for example because components contain
  /// each other, always leads to a full update, which refuses the diff.
  private mutating func add(_ region: Region) throws(FullUpdateReason) {
    try context.checkClientRules(amongChildrenOf: region.location.parent)
    if let known = regionPositions[region.location] {
      regions[known].region.causes += region.causes
    } else {
      regionPositions[region.location] = regions.count
      regions.append(try PlannedRegion(region, in: context))
    }
  }

  private func instances(on path: InstancePath) throws(FullUpdateReason) -> [PathInstance]? {
    try context.spend(WorkBudget.instance * path.count)
    return context.rendered.instances(on: path, in: context.templates)
  }

  /// Whether the page shows a component. A change of a component that is not shown has no effect on
  /// the document.
  ///
  /// - Throws: if the page may show the component, but its position is not known.
  private func isShown(_ cid: Int) throws(FullUpdateReason) -> Bool {
    if context.rendered.isPlaced(cid, in: document) { return true }
    if context.rendered.components[cid]?.site == nil { return false }
    throw .unplacedComponent(cid)
  }

  // MARK: - From regions to changes

  /// Computes the changes of all regions.
  ///
  /// - Returns: the changes of all parts: first tags, then regions, then lists and streams.
  private mutating func computeParts() throws(FullUpdateReason) -> [PartChanges] {
    // The work for all regions is spent before the first one is parsed. If the budget is too small,
    // only the cheaper work of finding and rendering the regions was in vain.
    for region in regions {
      if region.isMostOfPage { throw .largeRegion }
      try context.spend(region.work)
    }
    var parts: [PartChanges] = []
    parts.reserveCapacity(tags.count + regions.count + entries.count)
    for tag in tags { parts.append(PartChanges(tag, of: context.touched)) }
    for planned in regions {
      var region = planned.region
      if region.causes.count > 1 { region.causes = Array(Set(region.causes)).sorted() }
      parts.append(try region.changes(in: context, claiming: &context.claims))
    }
    guard context.nextNumber - document.nextNumber + document.count <= MarkupParser.maximumNodes else {
      throw .tooManyNodes
    }
    for list in entries { parts.append(list.part) }
    return parts
  }
}

extension ScopedUpdate.PlannedRegion {
  /// Renders a region, and estimates the work of parsing and comparing it.
  ///
  /// - Complexity: O(*nodes* + *markup*).
  fileprivate init(_ region: Region, in context: ScopedContext) throws(FullUpdateReason) {
    let document = context.document
    var region = region
    old = region.nodes(in: document)
    var nodes = 0
    for top in old { for _ in document.tree.preorder(from: top) { nodes += 1 } }
    try context.spend(nodes)
    region.markup = try context.render(region.content)
    let bytes = region.markup.bytes.count
    try context.spend(bytes / 16)
    let isText = region.becomesPlainText(replacing: old, in: document)
    isMostOfPage = !isText && nodes >= Self.largeRegion && nodes * 2 >= document.count
    // Plain text is not parsed.
    work = isText ? WorkBudget.edit : WorkBudget.region + WorkBudget.node * nodes + WorkBudget.byte * bytes
    self.region = region
  }

  /// The minimum number of nodes of a region that counts as most of the page. A smaller region is
  /// compared on its own.
  private static let largeRegion = 256
}

extension PartChanges {
  /// The changes of one start tag.
  fileprivate init(_ tag: TagUpdate, of touched: TouchedSlots) {
    self.init(of: tag.node)
    result.add(tag.changes, causedBy: tag.causesOfChange(in: touched))
    result.size.add(markup: tag.size)
    result.diagnostics = tag.diagnostics
  }
}
