internal import MarkupDocument

/// What of an update stands inside of something else that is looked at, or goes.
extension ScopedUpdate {
  /// Where an element of the list is looked at as a whole, so is the list.
  mutating func joinLists() throws(FullPath) {
    if lists.isEmpty { return }
    let parents = Set(regions.lazy.filter(\.region.key.isElement).map(\.region.key.parent))
    let joined = lists.filter { parents.contains($0.update.parent) }
    if joined.isEmpty { return }
    lists.removeAll { parents.contains($0.update.parent) }
    for list in joined.reversed() {
      arrivals.forget(list.brought)
      try locate(list.slot, of: list.path, list.update.causes)
    }
  }

  /// What stands in a region is looked at with it, and what stands in an entry that goes is not looked at.
  mutating func dropCovered() throws(FullPath) {
    if regions.count + tags.count + lists.count == 1 { return }
    var owners = try regionsOwningNodes()
    let regionsOnly = owners
    for (number, list) in lists.enumerated() {
      for case .remove(let nodes, _, _) in list.update.changes {
        if let place = document.place(of: nodes[0]), owners[place] == nil { owners[place] = .list(number) }
      }
    }
    if owners.isEmpty { return }
    var gone: Set<Int> = []
    for number in regions.indices {
      let key = regions[number].region.key
      let above = try owner(above: key.parent, owners)
      if case .region(let owner)? = ownerBeside(number, regionsOnly) ?? above {
        regions[owner].region.causes += regions[number].region.causes
        gone.insert(number)
      } else if regions[number].covered || above != nil || isRemoved(number, owners) {
        gone.insert(number)
      }
    }
    let all = tags
    tags.removeAll()
    for tag in all {
      switch try owner(above: tag.node, owners) {
      case .region(let owner)?: regions[owner].region.causes += tag.causes
      case .list?: break
      case nil: tags.append(tag)
      }
    }
    for number in lists.indices.reversed() {
      let update = lists[number].update
      var above = try owner(above: update.parent, owners)
      if above == nil { above = try owner(above: update.firstNode, regionsOnly) }
      guard let owner = above else { continue }
      if case .region(let owner) = owner { regions[owner].region.causes += update.causes }
      lists[number].isCovered = true
      arrivals.forget(lists[number].brought)
    }
    lists.removeAll(where: \.isCovered)
    regions = regions.indices.filter { !gone.contains($0) }.map { regions[$0] }
  }

  /// Who looks at a node, or takes it away.
  enum Owner {
    case region(Int)
    case list(Int)
  }

  /// The regions by the nodes that stand in them. One that is a part of another is marked as covered.
  private mutating func regionsOwningNodes() throws(FullPath) -> [NodeTree.Index: Owner] {
    var owners: [NodeTree.Index: Int] = [:]
    // The largest first: one that shares nodes with another is a part of it.
    func size(_ region: RegionUpdate) -> (Int, Int) { (region.old.count, region.region.isElement ? 0 : 1) }
    for number in regions.indices.sorted(by: { size(regions[$0]) > size(regions[$1]) }) {
      let owned = regions[number].old.filter { owners[$0] != nil }
      if owned.isEmpty {
        for node in regions[number].old { owners[node] = number }
      } else if owned.count == regions[number].old.count, let owner = owners[owned[0]],
        owned.allSatisfy({ owners[$0] == owner })
      {
        regions[number].covered = true
        regions[owner].region.causes += regions[number].region.causes
      } else {
        throw FullPath("parts of the update overlap")
      }
    }
    return owners.mapValues(Owner.region)
  }

  /// The region around one in which nothing stands yet: it is where its neighbours are.
  private func ownerBeside(_ number: Int, _ owners: [NodeTree.Index: Owner]) -> Owner? {
    guard regions[number].old.isEmpty, !regions[number].covered else { return nil }
    for neighbour in [regions[number].region.key.after, regions[number].region.key.before] {
      guard let place = neighbour.flatMap(document.place(of:)), case .region(let owner)? = owners[place],
        !regions[owner].region.key.isElement
      else { continue }
      return .region(owner)
    }
    return nil
  }

  /// Whether what a region is about goes with an entry.
  private func isRemoved(_ number: Int, _ owners: [NodeTree.Index: Owner]) -> Bool {
    regions[number].old.contains { if case .list? = owners[$0] { true } else { false } }
  }

  private func owner(above node: NodeRef?, _ owners: [NodeTree.Index: Owner]) throws(FullPath) -> Owner? {
    var step = node.flatMap(document.place(of:))
    while let place = step {
      try budget.spend(1)
      if let owner = owners[place] { return owner }
      step = document.tree.parent(of: place)
    }
    return nil
  }
}
