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

  private let rendered: Rendered
  private let document: Document
  private let finder: RegionFinder
  private var tags: [Tag] = []
  private var regions: [RegionUpdate] = []
  private var positions: [Region.Key: Int] = [:]
  private var tagPositions: [NodeRef: Int] = [:]

  init(_ rendered: Rendered, _ document: Document) {
    self.rendered = rendered
    self.document = document
    finder = RegionFinder(rendered: rendered, document: document)
  }

  // MARK: - The result

  /// The changes, with what caused each of them.
  struct Result {
    var changes: [Change] = []
    /// For every change, the places among the touched slots.
    var causes: [[Int]] = []
    var regions: [RegionUpdate] = []
    var diagnostics: [MarkupDiagnostic] = []
  }

  static func compute(
    _ edits: [Edit], of diff: Diff, in rendered: Rendered, _ document: Document
  ) throws(FullPath) -> Result {
    // Where most of a page is named, it is less work to look at it once as a whole.
    if edits.count > 64, edits.count * 16 > document.count { throw FullPath("the diff names most of the page") }
    var update = ScopedUpdate(rendered, document)
    for (cid, content) in diff.components
    where content.statics == nil && !update.isPlaced(cid) && !document.nodes(ofComponent: cid).isEmpty {
      throw FullPath("component \(cid) stands among what only the document keeps")
    }
    for edit in edits { try update.locate(edit) }
    try update.dropCovered()
    try update.compute()
    try update.placeRegions()
    return update.result
  }

  private var result: Result {
    var result = Result(regions: regions)
    for tag in tags {
      result.changes += tag.changes
      result.causes += Array(repeating: tag.causes, count: tag.changes.count)
    }
    for region in regions {
      result.changes += region.changes
      result.causes += Array(repeating: region.region.causes, count: region.changes.count)
      result.diagnostics += region.diagnostics
    }
    return result
  }

  // MARK: - From edits to places

  private mutating func locate(_ edit: Edit) throws(FullPath) {
    switch edit {
    case .slot(let path, let slot, _, let cause): try locate(slot, of: path, [cause])
    case .entries(let path, let slot, let edit):
      try locate(slot, of: path, edit.arrivals.map(\.cause) + (edit.cut.map { [$0] } ?? []))
    case .stream(let path, let slot, let cause):
      if let cid = path.component, try !isShown(cid) { throw FullPath("a stream changed that no page shows") }
      try locate(slot, of: path, cause.map { [$0] } ?? [])
    case .component(let cid, let old, let cause):
      let shown = document.nodes(ofComponent: cid)
      guard let site = old?.site else {
        if shown.isEmpty { return }
        throw FullPath("component \(cid) stands among what only the document keeps")
      }
      guard shown.count == 1, let root = site.edge(.left), root == shown[0].number else {
        throw FullPath("component \(cid) was sent whole, and its place is not known")
      }
      try add(try finder.region(ofComponent: cid, at: shown[0], causes: [cause]))
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

  // MARK: - Regions in regions

  /// What stands in a region is looked at with it.
  private mutating func dropCovered() throws(FullPath) {
    if regions.isEmpty || regions.count + tags.count == 1 { return }
    var owners: [NodeTree.Index: Int] = [:]
    var dropped: Set<Int> = []
    // The largest first: one that shares nodes with another is a part of it.
    for number in regions.indices.sorted(by: { regions[$0].old.count > regions[$1].old.count }) {
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
      let neighbours = beside.compactMap { owners[$0] }.filter { !regions[$0].region.isElement }
      guard let owner = neighbours.first ?? owner(above: key.parent) else { continue }
      dropped.insert(number)
      regions[owner].region.causes += regions[number].region.causes
    }
    for number in tags.indices.reversed() {
      guard let owner = owner(above: tags[number].node) else { continue }
      regions[owner].region.causes += tags[number].causes
      tags.remove(at: number)
    }
    regions = regions.indices.filter { !dropped.contains($0) }.map { regions[$0] }
  }

  // MARK: - Changes

  private mutating func compute() throws(FullPath) {
    var arrivals = Arrivals()
    var number = document.nextNumber
    for position in regions.indices {
      if regions[position].region.causes.count > 1 {
        regions[position].region.causes = Array(Set(regions[position].region.causes)).sorted()
      }
      try regions[position].compute(in: document, numberingFrom: number, &arrivals)
      number = regions[position].nextNumber
    }
    guard number - document.nextNumber + document.count <= MarkupParser.maximumNodes else {
      throw FullPath("the page is very large")
    }
  }

  /// Counts the children before each region, as they are and as they will be.
  private mutating func placeRegions() throws(FullPath) {
    guard regions.contains(where: \.hasPlaces) else { return }
    var byParent: [NodeRef: [Int]] = [:]
    for position in regions.indices where !regions[position].changes.isEmpty {
      byParent[regions[position].region.key.parent, default: []].append(position)
    }
    for siblings in byParent.values where siblings.contains(where: { regions[$0].hasPlaces }) {
      let starts = siblings.map { position in
        (position, start: regions[position].region.key.after.map { document.index(of: $0) + 1 } ?? 0)
      }
      var growth = 0
      let ordered = starts.sorted { ($0.start, regions[$0.0].old.count) < ($1.start, regions[$1.0].old.count) }
      for (position, start) in ordered {
        regions[position].shift(leaving: start, reaching: start + growth)
        growth += regions[position].growth
      }
    }
  }
}
