internal import MarkupDocument
internal import RenderedTree

/// What an update changes, found from the places that it names and nothing else.
///
/// Every edit of the merged tree leads to an element whose tag is read again or to a ``Region`` that is rendered, parsed
/// and compared by itself. Nothing is changed here; where it is not certain that the result is that of the full path, it
/// throws, and the full path is taken.
struct ScopedUpdate {
  /// The attributes of one element.
  private struct Tag {
    var node: NodeRef
    var changes: [Change]
    var causes: [Int]
  }

  private struct List {
    var update: any ListPart
    /// The edit that it is of.
    var path: InstancePath
    var slot: Int
    var brought: Arrivals
  }

  private let touched: TouchedSlots
  private let finder: RegionFinder
  private var rendered: Rendered { finder.rendered }
  private var document: Document { finder.document }
  private var tags: [Tag] = []
  private var tagPositions: [NodeRef: Int] = [:]
  private var regions: [RegionUpdate] = []
  private var positions: [Region.Key: Int] = [:]
  private var lists: [List] = []
  private var arrivals = Arrivals()
  /// The streams that are told by the items that they name.
  private var streams: Set<RegionFinder.SlotPlace> = []
  private var nextNumber: Int

  private init(_ merge: Rendered.Merge, in rendered: Rendered, _ document: Document) {
    touched = merge.touched
    nextNumber = document.nextNumber
    // What a single edit causes needs no finding out.
    finder = RegionFinder(
      rendered: rendered, document: document,
      touched: merge.edits.count > 1 ? TouchedSlots.Index(merge.touched) : .none,
      moved: merge.edits.count > 1 ? rendered.slotsOfMoves(in: merge.edits) : [])
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

  /// - Parameter merge: what was done to the tree that `rendered` is now.
  static func compute(
    _ merge: Rendered.Merge, of diff: Diff, in rendered: Rendered, _ document: Document
  ) throws(FullPath) -> Result {
    // Where most of a page is named, it is less work to look at it once as a whole.
    if merge.edits.count > 64, merge.edits.count * 16 > document.count {
      throw FullPath("the diff names most of the page")
    }
    var update = ScopedUpdate(merge, in: rendered, document)
    for (cid, content) in diff.components
    where content.statics == nil && !update.isPlaced(cid) && !document.nodes(ofComponent: cid).isEmpty {
      throw FullPath("component \(cid) stands among what only the document keeps")
    }
    for (position, edit) in merge.edits.enumerated() {
      try update.locate(edit, next: position + 1 < merge.edits.count ? merge.edits[position + 1] : nil)
    }
    try update.joinLists()
    try update.dropCovered()
    try update.compute()
    let order = try update.place()
    return update.result(in: order)
  }

  // MARK: - From edits to places

  /// - Parameter next: the edit after it.
  private mutating func locate(_ edit: Edit, next: Edit?) throws(FullPath) {
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
      if locateStream(in: slot, of: path, cause, next: next) { return }
      try locate(slot, of: path, cause.map { [$0] } ?? [])
    case .component(let cid, let old, let cause):
      guard let site = old?.site else {
        if document.nodes(ofComponent: cid).isEmpty { return }
        throw FullPath("component \(cid) stands among what only the document keeps")
      }
      try add(try finder.region(ofComponent: cid, at: site, causes: [cause]))
    }
  }

  private mutating func locate(_ slot: Int, of path: InstancePath, _ causes: [Int]) throws(FullPath) {
    if let cid = path.component, try !isShown(cid) { return }
    guard let levels = rendered.levels(to: path) else { throw RegionFinder.unlinked }
    let (number, inner) = try finder.linked(slot, in: levels)
    let level = levels[number]
    if let template = level.template, let site = level.site, case .tag(let anchor) = template.positions[inner],
      finder.outermostOpaque(anchor, template, site) == nil
    {
      let node = try finder.node(site.nodes[anchor])
      if let known = tagPositions[node] {
        tags[known].causes += causes
        return
      }
      if let changes = TagUpdate.changes(of: anchor, at: node, level, in: document) {
        tagPositions[node] = tags.count
        tags.append(Tag(node: node, changes: changes, causes: causes))
        return
      }
    }
    try add(try finder.region(of: inner, in: Array(levels[...number]), causes: causes))
  }

