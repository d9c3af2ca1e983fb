/// Finds, for every node of a page, the node of the document with the same identity: its partner.
///
/// ``Morph`` makes one for each comparison. Two nodes become partners at most once, and a pair is
/// never undone.
struct Matcher {
  private let identities: Identities
  private let patched: PatchedPage
  private(set) var matches: Matches

  private var document: Document { identities.document }
  private var page: Page { identities.page }
  private var old: NodeTree { identities.document.tree }
  private var new: NodeTree { identities.page.tree }

  init(document: Document, patched: PatchedPage) {
    identities = Identities(of: document, patched)
    self.patched = patched
    matches = Matches(document: document.tree, page: patched.page.tree)
  }

  /// Matches all nodes. For a node that the client left unchanged, the patch has already recorded
  /// the partner.
  mutating func match() {
    matches.pair(NodeTree.root, patched.top)
    matches.setStable(NodeTree.root)
    for (new, old) in patched.kept { matches.pair(old, new) }
    for (new, old) in patched.renamed where matches.partner(of: new) == nil && !matches.isClaimed(old) {
      matches.pair(old, new)
    }
    pairByID()
    let hasOrigins = !page.origins.isEmpty
    for node in new.preorder(from: patched.top) {
      if hasOrigins {
        for child in new.children(of: node) where matches.partner(of: child) == nil { pairByOrigin(child) }
      }
      guard let partner = matches.partner(of: node), !keepsChildren(of: partner, as: node) else { continue }
      matches.number(old.children(of: partner))
      align(Array(old.children(of: partner)), with: Array(new.children(of: node)), under: partner)
    }
  }

  /// Pairs the children of two partners one by one, if none of them arrives, leaves or moves. Most
  /// nodes are like that, and ``align(_:with:under:)`` would find the same pairs.
  ///
  /// - Returns: whether the children were paired. If not, nothing has changed.
  private mutating func keepsChildren(of partner: NodeTree.Index, as node: NodeTree.Index) -> Bool {
    guard old.childCount(of: partner) == new.childCount(of: node) else { return false }
    var (before, after) = (old.firstChild(of: partner), new.firstChild(of: node))
    while let one = before, let other = after {
      if let known = matches.partner(of: other) {
        if known != one { return false }
      } else if !isPlaceable(one) || !identities.isPair(one, other) {
        return false
      }
      (before, after) = (old.next(of: one), new.next(of: other))
    }
    matches.keepChildren(old.children(of: partner), as: new.children(of: node), of: node)
    return true
  }

  // MARK: - By id and origin

  private mutating func pairByID() {
    for (id, node) in identities.new.first where matches.partner(of: node) == nil {
      guard let element = new[node].element, let partner = identities.old.first[id], !matches.isClaimed(partner),
        old[partner].element?.isOfKind(element) == true
      else { continue }
      matches.pair(partner, node)
    }
  }

  private mutating func pairByOrigin(_ node: NodeTree.Index) {
    guard let origin = page.origins[node], let partner = identities.oldByOrigin[origin], !matches.isClaimed(partner),
      old[partner].isLike(new[node]), identities.old.isInTemplate(partner) == identities.new.isInTemplate(node),
      mayPair(partner, node, of: origin)
    else { return }
    matches.pair(partner, node)
  }

  /// Whether the origin of two nodes may make them partners. A node inside an element with an id is
  /// paired only with a node inside of that element's partner. A node outside of all such elements
  /// is paired only with a node that is outside of them too. Children of partners may always be
  /// paired. Components keep their identity everywhere.
  ///
  /// - Complexity: O(*depth*)
  private func mayPair(_ oldNode: NodeTree.Index, _ newNode: NodeTree.Index, of origin: Origin) -> Bool {
    if origin.component != nil { return true }
    if let above = new.parent(of: newNode), let partner = matches.partner(of: above), partner == old.parent(of: oldNode)
    {
      return true
    }
    let around = (
      old: identities.old.element(around: oldNode, in: old), new: identities.new.element(around: newNode, in: new)
    )
    guard let element = around.new else { return around.old == nil }
    return matches.partner(of: element).map { $0 == around.old } ?? false
  }

  /// Whether several elements of the page have the same id, including elements in the content of
  /// templates.
  var repeatsIDs: Bool { identities.new.isRepeated }

