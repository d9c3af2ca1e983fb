/// What always holds of a tree, for tests to ask after every change.
extension NodeTree {
  /// The broken rules, as sentences; empty when all is well.
  ///
  /// After every edit:
  /// - links agree both ways: parent and child, previous and next, first and last;
  /// - the root, and only it, stands at ``root`` and has no parent, and no node is met twice on the way down from it;
  /// - free places are exactly those listed as free, each once, and nothing links to one.
  ///
  /// After a parse moreover, with `afterParse`:
  /// - every node in the storage is reached from the root;
  /// - with `isParsed`, no text is empty and none stands next to another (a client's patch can leave such texts);
  /// - only the root and elements have children, and no element names an attribute twice.
  ///
  /// - Complexity: O(*nodes*).
  package func checkInvariants(afterParse: Bool = true, isParsed: Bool = true) -> [String] {
    var broken = brokenFreeList() + brokenLinks()
    // A walk is only safe over sound links.
    if broken.isEmpty { broken = brokenReach(afterParse: afterParse) }
    if broken.isEmpty, afterParse { broken = brokenContent(isParsed: isParsed) }
    return broken
  }

  private func brokenFreeList() -> [String] {
    var broken: [String] = []
    var listed = Set<Int32>()
    for place in free {
      if !listed.insert(place).inserted { broken.append("place \(place) is free twice") }
      if !records.indices.contains(Int(place)) || !records[Int(place)].isFree {
        broken.append("place \(place) is listed as free and is not")
      }
    }
    let marked = records.indices.filter { records[$0].isFree }.count
    if marked != listed.count { broken.append("\(marked) places are free, \(listed.count) are listed") }
    return broken
  }

  private func brokenLinks() -> [String] {
    var broken: [String] = []
    func isSound(_ link: Int32) -> Bool {
      link == Self.none || (records.indices.contains(Int(link)) && !records[Int(link)].isFree)
    }
    for (place, record) in records.enumerated() where !record.isFree {
      let place = Int32(place)
      let links = [record.parent, record.firstChild, record.lastChild, record.previous, record.next]
      guard links.allSatisfy(isSound) else {
        broken.append("node \(place) links to a place that holds no node")
        continue
      }
      if (place == Self.root.raw) != (record.content == .root) {
        broken.append("node \(place) is no root, or a second")
      }
      let children = self.children(of: Index(raw: place)).prefix(records.count).reduce(0) { count, _ in count + 1 }
      if children != Int(record.childCount) { broken.append("node \(place) counts \(record.childCount) children") }
      if record.next != Self.none, records[Int(record.next)].previous != place {
        broken.append("the node after \(place) does not link back")
      }
      if record.previous != Self.none, records[Int(record.previous)].next != place {
        broken.append("the node before \(place) does not link on")
      }
      if record.parent == Self.none {
        if record.previous != Self.none || record.next != Self.none { broken.append("orphan \(place) has siblings") }
      } else {
        let parent = records[Int(record.parent)]
        if record.previous == Self.none, parent.firstChild != place {
          broken.append("\(place) is first, unknown above")
        }
        if record.next == Self.none, parent.lastChild != place { broken.append("\(place) is last, unknown above") }
      }
      if record.firstChild != Self.none, records[Int(record.firstChild)].parent != place {
        broken.append("the first child of \(place) has another parent")
      }
      if (record.firstChild == Self.none) != (record.lastChild == Self.none) {
        broken.append("node \(place) has a first or a last child only")
      }
    }
    if records[Int(Self.root.raw)].parent != Self.none { broken.append("the root has a parent") }
    return broken
  }

  private func brokenReach(afterParse: Bool) -> [String] {
    var broken: [String] = []
    var reached = 0
    for node in preorder() {
      reached += 1
      if reached > count { return ["the links run in a circle"] }
      for child in children(of: node) where records[Int(child.raw)].parent != node.raw {
        broken.append("node \(child.raw) stands among the children of \(node.raw) and has another parent")
      }
    }
    if afterParse, reached != count { broken.append("\(count - reached) nodes are not reached from the root") }
    return broken
  }

  private func brokenContent(isParsed: Bool) -> [String] {
    var broken: [String] = []
    for node in preorder() {
      switch self[node] {
      case .text(let text):
        if isParsed, text.isEmpty { broken.append("text \(node.raw) is empty") }
        if isParsed, let next = next(of: node), case .text = self[next] {
          broken.append("text \(node.raw) stands next to text")
        }
        if firstChild(of: node) != nil { broken.append("text \(node.raw) has children") }
      case .comment, .processingInstruction:
        if firstChild(of: node) != nil { broken.append("comment or instruction \(node.raw) has children") }
      case .element(let element):
        if Set(element.attributes.map(\.name)).count != element.attributes.count {
          broken.append("element \(node.raw) names an attribute twice")
        }
      case .root: break
      }
    }
    return broken
  }
}