  /// Whether a list could be told by its entries alone.
  private mutating func locate(
    _ edit: EntriesEdit, in slot: Int, of path: InstancePath
  ) throws(FullPath) -> Bool {
    guard let levels = rendered.levels(to: path), let level = levels.last, let template = level.template,
      let site = level.site, levels.allSatisfy({ $0.template != nil }), case .gap(let gap) = template.positions[slot],
      finder.outermostOpaque(template.gaps[gap].parent, template, site) == nil
    else { return false }
    // Where it cannot be, others must not be told that its entries have come.
    var arrivals = arrivals
    guard
      let list = ListUpdate(
        edit, in: slot, of: levels, finder: finder, causedBy: touched,
        numberingFrom: nextNumber, &arrivals)
    else { return false }
    nextNumber = list.nextNumber
    lists.append(List(update: list, path: path, slot: slot, brought: arrivals.since(self.arrivals)))
    self.arrivals = arrivals
    return true
  }

  /// Whether a stream could be told by the items that it names.
  private mutating func locateStream(
    in slot: Int, of path: InstancePath, _ cause: Int?, next: Edit?
  ) -> Bool {
    guard let levels = rendered.levels(to: path), levels.allSatisfy({ $0.template != nil }) else { return false }
    var arrivals = arrivals
    // The entries that it brings stand in the edit that follows.
    var entries: EntriesEdit?
    if case .entries(let other, slot, let edit) = next, other == path { entries = edit }
    guard
      let update = StreamUpdate(
        in: slot, of: levels, finder: finder, cause: cause, entries: entries, causedBy: touched,
        numberingFrom: nextNumber, &arrivals)
    else { return false }
    nextNumber = update.nextNumber
    lists.append(List(update: update, path: path, slot: slot, brought: arrivals.since(self.arrivals)))
    streams.insert(.init(path: path, slot: slot))
    self.arrivals = arrivals
    return true
  }

  /// Whether a component has a place in the document. One that no page shows changes nothing.
  private func isShown(_ cid: Int) throws(FullPath) -> Bool {
    if isPlaced(cid) { return true }
    if rendered.components[cid]?.site == nil { return false }
    throw FullPath("component \(cid) stands where its place is not known")
  }

  private func isPlaced(_ cid: Int) -> Bool {
    guard let root = rendered.components[cid]?.site?.edge(.left) else { return false }
    return document.contains(NodeRef(epoch: document.epoch, number: root))
  }

  private mutating func add(_ region: Region) throws(FullPath) {
    if let known = positions[region.key] {
      regions[known].region.causes += region.causes
    } else {
      positions[region.key] = regions.count
      regions.append(RegionUpdate(region, in: document))
    }
  }

  /// Where an element of the list is looked at as a whole, so is the list.
  private mutating func joinLists() throws(FullPath) {
    for number in lists.indices.reversed() {
      let list = lists[number]
      let hasElement = regions.contains { $0.region.key.isElement && $0.region.key.parent == list.update.parent }
      guard hasElement else { continue }
      lists.remove(at: number)
      arrivals.forget(list.brought)
      try locate(list.slot, of: list.path, list.update.causes)
    }
  }

  // MARK: - Regions in regions

  /// What stands in a region is looked at with it.
  private mutating func dropCovered() throws(FullPath) {
    if regions.isEmpty || regions.count + tags.count + lists.count == 1 { return }
    var owners: [NodeTree.Index: Int] = [:]
    var dropped: Set<Int> = []
    // The largest first: one that shares nodes with another is a part of it.
    func size(_ region: RegionUpdate) -> (Int, Int) { (region.old.count, region.region.isElement ? 0 : 1) }
    for number in regions.indices.sorted(by: { size(regions[$0]) > size(regions[$1]) }) {
      let owned = regions[number].old.filter { owners[$0] != nil }
      if owned.isEmpty {
        for node in regions[number].old { owners[node] = number }
      } else if owned.count == regions[number].old.count, let owner = owners[owned[0]],
        owned.allSatisfy({ owners[$0] == owner })
      {
        dropped.insert(number)
        regions[owner].region.causes += regions[number].region.causes
      } else {
        throw FullPath("parts of the update overlap")
      }
    }
    func owner(above node: NodeRef) -> Int? {
      var step = document.place(of: node)
      while let place = step {
        if let owner = owners[place] { return owner }
        step = document.tree.parent(of: place)
      }
      return nil
    }
    for number in regions.indices where !dropped.contains(number) {
      let key = regions[number].region.key
      // Nothing stands in it yet: it is where its neighbours are.
      let beside =
        regions[number].old.isEmpty ? [key.after, key.before].compactMap { $0.flatMap(document.place(of:)) } : []
      let neighbours = beside.compactMap { owners[$0] }.filter { !regions[$0].region.key.isElement }
      guard let owner = neighbours.first ?? owner(above: key.parent) else { continue }
      dropped.insert(number)
      regions[owner].region.causes += regions[number].region.causes
    }
    for number in tags.indices.reversed() {
      guard let owner = owner(above: tags[number].node) else { continue }
      regions[owner].region.causes += tags[number].causes
      tags.remove(at: number)
    }
    for number in lists.indices.reversed() {
      guard
        let owner = owner(above: lists[number].update.parent) ?? lists[number].update.firstNode.flatMap(owner(above:))
      else { continue }
      regions[owner].region.causes += lists[number].update.causes
      arrivals.forget(lists[number].brought)
      lists.remove(at: number)
    }
    regions = regions.indices.filter { !dropped.contains($0) }.map { regions[$0] }
  }

