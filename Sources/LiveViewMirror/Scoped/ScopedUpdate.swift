internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// Computes the changes of a diff from only those parts of the page that the diff concerns.
///
/// Each edit leads to one of three kinds of parts: a start tag that is parsed again (``TagUpdate``), the children of an element
/// (``ChildrenUpdate``), or a ``Region`` that is rendered, parsed and compared on its own. The tree and the document are not
/// changed here. If it is not certain that the result is the same as that of a full update, ``NeedsFullUpdate`` is thrown.
///
/// docs/update-process.md follows one diff through these steps.
struct ScopedUpdate {
  /// The attributes of one element.
  struct Tag {
    let node: NodeRef
    let update: TagUpdate
    var causes: [Int]
  }

  /// The children of one element.
  struct Children {
    var update: any ChildrenUpdate
    /// The slot with the list or stream.
    let address: SlotAddress
  }

  let context: ScopedContext
  var document: Document { context.document }
  var tags: [Tag] = []
  private var tagPositions: [NodeRef: Int] = [:]
  /// Elements of which more than the attributes may change. Each of these elements is a region.
  private var wholeElements: Set<NodeRef> = []
  var regions: [RegionUpdate] = []
  private var regionPositions: [Region.Location: Int] = [:]
  var children: [Children] = []
  /// The streams in ``children``.
  private var streams: Set<SlotAddress> = []

  /// The changes, and what the view needs to apply them.
  struct Result {
    var changes: [Change] = []
    /// For each change, the names of the slots that caused it.
    var slots: [[String]] = []
    /// The nodes whose marks are replaced by ``marks``.
    var marked: [NodeRef] = []
    var marks = Marks()
    var parsed: [ParsedRegion] = []
    var hasStreams = false
    /// The components in the regions that have streams.
    var shown: Set<Int> = []
    /// The size of the rendered markup.
    var size = PageSize()
    /// See ``ScopedContext/rendering``.
    var rendering: Int64 = 0
    /// See ``ScopedContext/parsing``.
    var parsing: Int64 = 0
    var diagnostics: [MarkupDiagnostic] = []
  }

  /// Finds the parts of all edits and computes their changes.
  ///
  /// - Parameters:
  ///   - merge: the merge of the diff into the tree of the context.
  ///   - diff: the diff.
  ///   - context: the view before the update.
  static func compute(
    _ merge: Rendered.Merge, of diff: Diff, in context: ScopedContext
  ) throws(NeedsFullUpdate) -> Result {
    // For a diff that names a large part of the page, a full update takes less work.
    if merge.edits.count > 64, merge.edits.count * 4 > context.document.count {
      throw NeedsFullUpdate("the diff names a large part of the page")
    }
    var update = ScopedUpdate(context: context)
    for (cid, content) in diff.components
    where content.statics == nil && !context.rendered.isPlaced(cid, in: context.document)
      && !context.document.nodes(ofComponent: cid).isEmpty
    {
      throw NeedsFullUpdate("the position of component \(cid) is not known")
    }
    for (position, edit) in merge.edits.enumerated() {
      try update.locate(edit, next: position + 1 < merge.edits.count ? merge.edits[position + 1] : nil)
    }
    try update.joinChildren()
    try update.dropCovered()
    try update.computeRegions()
    let order = try update.order()
    try context.document.checkNeighbours(
      of: update.regions.flatMap(\.changes) + update.children.flatMap(\.update.changes), renewed: update.renewed())
    return update.result(in: order)
  }

  private init(context: ScopedContext) { self.context = context }

  /// The elements that are the root of another fragment than before; empty if no rule of the client depends on them.
  private func renewed() -> [NodeRef] {
    guard document.keepsStateByPlace else { return [] }
    return regions.flatMap { region in
      region.marked.filter { document.contains($0) && document.marks.roots[$0] != region.marks.roots[$0] }
    }
  }

  // MARK: - From edits to parts

  /// Locates an edit, and adds or extends the part that it leads to.
  ///
  /// - Parameter next: the edit after this one.
  private mutating func locate(_ edit: Edit, next: Edit?) throws(NeedsFullUpdate) {
    try context.spend(WorkBudget.edit)
    switch edit {
    case .slot(let path, let slot, _, let cause): try locate(SlotAddress(path: path, slot: slot), [cause])
    case .entries(let path, let slot, let edit):
      let address = SlotAddress(path: path, slot: slot)
      if let cid = path.component, try !isShown(cid) { return }
      // The entries of a stream were located with its operation, which precedes them in the list of edits.
      if streams.contains(address) { return }
      if try locateList(edit, at: address) { return }
      try locate(address, edit.causes)
    case .stream(let path, let slot, let cause):
      let address = SlotAddress(path: path, slot: slot)
      if let cid = path.component, try !isShown(cid) {
        throw NeedsFullUpdate("a stream changed in a component that the page does not show")
      }
      // If the operation has new entries, they are the next edit.
      var entries: EntriesEdit?
      if case .entries(path, slot, let edit) = next { entries = edit }
      if try locateStream(at: address, cause, entries) { return }
      try locate(address, cause.map { [$0] } ?? [])
    case .component(let cid, let old, let cause):
      guard let site = old?.site else {
        if document.nodes(ofComponent: cid).isEmpty { return }
        throw NeedsFullUpdate("the position of component \(cid) is not known")
      }
      try add(try RegionFinder(context: context).region(ofComponent: cid, at: site, causes: [cause]))
    }
  }

