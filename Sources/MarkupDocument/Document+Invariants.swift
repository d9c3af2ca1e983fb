extension Document {
  /// Everything that must hold of a document between two updates; empty where it does. Tests call it after each.
  ///
  /// - Complexity: O(*nodes*).
  package func checkInvariants() -> [String] {
    var faults = tree.checkInvariants(isParsed: false)
    let reachable = Array(tree.preorder())
    if reachable.count != tree.count { faults.append("\(tree.count) nodes are held, \(reachable.count) are reachable") }
    if places.count + 1 != reachable.count { faults.append("\(places.count + 1) names for \(reachable.count) nodes") }
    for place in reachable {
      let number = numbers.indices.contains(Int(place.raw)) ? numbers[Int(place.raw)] : 0
      if number <= 0 { faults.append("the node at \(place.raw) has no name") }
      if number >= nextNumber { faults.append("node \(number) has a name that is yet to be given") }
      if let next = tree.next(of: place), ranks[Int(place.raw)] >= ranks[Int(next.raw)] {
        faults.append("node \(number) has no lower rank than the one after it")
      }
      if self.place(of: ref(place)) != place { faults.append("the name \(number) does not lead to its node") }
    }
    for node in marks.origins.keys where !contains(node) {
      faults.append("an origin is kept for \(node), which is gone")
    }
    for node in marks.roots.keys where content(of: node)?.element == nil {
      faults.append("a root is kept for \(node), which is gone")
    }
    let states = Set(marks.streams.keys).union(marks.ignored.keys).union(marks.portals.keys)
    for node in states where !contains(node) {
      faults.append("a client's state is kept for \(node), which is gone")
    }
    return faults + brokenIndexes(reachable)
  }

  /// What the indexes say must be what a walk finds.
  private func brokenIndexes(_ reachable: [NodeTree.Index]) -> [String] {
    var faults: [String] = []
    var byID: [IDKey: [NodeRef]] = [:]
    for place in reachable {
      if let id = tree[place].element?.id { byID[IDKey(id), default: []].append(ref(place)) }
    }
    if ids.keys != Set(byID.keys) { faults.append("\(ids.keys.count) ids are known, \(byID.count) stand") }
    for (key, nodes) in byID {
      if count(ofID: key.id) != nodes.count { faults.append("#\(key.id) stands \(nodes.count) times") }
      if node(withID: key.id) != nodes[0] { faults.append("#\(key.id) does not lead to its first element") }
    }
    if hasDuplicateIDs != byID.values.contains(where: { $0.count > 1 }) { faults.append("ids stand twice, or not") }
    var byComponent: [Int: [NodeRef]] = [:]
    for (node, origin) in marks.origins where origin.group == Origin.components {
      byComponent[origin.member, default: []].append(node)
    }
    if components != Set(byComponent.keys) { faults.append("other components are known than are marked") }
    for (cid, nodes) in byComponent where nodes.sorted() != self.nodes(ofComponent: cid) {
      faults.append("component \(cid) does not lead to its nodes")
    }
    if let knownDuplicates {
      var copy = self
      copy.knownDuplicates = nil
      if copy.duplicateIDs() != knownDuplicates { faults.append("other duplicate ids are known than stand") }
    }
    return faults
  }

  /// Whether two documents hold the same nodes under the same names, attributes as sets.
  package func isSame(as other: Document) -> Bool {
    let (mine, theirs) = (Array(tree.preorder()), Array(other.tree.preorder()))
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).allSatisfy { a, b in
      ref(a) == other.ref(b) && tree.parent(of: a).map(ref) == other.tree.parent(of: b).map(other.ref)
        && tree[a].isEqual(to: other.tree[b])
    }
  }
}
