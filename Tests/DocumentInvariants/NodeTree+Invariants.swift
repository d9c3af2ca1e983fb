package import MarkupDocument

/// The invariants of a tree, to be checked after every change.
extension NodeTree {
  /// The violated invariants, as sentences; empty if all hold.
  ///
  /// After every edit:
  /// - links agree in both directions: parent and child, previous and next, first and last;
  /// - only the node at ``root`` is a root; it has no parent, and a walk from it visits no node
  ///   twice;
  /// - the free list names every free position exactly once, and no node links to one.
  ///
  /// With `afterParse`, also:
  /// - every node of the storage is reachable from the root;
  /// - with `isParsed`, no text is empty or adjacent to another text (a client's patch can create
  ///   such texts);
  /// - only the root and elements have children, and no element has two attributes with one name.
  ///
  /// - Complexity: O(*nodes*).
  package func checkInvariants(afterParse: Bool = true, isParsed: Bool = true) -> [String] {
    var broken = brokenFreeList() + brokenLinks()
    // Walking the tree is only safe if the links are sound.
    if broken.isEmpty { broken = brokenReach(afterParse: afterParse) }
    if broken.isEmpty, afterParse { broken = brokenContent(isParsed: isParsed) }
    return broken
  }

  private func brokenFreeList() -> [String] {
    var broken: [String] = []
    var listed = Set<Int32>()
    for place in free {
      if !listed.insert(place).inserted { broken.append("index \(place) is in the free list twice") }
      if !links.indices.contains(Int(place)) || !links[Int(place)].isFree {
        broken.append("index \(place) is in the free list but not free")
      }
    }
    let marked = links.indices.filter { links[$0].isFree }.count
    if marked != listed.count { broken.append("\(marked) indexes are free, \(listed.count) are in the free list") }
    return broken
  }

  private func brokenLinks() -> [String] {
    var broken: [String] = []
    func isSound(_ link: Int32) -> Bool {
      link == Self.none || (links.indices.contains(Int(link)) && !links[Int(link)].isFree)
    }
    for (place, link) in links.enumerated() where !link.isFree {
      let place = Int32(place)
      let neighbours = [link.parent, link.firstChild, link.lastChild, link.previous, link.next]
      guard neighbours.allSatisfy(isSound) else {
        broken.append("node \(place) links to an index without a node")
        continue
      }
      if (place == Self.root.raw) != (self[Index(raw: place)] == .root) {
        broken.append("node \(place) is at the root's index without being the root, or is a second root")
      }
      let children = self.children(of: Index(raw: place)).prefix(links.count).reduce(0) { count, _ in count + 1 }
      if children != Int(link.childCount) {
        broken.append("node \(place) has the wrong child count \(link.childCount)")
      }
      if link.next != Self.none, links[Int(link.next)].previous != place {
        broken.append("the next sibling of \(place) does not link back to it")
      }
      if link.previous != Self.none, links[Int(link.previous)].next != place {
        broken.append("the previous sibling of \(place) does not link to it")
      }
      if link.parent == Self.none {
        if link.previous != Self.none || link.next != Self.none {
          broken.append("\(place) has siblings but no parent")
        }
      } else {
        let parent = links[Int(link.parent)]
        if link.previous == Self.none, parent.firstChild != place {
          broken.append("\(place) has no previous sibling but is not its parent's first child")
        }
        if link.next == Self.none, parent.lastChild != place {
          broken.append("\(place) has no next sibling but is not its parent's last child")
        }
      }
      if link.firstChild != Self.none, links[Int(link.firstChild)].parent != place {
        broken.append("the first child of \(place) has another parent")
      }
      if (link.firstChild == Self.none) != (link.lastChild == Self.none) {
        broken.append("node \(place) has a first or a last child but not both")
      }
    }
    if links[Int(Self.root.raw)].parent != Self.none { broken.append("the root has a parent") }
    return broken
  }

  private func brokenReach(afterParse: Bool) -> [String] {
    var broken: [String] = []
    var reached = 0
    for node in preorder() {
      reached += 1
      if reached > count { return ["the links form a cycle"] }
      for child in children(of: node) where links[Int(child.raw)].parent != node.raw {
        broken.append("node \(child.raw) is among the children of \(node.raw) but has another parent")
      }
    }
    if afterParse, reached != count { broken.append("\(count - reached) nodes are not reachable from the root") }
    return broken
  }

  private func brokenContent(isParsed: Bool) -> [String] {
    var broken: [String] = []
    for node in preorder() {
      switch self[node] {
      case .text(let text):
        if isParsed, text.isEmpty { broken.append("text \(node.raw) is empty") }
        if isParsed, let next = next(of: node), case .text = self[next] {
          broken.append("text \(node.raw) is adjacent to another text")
        }
        if firstChild(of: node) != nil { broken.append("text \(node.raw) has children") }
      case .comment, .processingInstruction:
        if firstChild(of: node) != nil { broken.append("comment or instruction \(node.raw) has children") }
      case .element(let element):
        if Set(element.attributes.map(\.name)).count != element.attributes.count {
          broken.append("element \(node.raw) has two attributes with one name")
        }
      case .root: break
      }
    }
    return broken
  }
}
