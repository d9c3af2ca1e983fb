internal import MarkupDocument

/// What of an update stands inside of something else that is looked at.
extension ScopedUpdate {
  /// Where an element of the list is looked at as a whole, so is the list.
  mutating func joinLists() throws(FullPath) {
    for number in lists.indices.reversed() {
      let list = lists[number]
      let hasElement = regions.contains { $0.region.key.isElement && $0.region.key.parent == list.update.parent }
      guard hasElement else { continue }
      lists.remove(at: number)
      arrivals.forget(list.brought)
      try locate(list.slot, of: list.path, list.update.causes)
    }
  }

  /// What stands in a region is looked at with it.
  mutating func dropCovered() throws(FullPath) {
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
}