  /// Locates a slot whose whole content may have changed.
  mutating func locate(_ address: SlotAddress, _ causes: [Int]) throws(NeedsFullUpdate) {
    if let cid = address.path.component, try !isShown(cid) { return }
    guard let instances = try instances(on: address.path) else { throw RegionFinder.unlinked }
    let (position, slot) = try RegionFinder.linked(address.slot, on: instances)
    let instance = instances[position]
    if let template = instance.template, let site = instance.site, case .tag(let anchor) = template.positions[slot],
      template.outermost(site.opaque, around: anchor) == nil
    {
      let node = try context.node(site.nodes[anchor])
      try context.checkClientRules(around: node)
      if let known = tagPositions[node] {
        tags[known].causes += causes
        return
      }
      if !wholeElements.contains(node) {
        let start = MonotonicTime.now
        if let update = TagUpdate(of: anchor, at: node, instance, in: document) {
          context.didParse(since: start)
          try context.spend(WorkBudget.edit + WorkBudget.byte * update.size)
          tagPositions[node] = tags.count
          tags.append(Tag(node: node, update: update, causes: causes))
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
  /// - Returns: whether a ``ListUpdate`` can compute the changes. If not, a region is needed.
  private mutating func locateList(_ edit: EntriesEdit, at address: SlotAddress) throws(NeedsFullUpdate) -> Bool {
    guard let instances = try instances(on: address.path), let instance = instances.last,
      let template = instance.template, let site = instance.site, instances.allSatisfy({ $0.template != nil }),
      case .gap(let gap) = template.positions[address.slot],
      template.outermost(site.opaque, around: template.gaps[gap].parent) == nil
    else { return false }
    let firstNumber = context.nextNumber
    let list = try ListUpdate(edit, in: address.slot, of: instances, context: context)
    return try add(list, at: address, numberingFrom: firstNumber)
  }

  /// Locates a stream operation.
  ///
  /// - Returns: whether a ``StreamUpdate`` can compute the changes. If not, a region is needed.
  private mutating func locateStream(
    at address: SlotAddress, _ cause: Int?, _ entries: EntriesEdit?
  ) throws(NeedsFullUpdate) -> Bool {
    guard let instances = try instances(on: address.path), instances.allSatisfy({ $0.template != nil }) else {
      return false
    }
    let firstNumber = context.nextNumber
    let stream = try StreamUpdate(in: address.slot, of: instances, cause: cause, entries: entries, context: context)
    guard try add(stream, at: address, numberingFrom: firstNumber) else { return false }
    streams.insert(address)
    return true
  }

  /// Adds a part, unless it is `nil` or another part claims the same ids or components.
  ///
  /// - Parameter firstNumber: the number of the first new node of the part.
  /// - Returns: whether the part was added.
  private mutating func add(
    _ update: (some ChildrenUpdate)?, at address: SlotAddress, numberingFrom firstNumber: Int
  ) throws(NeedsFullUpdate) -> Bool {
    guard let update, context.claims.isDisjoint(with: update.claims) else {
      context.restore(nextNumber: firstNumber)
      return false
    }
    try context.checkClientRules(amongChildrenOf: update.parent)
    children.append(Children(update: update, address: address))
    context.claims.add(update.claims)
    return true
  }

  private mutating func add(_ region: Region) throws(NeedsFullUpdate) {
    try context.checkClientRules(amongChildrenOf: region.location.parent)
    if let known = regionPositions[region.location] {
      regions[known].region.causes += region.causes
    } else {
      regionPositions[region.location] = regions.count
      regions.append(RegionUpdate(region, in: document))
      try regions[regions.count - 1].render(in: context)
    }
  }

  private func instances(on path: InstancePath) throws(NeedsFullUpdate) -> [PathInstance]? {
    try context.spend(WorkBudget.instance * path.count)
    return context.rendered.instances(on: path, in: context.templates)
  }

  /// Whether the page shows a component. A change of a component that is not shown has no effect on the document.
  ///
  /// - Throws: if the page may show the component, but its position is not known.
  private func isShown(_ cid: Int) throws(NeedsFullUpdate) -> Bool {
    if context.rendered.isPlaced(cid, in: document) { return true }
    if context.rendered.components[cid]?.site == nil { return false }
    throw NeedsFullUpdate("the position of component \(cid) is not known")
  }

  // MARK: - From regions to changes

  private mutating func computeRegions() throws(NeedsFullUpdate) {
    // The budget is checked for all regions before any is parsed, because parsing and comparing takes more work than finding and
    // rendering.
    for region in regions {
      if region.isMostOfPage {
        throw NeedsFullUpdate("the region of the change has most of the page's nodes")
      }
      try context.spend(region.work)
    }
    for position in regions.indices {
      if regions[position].region.causes.count > 1 {
        regions[position].region.causes = Array(Set(regions[position].region.causes)).sorted()
      }
      try regions[position].compute(in: context)
    }
    guard context.nextNumber - document.nextNumber + document.count <= MarkupParser.maximumNodes else {
      throw NeedsFullUpdate("the page may have too many nodes")
    }
  }
}
