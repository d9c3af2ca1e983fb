internal import MarkupDocument
internal import RenderedTree

/// Finds the regions of slots and components for ``ScopedUpdate``. The region of a slot extends to
/// the nearest nodes on both sides that surely stay. It includes all text between these nodes,
/// which the parser may join with the slot's text, even text of enclosing and neighbouring
/// instances.
struct RegionFinder {
  let context: ScopedContext

  /// The region of a slot of the last instance.
  func region(of slot: Int, on instances: [PathInstance], causes: [Int]) throws(FullUpdateReason) -> Region {
    let (position, slot) = try Self.linked(slot, on: instances)
    let instance = instances[position]
    guard let template = instance.template, let site = instance.site else { throw .unlinked }
    switch template.positions[slot] {
    case .tag(let anchor):
      return try region(of: template.outermost(of: site, around: anchor) ?? anchor, instance, causes: causes)
    case .gap(let gap):
      if let anchor = template.outermost(of: site, around: template.gaps[gap].parent) {
        return try region(of: anchor, instance, causes: causes)
      }
      return try region(around: .init(instance: position, slot: slot), on: instances, causes: causes)
    }
  }

  /// The innermost instance that is linked and whose enclosing instances are all linked, with the
  /// slot of it that contains the change.
  static func linked(
    _ slot: Int, on instances: [PathInstance]
  ) throws(FullUpdateReason) -> (instance: Int, slot: Int) {
    guard let unlinked = instances.firstIndex(where: { $0.template == nil }) else { return (instances.count - 1, slot) }
    guard unlinked > 0 else { throw .unlinked }
    return (unlinked - 1, instances[unlinked].outerSlot)
  }

  // MARK: - A static element

  private func region(
    of anchor: Int, _ instance: PathInstance, causes: [Int]
  ) throws(FullUpdateReason) -> Region {
    guard let site = instance.site else { throw .unlinked }
    let element = try context.node(site[anchor])
    if let origin = context.document.marks.origins[element], origin.ordinal > 0 {
      throw .partOfEntry
    }
    return Region(.element(anchor: anchor, of: instance), at: try location(of: element), causes: causes)
  }

  /// The region of a component that was sent whole: from the static node with which it began to the
  /// one with which it ended. The component must still begin and end with a static node, so that
  /// the parser joins none of its text with text around it.
  func region(ofComponent cid: Int, at site: Site, causes: [Int]) throws(FullUpdateReason) -> Region {
    let statics = context.rendered.components[cid]?.statics
    let template = statics.map { context.templates[$0] ?? Template($0.parts, dialect: context.document.dialect) }
    guard let first = site.boundaryNode(.left), let last = site.boundaryNode(.right), template?.first != nil,
      template?.last != nil
    else { throw .unplacedWholeComponent(cid) }
    let (start, end) = (try location(of: context.node(first)), try location(of: context.node(last)))
    guard start.parent == end.parent else { throw .unlinked }
    return Region(
      .component(cid, depth: site.depth - 1),
      at: .init(parent: start.parent, after: start.after, before: end.before, isElement: true), causes: causes)
  }

  private func location(of element: NodeRef) throws(FullUpdateReason) -> Region.Location {
    guard var location = Region.Location(of: element, in: context.document) else { throw .unlinked }
    location.isElement = true
    return location
  }

  // MARK: - Between siblings

  private func region(
    around changed: Region.ChangedSlot, on instances: [PathInstance], causes: [Int]
  ) throws(FullUpdateReason) -> Region {
    // Go outwards to the instance that has the parent element. The nodes of all instances on the
    // way are siblings.
    var (top, changed) = (changed.instance, changed)
    var slot = changed.slot
    while let gap = instances[top].gap(of: slot), gap.parent == nil, top > 0 {
      // An entry is compared as a whole, because its elements are matched together.
      if let entry = instances[top].entry {
        changed = .init(instance: top - 1, slot: instances[top].outerSlot, entry: entry)
      }
      slot = instances[top].outerSlot
      top -= 1
    }
    guard let gap = instances[top].gap(of: slot), let site = instances[top].site else { throw .unlinked }
    if gap.parent == nil, instances[0].path.component != nil {
      throw .topOfComponent
    }
    let left = try boundary(.left, of: changed, on: instances)
    let right = try boundary(.right, of: changed, on: instances)
    let parent = if let anchor = gap.parent { try context.node(site[anchor]) } else { context.document.root }
    return Region(
      .between(left, right, around: changed, on: instances),
      at: .init(parent: parent, after: left.node, before: right.node, isElement: false), causes: causes)
  }

