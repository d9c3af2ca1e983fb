/// Finds for every node of a page the node of the document that it is.
struct Matcher {
  let document: Document
  let page: Page
  let streams: StreamPatches
  var matches: Matches
  /// The first element with each id; a second one with the same id is as one without.
  private let oldByID: [String: NodeTree.Index]
  private let newByID: [String: NodeTree.Index]
  private let oldByOrigin: [Origin: NodeTree.Index]
  private let newOrigins: Set<Origin>

  var old: NodeTree { document.tree }
  var new: NodeTree { page.tree }

  init(document: Document, top: NodeTree.Index, page: Page, streams: StreamPatches) {
    self.document = document
    self.page = page
    self.streams = streams
    matches = Matches(document: document.tree, page: page.tree)
    oldByID = document.tree.firstByID(from: top)
    newByID = page.tree.firstByID(from: NodeTree.root)
    var byOrigin: [Origin: NodeTree.Index] = [:]
    for (node, origin) in document.marks.origins {
      guard let place = document.place(of: node) else { continue }
      // A component that stands twice is known by its first node.
      if let known = byOrigin[origin], document.ref(known) < node { continue }
      byOrigin[origin] = place
    }
    oldByOrigin = byOrigin
    newOrigins = Set(page.origins.values)
  }

  /// Pairs two nodes and everything below them; where they are of different kinds, what is below alone.
  mutating func match(_ oldTop: NodeTree.Index, _ newTop: NodeTree.Index) {
    keepEverything(outside: oldTop)
    if old[oldTop].isSuccessor(new[newTop]) {
      matches.pair(oldTop, newTop)
      matches.setStable(oldTop)
    }
    var pending = [newTop]
    while let node = pending.popLast() {
      let children = matchChildren(of: node)
      for child in children.reversed() {
        if case .new(let child) = child { pending.append(child) }
      }
    }
  }

  private mutating func matchChildren(of node: NodeTree.Index) -> [Matches.Child] {
    let isStream = new[node].element?.updateRule == .stream
    guard let partner = matches.partner(of: node) else {
      if isStream { return plan(StreamPlan.ofNewContainer(node, in: new, streams: streams), for: node, in: nil) }
      let children = Array(new.children(of: node))
      pairKeyed(children)
      return children.map { .new($0) }
    }
    matches.number(old.children(of: partner))
    switch old[partner].element?.updateRule ?? .replace {
    case .ignore:
      return plan(StreamPlan(old.children(of: partner).filter { !isTaken($0, outside: node) }), for: node, in: partner)
    case .stream:
      return plan(
        StreamPlan.ofContainer(
          node, in: new, partner: partner, in: document, streams: streams, isTaken: { isTaken($0, outside: node) }),
        for: node, in: partner)
    case .replace:
      let children = Array(new.children(of: node))
      pairKeyed(children)
      align(Array(old.children(of: partner)), with: children, under: partner)
      return children.map { .new($0) }
    }
  }

  // MARK: - By id and by origin

  private mutating func pairKeyed(_ children: [NodeTree.Index]) {
    for child in children {
      if let partner = partnerByID(of: child) ?? partnerByOrigin(of: child) { matches.pair(partner, child) }
    }
  }

  private func partnerByID(of node: NodeTree.Index) -> NodeTree.Index? {
    guard let element = new[node].element, let id = element.id, newByID[id] == node, let partner = oldByID[id],
      !matches.isClaimed(partner), old[partner].element?.isOfKind(element) == true
    else { return nil }
    return partner
  }

  private func partnerByOrigin(of node: NodeTree.Index) -> NodeTree.Index? {
    guard let origin = page.origins[node], let partner = oldByOrigin[origin], !matches.isClaimed(partner),
      old[partner].isLike(new[node])
    else { return nil }
    return partner
  }

  // MARK: - By place

  /// Decides which of the children that are kept stay where they are, and pairs those without a key of any kind by
  /// their place between the ones that stay.
  private mutating func align(
    _ oldChildren: [NodeTree.Index], with newChildren: [NodeTree.Index], under parent: NodeTree.Index
  ) {
    var candidates: [(place: Int, position: Int)] = []
    for (place, child) in newChildren.enumerated() {
      guard let partner = matches.partner(of: child), old.parent(of: partner) == parent,
        let position = matches.position(of: partner)
      else { continue }
      candidates.append((place, position))
    }
    var (oldStart, newStart) = (0, 0)
    for anchor in longestIncreasingSubsequence(of: candidates.map(\.position)) {
      let (place, position) = candidates[anchor]
      matches.setStable(oldChildren[position])
      alignRun(oldChildren[oldStart..<position], with: newChildren[newStart..<place])
      (oldStart, newStart) = (position + 1, place + 1)
    }
    alignRun(oldChildren[oldStart...], with: newChildren[newStart...])
  }

  private mutating func alignRun(_ oldRun: ArraySlice<NodeTree.Index>, with newRun: ArraySlice<NodeTree.Index>) {
    if oldRun.isEmpty || newRun.isEmpty { return }
    let oldRun = oldRun.filter { isPlaceable($0) }
    let newRun = newRun.filter { matches.partner(of: $0) == nil }
    for (oldPosition, newPosition) in pairsInOrder(
      oldRun.count, newRun.count, isPair: { isPair(oldRun[$0], newRun[$1]) })
    {
      matches.pair(oldRun[oldPosition], newRun[newPosition])
      matches.setStable(oldRun[oldPosition])
    }
  }

