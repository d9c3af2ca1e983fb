internal import MarkupDocument
internal import RenderedTree

/// Finds the region of a slot, and renders it: from the slot to the nearest nodes on both sides that surely stay, through text and
/// whatever else might run together with it, into the instances around and beside its own.
struct RegionFinder {
  let rendered: Rendered
  let document: Document
  /// The slots whose places in a region's markup are wanted, where it must be told which of them caused what.
  let touched: TouchedSlots.Index
  /// The slots in which components and entries may stand that the document has elsewhere.
  let moved: Set<SlotPlace>
  let budget: WorkBudget

  /// A slot of an instance.
  struct SlotPlace: Hashable {
    var path: InstancePath
    var slot: Int
  }

  /// Where a region begins or ends.
  struct Edge {
    enum Place {
      /// In the strings of the level's template.
      case strings(Template.Place)
      /// At an entry of the comprehension in the level's slot that is asked for.
      case entry(Int)
    }

    /// The sibling outside of it; `nil` for the end of the parent.
    var node: NodeRef?
    var level: Int
    var place: Place
  }

  /// What has changed: a slot of a level, or some entry of the comprehension in it.
  struct Center {
    var level: Int
    var slot: Int
    var entry: Int?
  }

  // MARK: - Finding

  /// The region around a slot of the last of the levels.
  func region(of slot: Int, in levels: [Level], causes: [Int]) throws(FullPath) -> Region {
    let (level, slot) = try linked(slot, in: levels)
    guard let template = levels[level].template, let site = levels[level].site else { throw Self.unlinked }
    switch template.positions[slot] {
    case .tag(let anchor):
      return try region(of: outermostOpaque(anchor, template, site) ?? anchor, levels[level], causes: causes)
    case .gap(let gap):
      if let anchor = outermostOpaque(template.gaps[gap].parent, template, site) {
        return try region(of: anchor, levels[level], causes: causes)
      }
      return try region(around: Center(level: level, slot: slot), in: levels, causes: causes)
    }
  }

  /// The innermost level that knows its nodes, and the slot of it in which the change is.
  func linked(_ slot: Int, in levels: [Level]) throws(FullPath) -> (level: Int, slot: Int) {
    guard let unlinked = levels.firstIndex(where: { $0.template == nil }) else { return (levels.count - 1, slot) }
    guard unlinked > 0 else { throw Self.unlinked }
    return (unlinked - 1, levels[unlinked].slot)
  }

  static let unlinked = FullPath("the markup around the change is not what its template alone says")

  func outermostOpaque(_ anchor: Int?, _ template: Template, _ site: Site) -> Int? {
    if site.opaque.isEmpty { return nil }
    var outermost: Int?
    for anchor in template.chain(from: anchor) where site.opaque.contains(anchor) { outermost = anchor }
    return outermost
  }

  func node(_ number: Int) throws(FullPath) -> NodeRef {
    let node = NodeRef(epoch: document.epoch, number: number)
    guard number != 0, document.contains(node) else { throw FullPath("a node of the template is gone") }
    return node
  }

  // MARK: - A static element

  /// A static element of an instance, with all in it.
  func region(of anchor: Int, _ level: Level, causes: [Int]) throws(FullPath) -> Region {
    guard let site = level.site else { throw Self.unlinked }
    let element = try node(site.nodes[anchor])
    if let origin = document.marks.origins[element], origin.ordinal > 0 {
      throw FullPath("the element is one of several of an entry")
    }
    return Region(.element(anchor: anchor, level), at: try key(of: element), causes: causes)
  }

  /// A component that was sent whole: from the static node with which it began to the one with which it ended. As it
  /// begins and ends with one now too, no text of it can run together with what stands around.
  func region(ofComponent cid: Int, at site: Site, causes: [Int]) throws(FullPath) -> Region {
    let template = rendered.components[cid]?.statics.template(for: document.dialect)
    guard let first = site.edge(.left), let last = site.edge(.right), template?.first != nil, template?.last != nil
    else { throw FullPath("component \(cid) was sent whole, and its place is not known") }
    let (start, end) = (try key(of: node(first)), try key(of: node(last)))
    guard start.parent == end.parent else { throw Self.unlinked }
    return Region(
      .component(cid, level: site.level - 1),
      at: .init(parent: start.parent, after: start.after, before: end.before, isElement: true), causes: causes)
  }

  private func key(of element: NodeRef) throws(FullPath) -> Region.Key {
    guard let place = document.place(of: element), let parent = document.parent(of: element) else {
      throw Self.unlinked
    }
    return Region.Key(
      parent: parent, after: document.tree.previous(of: place).map(document.ref),
      before: document.tree.next(of: place).map(document.ref), isElement: true)
  }

  // MARK: - Between siblings