  /// The nearest boundary on one side, at a node that surely stays.
  private func boundary(
    _ side: Side, of changed: Region.ChangedSlot, on instances: [PathInstance]
  ) throws(FullUpdateReason) -> Region.Boundary {
    var (position, slot) = (changed.instance, changed.slot)
    if let entry = changed.entry, case .comprehension(let comprehension) = instances[position].slots[slot],
      !context.movedSlots.contains(SlotAddress(path: instances[position].path, slot: slot)),
      let boundary = try boundary(side, of: entry, in: comprehension, at: position)
    {
      return boundary
    }
    while true {
      let instance = instances[position]
      guard let gap = instance.gap(of: slot), let site = instance.site else { throw .unlinked }
      if let boundary = try boundary(side, besideSlot: slot, in: gap, of: instance, at: position) { return boundary }
      let end = Region.Boundary.MarkupPosition.strings(side == .left ? gap.start : gap.end)
      if let anchor = side == .left ? gap.left : gap.right {
        return Region.Boundary(node: try context.node(site[anchor]), instance: position, position: end)
      }
      if gap.parent != nil || position == 0 { return Region.Boundary(node: nil, instance: position, position: end) }
      slot = instance.outerSlot
      position -= 1
    }
  }

  /// The boundary at the nearest slot of the same gap whose content has a static node at the end
  /// towards the changed slot.
  private func boundary(
    _ side: Side, besideSlot slot: Int, in gap: Template.Gap, of instance: PathInstance, at position: Int
  ) throws(FullUpdateReason) -> Region.Boundary? {
    let beside =
      side == .left
      ? stride(from: slot - 1, through: gap.slots.lowerBound, by: -1)
      : stride(from: slot + 1, through: gap.slots.upperBound - 1, by: 1)
    for neighbour in beside {
      try context.spend(1)
      // The set is checked last: a gap may have very many slots, most of them with texts.
      guard let number = context.rendered.boundaryNode(side.other, of: instance.slots[neighbour]),
        !context.movedSlots.contains(SlotAddress(path: instance.path, slot: neighbour))
      else { continue }
      let place =
        side == .left ? Template.StringPosition(part: neighbour + 1, offset: 0) : instance.endOfPart(neighbour)
      return Region.Boundary(node: try context.node(number), instance: position, position: .strings(place))
    }
    return nil
  }

  /// The boundary at the entry next to the changed entry. Entries further away are not tried:
  /// whether an entry begins or ends with a static node depends on its template, which all entries
  /// of a comprehension share.
  private func boundary(
    _ side: Side, of entry: Int, in comprehension: Comprehension, at position: Int
  ) throws(FullUpdateReason) -> Region.Boundary? {
    let beside = entry + (side == .left ? -1 : 1)
    guard comprehension.entries.indices.contains(beside),
      let number = comprehension.entries[beside].site?.boundaryNode(side.other)
    else { return nil }
    return Region.Boundary(
      node: try context.node(number), instance: position, position: .entry(side == .left ? entry : entry + 1))
  }
}

extension Template {
  /// The outermost opaque element of a site among an anchor and its ancestors; `nil` if none is
  /// opaque.
  func outermost(of site: Site, around anchor: Int?) -> Int? {
    if !site.hasOpaque { return nil }
    var outermost: Int?
    for anchor in chain(from: anchor) where site.isOpaque(anchor) { outermost = anchor }
    return outermost
  }
}

extension PathInstance {
  func endOfPart(_ part: Int) -> Template.StringPosition {
    Template.StringPosition(part: part, offset: statics.parts[part].utf8.count)
  }
}