  /// Whether a node of the document may be found by its place: not if it has a partner, nor if one will ask for it.
  private func isPlaceable(_ node: NodeTree.Index) -> Bool {
    if matches.isClaimed(node) { return false }
    if let origin = document.marks.origins[document.ref(node)], newOrigins.contains(origin),
      oldByOrigin[origin] == node, old[node].element?.id == nil
    {
      return false
    }
    return true
  }

  private func isPair(_ oldNode: NodeTree.Index, _ newNode: NodeTree.Index) -> Bool {
    guard old[oldNode].isLike(new[newNode]) else { return false }
    // The first with an id is found by it or not at all.
    if let id = old[oldNode].element?.id, oldByID[id] == oldNode { return false }
    let origin = document.marks.origins[document.ref(oldNode)]
    return origin?.excludes(page.origins[newNode]) != true
  }

  // MARK: - By plan

  /// Pairs and keeps what a plan says, which is the whole of the children.
  private mutating func plan(
    _ plan: StreamPlan, for node: NodeTree.Index, in parent: NodeTree.Index?
  ) -> [Matches.Child] {
    var children: [Matches.Child] = []
    var candidates: [NodeTree.Index] = []
    for item in plan.items {
      switch item {
      case .kept(let kept):
        keep(kept, for: node)
        children.append(.kept(kept))
        candidates.append(kept)
      case .new(let child, let partner):
        children.append(.new(child))
        if let partner, !matches.isClaimed(partner) {
          matches.pair(partner, child)
          candidates.append(partner)
        } else if let partner = partnerByID(of: child) ?? partnerByOrigin(of: child) {
          matches.pair(partner, child)
        }
      }
    }
    let siblings = candidates.filter { parent != nil && old.parent(of: $0) == parent }
    for stays in longestIncreasingSubsequence(of: siblings.map { matches.position(of: $0) ?? 0 }) {
      matches.setStable(siblings[stays])
    }
    matches.setPlan(children, of: node)
    return children
  }

  private mutating func keepEverything(outside top: NodeTree.Index) {
    guard top != NodeTree.root else { return }
    var node: NodeTree.Index? = NodeTree.root
    while let step = node {
      if step != top {
        matches.claim(step)
        matches.setStable(step)
      }
      node = old.successor(of: step, within: NodeTree.root, skippingChildren: step == top)
    }
  }

  /// Keeps a node and all below it, but for what has found a partner elsewhere or will.
  private mutating func keep(_ top: NodeTree.Index, for container: NodeTree.Index) {
    var node: NodeTree.Index? = top
    while let step = node {
      let isTaken = isTaken(step, outside: container)
      if !isTaken {
        matches.claim(step)
        if step != top { matches.setStable(step) }
      }
      node = old.successor(of: step, within: top, skippingChildren: isTaken)
    }
  }
}

extension Matcher {
  /// Whether what a container would keep goes elsewhere: it has a partner already, or the page shows an element with its
  /// id outside of that container.
  private func isTaken(_ node: NodeTree.Index, outside container: NodeTree.Index) -> Bool {
    if matches.isClaimed(node) { return true }
    guard let element = old[node].element, let id = element.id, oldByID[id] == node, let wanted = newByID[id],
      new[wanted].element?.isOfKind(element) == true
    else { return false }
    var above = new.parent(of: wanted)
    while let step = above {
      // What the page shows inside of an ignored element that is there is looked at by nobody.
      let isUnseen =
        new[step].element?.updateRule == .ignore && (matches.partner(of: step) ?? partnerByID(of: step)) != nil
      if step == container || isUnseen { return false }
      above = new.parent(of: step)
    }
    return true
  }
}

extension NodeContent {
  /// Whether two tops are the same node: the root and what stands for it, or one component before and after.
  fileprivate func isSuccessor(_ other: NodeContent) -> Bool {
    switch (self, other) {
    case (.root, _): true
    case (.element(let a), .element(let b)): a.isOfKind(b)
    default: false
    }
  }

  /// Whether the one may become the other: what differs is text, or attributes that are not the id.
  fileprivate func isLike(_ other: NodeContent) -> Bool {
    switch (self, other) {
    case (.text, .text), (.comment, .comment): true
    case (.processingInstruction(let a), .processingInstruction(let b)): a.target == b.target
    case (.element(let a), .element(let b)): a.isOfKind(b) && a.id == b.id
    default: false
    }
  }
}

extension Element {
  /// A change of tag is a new node.
  func isOfKind(_ other: Element) -> Bool { tag == other.tag && namespace == other.namespace }
}

extension NodeTree {
  /// The first element in document order with each id.
  func firstByID(from top: Index) -> [String: Index] {
    var first: [String: Index] = [:]
    for node in preorder(from: top) {
      if let id = self[node].element?.id, first[id] == nil { first[id] = node }
    }
    return first
  }
}