  private func region(around center: Center, in levels: [Level], causes: [Int]) throws(FullPath) -> Region {
    // All levels from here to the one that has the parent put their nodes side by side.
    var (top, center) = (center.level, center)
    var slot = center.slot
    while let gap = gap(of: slot, levels[top]), gap.parent == nil, top > 0 {
      // Of an entry all is looked at: what its elements are to each other is known of the whole.
      if let entry = levels[top].entry {
        center = Center(level: top - 1, slot: levels[top].slot, entry: entry)
      }
      slot = levels[top].slot
      top -= 1
    }
    guard let gap = gap(of: slot, levels[top]), let site = levels[top].site else { throw Self.unlinked }
    if gap.parent == nil, levels[0].path.component != nil {
      throw FullPath("the change is at the top of a component, and not inside of an element of it")
    }
    let left = try edge(.left, of: center, in: levels)
    let right = try edge(.right, of: center, in: levels)
    let parent = if let anchor = gap.parent { try node(site.nodes[anchor]) } else { document.root }
    return Region(
      .between(left, right, around: center, in: levels),
      at: .init(parent: parent, after: left.node, before: right.node, isElement: false), causes: causes)
  }

  private func gap(of slot: Int, _ level: Level) -> Template.Gap? {
    guard let template = level.template, case .gap(let gap) = template.positions[slot] else { return nil }
    return template.gaps[gap]
  }

  /// The nearest place on one side where a node stands that surely stays.
  private func edge(_ side: Side, of center: Center, in levels: [Level]) throws(FullPath) -> Edge {
    var (level, slot) = (center.level, center.slot)
    if let entry = center.entry, case .comprehension(let comprehension) = levels[level].slots[slot],
      !moved.contains(.init(path: levels[level].path, slot: slot)),
      let edge = try edge(side, of: entry, in: comprehension, level: level)
    {
      return edge
    }
    while true {
      guard let gap = gap(of: slot, levels[level]), let site = levels[level].site else { throw Self.unlinked }
      let beside =
        side == .left
        ? stride(from: slot - 1, through: gap.slots.lowerBound, by: -1)
        : stride(from: slot + 1, through: gap.slots.upperBound - 1, by: 1)
      for neighbour in beside {
        try budget.spend(1)
        // The set is asked last: most neighbours are texts, and very many may be asked.
        guard let number = rendered.edge(side.other, of: levels[level].slots[neighbour]),
          !moved.contains(.init(path: levels[level].path, slot: neighbour))
        else { continue }
        // Behind its slot a part begins; before it one ends.
        let place =
          side == .left
          ? Template.Place(part: neighbour + 1, offset: 0)
          : Template.Place(part: neighbour, offset: levels[level].statics.parts[neighbour].utf8.count)
        return Edge(node: try node(number), level: level, place: .strings(place))
      }
      if let anchor = side == .left ? gap.left : gap.right {
        return Edge(
          node: try node(site.nodes[anchor]), level: level, place: .strings(side == .left ? gap.start : gap.end))
      }
      if gap.parent != nil || level == 0 {
        return Edge(node: nil, level: level, place: .strings(side == .left ? gap.start : gap.end))
      }
      slot = levels[level].slot
      level -= 1
    }
  }

  /// The edge at one of the entries beside one. Either all of a template's instances have an edge there or none.
  private func edge(
    _ side: Side, of entry: Int, in comprehension: Comprehension, level: Int
  ) throws(FullPath) -> Edge? {
    let beside = entry + (side == .left ? -1 : 1)
    guard comprehension.entries.indices.contains(beside),
      let number = comprehension.entries[beside].site?.edge(side.other)
    else { return nil }
    return Edge(node: try node(number), level: level, place: .entry(side == .left ? entry : entry + 1))
  }
}

// MARK: - Rendering

extension RegionFinder {
  /// Writes the markup of a region.
  func render(_ region: inout Region) throws(FullPath) {
    do throws(RenderError) {
      switch region.content {
      case .element(let anchor, let level): try renderElement(anchor, of: level, into: &region)
      case .component(let cid, let level):
        var renderer = Renderer(partOf: rendered, level: level, marking: touched)
        try renderer.write(.component(cid), at: nil)
        region.rendering = renderer.rendering
        region.units = [(.component(cid, level: level), 0)]
      case .between(let left, let right, let center, let levels):
        var writer = RegionWriter(
          renderer: Renderer(partOf: rendered, level: levels[center.level].site?.level ?? 0, marking: touched),
          levels: levels)
        try writer.write(center, from: left, to: right)
        region.rendering = writer.renderer.rendering
        region.units = writer.units
      }
    } catch { throw FullPath(error.reason) }
  }

  private func renderElement(_ anchor: Int, of level: Level, into region: inout Region) throws(RenderError) {
    guard let template = level.template, let site = level.site else { return }
    let (start, end) = (template.anchors[anchor].start, template.anchors[anchor].end)
    let element = NodeRef(epoch: document.epoch, number: site.nodes[anchor])
    var renderer = Renderer(partOf: rendered, level: site.level, marking: touched)
    if let root = document.marks.roots[element] { renderer.noteRoot(root) }
    try renderer.within(document.marks.origins[element]) { renderer throws(RenderError) in
      try renderer.write(level, from: start, to: end, at: touched.place(of: level.path))
    }
    region.rendering = renderer.rendering
    region.units = [(.element(of: level.path, anchor: anchor), 0)]
  }
}

extension Side {
  var other: Side { self == .left ? .right : .left }
}