  /// Whether an element that LiveView's client finds by its key (an id, or the mark of a root) gets
  /// another parent, or several elements have the same id.
  ///
  /// - Complexity: O(*nodes of the page*)
  func movesKeys() -> Bool {
    func isMoved(_ partner: NodeTree.Index, _ node: NodeTree.Index) -> Bool {
      new.parent(of: node).flatMap(matches.partner) != old.parent(of: partner)
    }
    if identities.new.isShared { return true }
    for node in identities.new.first.values {
      if let partner = matches.partner(of: node), isMoved(partner, node) { return true }
    }
    for (node, origin) in page.origins where origin.rootComponent != nil {
      if let partner = matches.partner(of: node), isMoved(partner, node) { return true }
    }
    if page.roots.isEmpty || document.marks.roots.isEmpty { return false }
    let roots = document.marks.oldestRoots
    return page.roots.contains { node, root in
      roots[root].flatMap(document.treeIndex).map { isMoved($0, node) } ?? false
    }
  }

  // MARK: - By position

  /// Decides which of the children with a partner stay in place. The other children between them
  /// are then matched by position.
  private mutating func align(
    _ oldChildren: [NodeTree.Index], with newChildren: [NodeTree.Index], under parent: NodeTree.Index
  ) {
    var (oldStart, newStart) = (0, 0)
    for (place, position) in matches.keepInPlace(newChildren, under: parent, of: old) {
      alignRun(oldChildren[oldStart..<position], with: newChildren[newStart..<place])
      (oldStart, newStart) = (position + 1, place + 1)
    }
    alignRun(oldChildren[oldStart...], with: newChildren[newStart...])
  }

  private mutating func alignRun(_ oldRun: ArraySlice<NodeTree.Index>, with newRun: ArraySlice<NodeTree.Index>) {
    if oldRun.isEmpty || newRun.isEmpty { return }
    let oldRun = oldRun.filter { isPlaceable($0) }
    let newRun = newRun.filter { matches.partner(of: $0) == nil }
    // A closure that uses `self` would copy the matcher for each call.
    let identities = identities
    for (oldPosition, newPosition) in pairsInOrder(
      oldRun.count, newRun.count, isPair: { identities.isPair(oldRun[$0], newRun[$1]) })
    {
      matches.pair(oldRun[oldPosition], newRun[newPosition])
      matches.setStable(oldRun[oldPosition])
    }
  }

  /// Whether a node of the document may be matched by position: it has no partner yet, and no node
  /// of the page with the same origin can still claim it.
  private func isPlaceable(_ node: NodeTree.Index) -> Bool {
    if matches.isClaimed(node) { return false }
    guard let origin = identities.origin(of: node), let claimant = identities.newByOrigin[origin],
      identities.oldByOrigin[origin] == node, old[node].element?.id == nil
    else { return true }
    return !mayPair(node, claimant, of: origin)
  }
}

/// The ids and origins of a document and of a page. They do not change while partners are found. A
/// class, so that closures of the matcher share one instance.
private final class Identities {
  let document: Document
  let page: Page
  /// The first element with each id. Later elements with the same id are matched by origin or
  /// position.
  let old: IDTable
  let new: IDTable
  let oldByOrigin: [Origin: NodeTree.Index]
  /// The last node of the page with each origin; a node outside of templates takes precedence.
  let newByOrigin: [Origin: NodeTree.Index]
  /// Per storage index of the document: whether the node has an origin. Few nodes have one.
  private let hasOrigin: [Bool]

  init(of document: Document, _ patched: PatchedPage) {
    (self.document, page) = (document, patched.page)
    let old = IDTable(document.tree, from: NodeTree.root, document.dialect, expecting: document.ids.count)
    let new = IDTable(patched.page.tree, from: patched.top, document.dialect, expecting: old.first.count)
    var hasOrigin = [Bool](repeating: false, count: document.tree.storageCount)
    var byOrigin: [Origin: NodeTree.Index] = [:]
    byOrigin.reserveCapacity(document.marks.origins.count)
    for (node, origin) in document.marks.origins {
      guard let place = document.treeIndex(of: node) else { continue }
      hasOrigin[Int(place.raw)] = true
      // A component that is in the document twice is represented by its oldest node. Of a portal's
      // content, the shown node counts and not its copy in the template.
      if let known = byOrigin[origin] {
        let isHidden = (known: old.isInTemplate(known), new: old.isInTemplate(place))
        if isHidden.new != isHidden.known ? isHidden.new : document.ref(known) < node { continue }
      }
      byOrigin[origin] = place
    }
    oldByOrigin = byOrigin
    newByOrigin = Dictionary(patched.page.origins.lazy.map { ($0.value, $0.key) }) { a, b in
      let isHidden = (new.isInTemplate(a), new.isInTemplate(b))
      return isHidden.0 != isHidden.1 ? (isHidden.0 ? b : a) : a.raw > b.raw ? a : b
    }
    (self.old, self.new, self.hasOrigin) = (old, new, hasOrigin)
  }

