extension Document {
  /// Everything that must hold of a document between two updates; empty where it does. Tests call it after each.
  ///
  /// - Complexity: O(*nodes*).
  package func checkInvariants() -> [String] {
    var faults = tree.checkInvariants()
    let reachable = Array(tree.preorder())
    if reachable.count != tree.count { faults.append("\(tree.count) nodes are held, \(reachable.count) are reachable") }
    if places.count != reachable.count { faults.append("\(places.count) names for \(reachable.count) nodes") }
    for place in reachable {
      let number = numbers.indices.contains(Int(place.raw)) ? numbers[Int(place.raw)] : 0
      if number <= 0 { faults.append("the node at \(place.raw) has no name") }
      if number >= nextNumber { faults.append("node \(number) has a name that is yet to be given") }
      if places[number] != place { faults.append("the name \(number) does not lead to its node") }
    }
    for node in marks.origins.keys where !contains(node) {
      faults.append("an origin is kept for \(node), which is gone")
    }
    for node in marks.streams.keys where !contains(node) {
      faults.append("a stream is kept for \(node), which is gone")
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
