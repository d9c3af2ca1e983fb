internal import MarkupDocument

/// Drops the parts of an update that are inside of another part, or inside of an entry that the
/// update removes.
///
/// ``compute(_:of:in:)`` calls ``joinEntries()`` and then ``dropCovered()``, after all edits were
/// located and before any region is compared.
extension ScopedUpdate {
  /// Replaces the entries of a list or stream by a region if another region is one element or
  /// component with the same parent. The reason: the element may be one of the entries. A region
  /// can contain another region, but ``ScopedUpdate/Entries`` cannot.
  mutating func joinEntries() throws(FullUpdateReason) {
    if entries.isEmpty { return }
    let parents = Set(regions.lazy.map(\.region.location).filter(\.isElement).map(\.parent))
    let joined = entries.filter { parents.contains($0.part.parent) }
    if joined.isEmpty { return }
    entries.removeAll { parents.contains($0.part.parent) }
    for list in joined.reversed() {
      guard let address = list.address else { throw .overlap }
      context.claims.release(list.claims)
      try locate(address, list.causes)
    }
  }

  /// Drops each part that is inside of a region, because the region compares the same nodes, and
  /// each part that is inside of a removed entry. If a region contains the part, the region gets
  /// the causes of the part.
  mutating func dropCovered() throws(FullUpdateReason) {
    if regions.count + tags.count + entries.count == 1 { return }
    var owners = try regionsOwningNodes()
    let regionsOnly = owners
    for list in entries {
      for case .remove(let nodes, _, _) in list.part.result.changes {
        if let place = document.treeIndex(of: nodes[0]), owners[place] == nil { owners[place] = .removal }
      }
    }
    if owners.isEmpty { return }
    var dropped: Set<Int> = []
    for number in regions.indices {
      let location = regions[number].region.location
      let above = try owner(above: location.parent, owners)
      if case .region(let owner)? = ownerBeside(number, regionsOnly) ?? above {
        regions[owner].region.causes += regions[number].region.causes
        dropped.insert(number)
      } else if regions[number].isCovered || above != nil || isRemoved(number, owners) {
        dropped.insert(number)
      }
    }
    let allTags = tags
    tags.removeAll()
    for tag in allTags {
      switch try owner(above: tag.node, owners) {
      case .region(let owner)?: regions[owner].region.causes += tag.causes
      case .removal?: break
      case nil: tags.append(tag)
      }
    }
    let allEntries = entries
    entries.removeAll()
    for list in allEntries {
      var above = try owner(above: list.part.parent, owners)
      if above == nil { above = try owner(above: list.part.firstNode(in: document), regionsOnly) }
      guard let above else {
        entries.append(list)
        continue
      }
      if case .region(let owner) = above { regions[owner].region.causes += list.causes }
      context.claims.release(list.claims)
    }
    regions = regions.indices.filter { !dropped.contains($0) }.map { regions[$0] }
  }

  /// The part that compares a node or removes it.
  private enum Owner {
    case region(Int)
    case removal
  }

  /// Finds the region of each node in ``PlannedRegion/old``. A region whose nodes are all in one
  /// other region is marked as covered, and that other region gets its causes.
  ///
  /// - Throws: if two regions overlap, but neither contains the other.
  private mutating func regionsOwningNodes() throws(FullUpdateReason) -> [NodeTree.Index: Owner] {
    var owners: [NodeTree.Index: Int] = [:]
    // Largest first, so that a region is visited before the regions that are inside of it.
    func size(_ region: PlannedRegion) -> (Int, Int) { (region.old.count, region.region.location.isElement ? 0 : 1) }
    for number in regions.indices.sorted(by: { size(regions[$0]) > size(regions[$1]) }) {
      let owned = regions[number].old.filter { owners[$0] != nil }
      if owned.isEmpty {
        for node in regions[number].old { owners[node] = number }
      } else if owned.count == regions[number].old.count, let owner = owners[owned[0]],
        owned.allSatisfy({ owners[$0] == owner })
      {
        regions[number].isCovered = true
        regions[owner].region.causes += regions[number].region.causes
      } else {
        throw .overlap
      }
    }
    return owners.mapValues(Owner.region)
  }

  /// The region that contains a region without nodes. It is found by the siblings next to the empty
  /// region.
  private func ownerBeside(_ number: Int, _ owners: [NodeTree.Index: Owner]) -> Owner? {
    guard regions[number].old.isEmpty, !regions[number].isCovered else { return nil }
    for neighbour in [regions[number].region.location.after, regions[number].region.location.before] {
      guard let place = neighbour.flatMap(document.treeIndex(of:)), case .region(let owner)? = owners[place],
        !regions[owner].region.location.isElement
      else { continue }
      return .region(owner)
    }
    return nil
  }

  /// Whether a region contains the root of a removed entry.
  private func isRemoved(_ number: Int, _ owners: [NodeTree.Index: Owner]) -> Bool {
    regions[number].old.contains { if case .removal? = owners[$0] { true } else { false } }
  }

  /// The owner of a node, or of its nearest ancestor that has an owner.
  private func owner(above node: NodeRef?, _ owners: [NodeTree.Index: Owner]) throws(FullUpdateReason) -> Owner? {
    var step = node.flatMap(document.treeIndex(of:))
    while let place = step {
      try context.spend(1)
      if let owner = owners[place] { return owner }
      step = document.tree.parent(of: place)
    }
    return nil
  }
}