  /// The origin of a node of the document.
  func origin(of node: NodeTree.Index) -> Origin? {
    hasOrigin[Int(node.raw)] ? document.marks.origins[document.ref(node)] : nil
  }

  /// Whether two nodes at corresponding positions may be partners.
  func isPair(_ oldNode: NodeTree.Index, _ newNode: NodeTree.Index) -> Bool {
    // The first element with an id is matched by its id or not at all.
    if old.isFirst(oldNode) || old.hasID(oldNode) != new.hasID(newNode) { return false }
    let (mine, other) = (document.tree[oldNode], page.tree[newNode])
    guard old.hasID(oldNode) ? mine.isLike(other) : mine.isOfKind(other) else { return false }
    guard let origin = origin(of: oldNode) else { return true }
    return !origin.excludes(page.origins[newNode])
  }
}

extension NodeContent {
  /// Whether one node can become the other: only text, or attributes other than the id, may differ.
  func isLike(_ other: NodeContent) -> Bool {
    if case .element(let a) = self, case .element(let b) = other, a.id != b.id { return false }
    return isOfKind(other)
  }

  /// Whether only text or attributes may differ.
  func isOfKind(_ other: NodeContent) -> Bool {
    switch (self, other) {
    case (.text, .text), (.comment, .comment): true
    case (.processingInstruction(let a), .processingInstruction(let b)): a.target == b.target
    case (.element(let a), .element(let b)): a.isOfKind(b)
    default: false
    }
  }
}

extension Element {
  /// Whether two elements have the same tag and namespace. An element with another tag is always a
  /// new node.
  func isOfKind(_ other: Element) -> Bool { tag == other.tag && namespace == other.namespace }
}

/// The first element with each id, in document order. The content of each HTML `template` is a tree
/// of its own: a portal shows a copy of it elsewhere, with the same ids.
private struct IDTable {
  struct Key: Hashable {
    let id: String
    /// The id of the `template` around the element; `nil` outside of all templates.
    let template: String?
  }

  private(set) var first: [Key: NodeTree.Index] = [:]
  /// Per storage index: whether the node has an id, and whether it is in ``first``.
  private var (haveID, areFirst): ([Bool], [Bool])
  /// Whether two elements outside of templates have the same id.
  private(set) var isShared = false
  /// The nodes inside of templates, with the id of the innermost one.
  private var templates: [NodeTree.Index: String] = [:]

  /// - Parameter count: how many ids to make room for.
  /// - Complexity: O(*nodes*)
  init(_ tree: NodeTree, from top: NodeTree.Index, _ dialect: Dialect, expecting count: Int) {
    first.reserveCapacity(count)
    haveID = Array(repeating: false, count: tree.storageCount)
    areFirst = haveID
    for node in tree.preorder(from: top) {
      if dialect.isPatchedByBrowser, node != top, let parent = tree.parent(of: node) {
        let isContent = tree[parent].element?.isHTML("template") == true
        if let template = isContent ? tree[parent].element?.id ?? "" : templates[parent] { templates[node] = template }
      }
      guard let id = tree[node].element?.id else { continue }
      haveID[Int(node.raw)] = true
      let key = Key(id: id, template: templates[node])
      // Finds and adds the key at once.
      func isNode(_ first: inout NodeTree.Index) -> Bool { first == node }
      if isNode(&first[key, default: node]) {
        areFirst[Int(node.raw)] = true
      } else if key.template == nil {
        isShared = true
      }
    }
  }

  /// Whether two elements have the same id, also in the content of templates.
  var isRepeated: Bool {
    if isShared || templates.isEmpty { return isShared }
    return Set(first.keys.lazy.map(\.id)).count < first.count
  }

  func isInTemplate(_ node: NodeTree.Index) -> Bool { templates[node] != nil }

  /// Whether a node of the table's tree is the first element with its id.
  func isFirst(_ node: NodeTree.Index) -> Bool { areFirst[Int(node.raw)] }

  func hasID(_ node: NodeTree.Index) -> Bool { haveID[Int(node.raw)] }

  /// The nearest ancestor of a node that is the first element with its id.
  ///
  /// - Complexity: O(*depth*)
  func element(around node: NodeTree.Index, in tree: NodeTree) -> NodeTree.Index? {
    tree.chain(from: node).dropFirst().first(where: isFirst)
  }
}
