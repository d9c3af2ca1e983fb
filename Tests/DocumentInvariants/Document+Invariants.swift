package import MarkupDocument
internal import MirrorSupport

extension Document {
  /// The invariants of a document that are violated, as sentences; empty if all hold. Tests check
  /// them after every update.
  ///
  /// - Complexity: O(*nodes*).
  package func checkInvariants() -> [String] {
    var faults = tree.checkInvariants(isParsed: false)
    let reachable = Array(tree.preorder())
    if reachable.count != tree.count {
      faults.append("\(tree.count) nodes are stored, \(reachable.count) are reachable")
    }
    if treeIndexes.count + 1 != reachable.count {
      faults.append("\(treeIndexes.count + 1) references for \(reachable.count) nodes")
    }
    for place in reachable {
      let number = numbers.indices.contains(Int(place.raw)) ? numbers[Int(place.raw)] : 0
      if number <= 0 { faults.append("the node at index \(place.raw) has no number") }
      if number >= nextNumber { faults.append("node \(number) has a number that is reserved for new nodes") }
      if let next = tree.next(of: place), ranks[Int(place.raw)] >= ranks[Int(next.raw)] {
        faults.append("node \(number) does not have a lower rank than its next sibling")
      }
      if self.treeIndex(of: ref(place)) != place { faults.append("number \(number) is not indexed with its node") }
    }
    for node in marks.origins.keys where !contains(node) {
      faults.append("an origin is stored for \(node), which was removed")
    }
    for node in marks.roots.keys where content(of: node)?.element == nil {
      faults.append("a root is stored for \(node), which was removed or is not an element")
    }
    let states = Set(marks.streams.keys).union(marks.ignored.keys).union(marks.portals.keys)
    for node in states where !contains(node) {
      faults.append("a client state is stored for \(node), which was removed")
    }
    return faults + brokenIndexes(reachable)
  }

  /// Compares the indexes with the result of a walk over all nodes.
  private func brokenIndexes(_ reachable: [NodeTree.Index]) -> [String] {
    var faults: [String] = []
    var byID: [ByteString: [NodeRef]] = [:]
    for place in reachable {
      if let id = tree[place].element?.id { byID[ByteString(id), default: []].append(ref(place)) }
    }
    if ids.keys != Set(byID.keys) {
      faults.append("\(ids.keys.count) ids are indexed, but the document has \(byID.count)")
    }
    for (key, nodes) in byID {
      if count(ofID: key.text) != nodes.count {
        faults.append("#\(key.text) occurs \(nodes.count) times, which is not its indexed count")
      }
      if node(withID: key.text) != nodes[0] { faults.append("#\(key.text) is not indexed with its first element") }
    }
    if hasDuplicateIDs != byID.values.contains(where: { $0.count > 1 }) {
      faults.append("the index of duplicate ids does not match the document")
    }
    var byComponent: [Int: [NodeRef]] = [:]
    for (node, origin) in marks.origins where origin.group == Origin.components {
      byComponent[origin.member, default: []].append(node)
    }
    if components != Set(byComponent.keys) { faults.append("the indexed components are not the marked ones") }
    for (cid, nodes) in byComponent where nodes.sorted() != self.nodes(ofComponent: cid) {
      faults.append("component \(cid) is not indexed with its nodes")
    }
    if let knownDuplicates {
      var copy = self
      copy.knownDuplicates = nil
      if copy.duplicateIDs() != knownDuplicates { faults.append("the cached duplicate ids are out of date") }
    }
    return faults
  }
}