  // MARK: - Changes

  private mutating func compute() throws(FullPath) {
    for position in regions.indices {
      if regions[position].region.causes.count > 1 {
        regions[position].region.causes = Array(Set(regions[position].region.causes)).sorted()
      }
      try regions[position].compute(in: document, numberingFrom: nextNumber, causedBy: touched, &arrivals)
      nextNumber = regions[position].nextNumber
    }
    guard nextNumber - document.nextNumber + document.count <= MarkupParser.maximumNodes else {
      throw FullPath("the page is very large")
    }
  }

  /// One part of the update.
  private enum Part {
    case tag(Int)
    case region(Int)
    case list(Int)
  }

  /// Counts the children before each part, as they are and as they will be, and brings the parts into document order: for
  /// those that read, and since children of one parent are put in their places from the first to the last.
  private mutating func place() throws(FullPath) -> [Part] {
    var parts: [(part: Part, node: NodeRef, start: Int)] = tags.indices.map { (.tag($0), tags[$0].node, -1) }
    for position in regions.indices where !regions[position].changes.isEmpty {
      let key = regions[position].region.key
      // A text that changes stands where it stood.
      let isPlaced = regions.count + lists.count > 1 || regions[position].hasPlaces
      parts.append((.region(position), key.parent, isPlaced ? key.after.map { document.index(of: $0) + 1 } ?? 0 : 0))
    }
    for position in lists.indices {
      parts.append((.list(position), lists[position].update.parent, lists[position].update.start))
    }
    if parts.count == 1 {
      if case .region(let position) = parts[0].part {
        regions[position].shift(leaving: parts[0].start, reaching: parts[0].start)
      }
      return [parts[0].part]
    }
    let order = Dictionary(
      document.inDocumentOrder(Set(parts.map(\.node))).enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
    parts.sort {
      (order[$0.node] ?? 0, $0.start, oldCount($0.part)) < (order[$1.node] ?? 0, $1.start, oldCount($1.part))
    }
    var (parent, growth, end) = (NodeRef?.none, 0, 0)
    for (part, node, start) in parts {
      if node != parent { (parent, growth, end) = (node, 0, 0) }
      switch part {
      case .tag: continue
      case .region(let position):
        guard start >= end else { throw FullPath("parts of the update overlap") }
        end = start + regions[position].old.count
        regions[position].shift(leaving: start, reaching: start + growth)
        growth += regions[position].growth
      case .list(let position):
        guard start >= end else { throw FullPath("parts of the update overlap") }
        end = start + lists[position].update.oldCount
        lists[position].update.shift(by: growth)
        growth += lists[position].update.growth
      }
    }
    return parts.map(\.part)
  }

  private func oldCount(_ part: Part) -> Int {
    switch part {
    case .tag: 0
    case .region(let position): regions[position].old.count
    case .list(let position): lists[position].update.oldCount
    }
  }

  private func result(in order: [Part]) -> Result {
    var result = Result()
    for part in order {
      switch part {
      case .tag(let position):
        result.changes += tags[position].changes
        result.slots += tags[position].changes.map { _ in Attribution.slots(tags[position].causes, of: touched) }
      case .region(let position):
        result.changes += regions[position].changes
        result.slots += regions[position].slots
      case .list(let position):
        result.changes += lists[position].update.changes
        result.slots += lists[position].update.slots
      }
    }
    for region in regions {
      result.marked += region.marked
      result.marks.add(region.marks)
      if let link = region.link { result.links.append(link) }
      result.size.add(region.region.rendering)
      if !region.region.rendering.streams.isEmpty {
        result.hasStreams = true
        result.shown.formUnion(region.region.rendering.components)
      }
      result.diagnostics += region.diagnostics
    }
    for list in lists.lazy.map(\.update) {
      result.marked += list.marked
      result.marks.add(list.marks)
      if list.hasStreams { result.hasStreams = true }
      result.links += list.links
      result.size.add(list.size)
      result.diagnostics += list.diagnostics
    }
    return result
  }
}

extension Rendered {
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
