/// What LiveView's own client makes of an update: the tree that a browser holds after it.
///
/// A page says what a view renders. What a browser shows can be something else: the items of a stream and of a container
/// with `phx-update="append"` stay without being rendered again, an ignored element keeps its content, `JS.ignore_attributes`
/// keeps attributes, a portal appears elsewhere, a matched `template` keeps its content. All of that depends on which
/// element of the document the client takes for which element of the page. So this type patches as the client does
/// (`dom_patch`, LiveView 1.0 to 1.2, on morphdom 2.7): it walks both trees, pairs elements by key and place, and moves,
/// removes and adds nodes in the same order with the same rules. ``Morph`` then compares the document with the result, and
/// decides identity by rules of its own.
///
/// Of the client's state, what a mirror cannot know is left out: focus, the user's input, hooks, locked elements.
///
/// - Complexity: O(*nodes of both*); a limit, a counted place and a removal cost what they touch.
struct ClientPatch {
  var tree: PatchTree
  let rules: PatchRules
  private var skipped = SkippedRoots()
  /// Stands for the view's element.
  private(set) var root = PatchTree.none
  /// By stream, then by id, what the update inserts.
  var inserts: [String: StreamInsert] = [:]
  /// Items that were taken out and that the same update inserts again, by id.
  var restorable: [String: PatchTree.Index] = [:]
  /// The elements of the document by `id`, once one has been asked for.
  private var elementsByID: [String: Candidates]?

  private struct Candidates {
    var nodes: [PatchTree.Index] = []
    /// So many of them were taken out of their parents. One that is put back is noted anew.
    var gone = 0
    /// ``PatchTree/insertions`` when they were put in document order, which later insertions may have changed; -1 where one
    /// was added at the end.
    var sortedAt = -1
  }
  /// Elements with `phx-remove`: their removal waits for the end of the patch.
  var pendingRemovals: [PatchTree.Index] = []
  var added: [PatchTree.Index] = []
  var restorers: [ContainerRestorer] = []
  /// Templates whose content is to be put at its target when all else is in place.
  var portals: [PatchTree.Index] = []
  var teleported: [PatchTree.Index] = []
  /// What the browser selects in lists of the new markup; -1 for nothing.
  var selections: [PatchTree.Index: PatchTree.Index] = [:]

  /// The keyed elements that have not been matched yet.
  var lookup: [PatchKey: PatchTree.Index] = [:]
  /// Elements with a key that another one has, and all elements around them.
  var aroundSharedKeys: Set<PatchTree.Index> = []
  /// Keys whose elements go at the end, unless they were matched by then.
  var removals: [PatchKey] = []
  /// See ``Morph/Outcome/keepsOtherNames``.
  var keepsOtherNames = false

  struct StreamInsert {
    var stream: String
    var at: Int
    var limit: Int?
    var updateOnly: Bool
    var reset: Bool
  }

  init(rules: PatchRules, dialect: Dialect) {
    self.rules = rules
    tree = PatchTree(dialect: dialect)
  }

  // MARK: - Loading

  /// Copies the document that is patched.
  mutating func load(_ document: Document) { load(HeldTree(document)) }

  /// Copies what the client holds.
  mutating func load(_ held: HeldTree) {
    tree.reserveCapacity(held.tree.count * 2)
    var portaled: [NodeTree.Index] = []
    let places: [PatchTree.Index]
    (root, places) = copy(NodeTree.root, of: held.tree) { node, place in
      node.old = place.raw
      node.origin = held.origin(place)
      guard case .element = node.content else { return }
      node.state = held.state(place)
      node.state.component = node.origin?.rootComponent
      node.root = held.root(place)
      if node.state.portal != nil { portaled.append(place) }
    }
    teleported = portaled.map { places[Int($0.raw)] }
    skipped = SkippedRoots(rules, shownBy: tree, below: root)
  }

  /// Copies a part of a page, as the markup that patches or as what a view's element held before.
  ///
  /// - Parameter isMapped: whether what becomes of its nodes is asked for.
  mutating func load(_ page: Page, from top: NodeTree.Index, isMapped: Bool = true) -> PatchTree.Index {
    let (skipped, rules) = (skipped, rules)
    return copy(top, of: page.tree) { node, place in
      if isMapped { node.page = place.raw }
      node.origin = page.origins[place]
      guard case .element = node.content else { return }
      node.state.component = node.origin?.component
      node.root = page.roots[place].map { rules.renewsRoots && page.newRoots.contains(place) ? -$0 : $0 }
      node.isSkipped = skipped.contains(place, of: page)
    }.top
  }

  /// What the view's element held before a join: a page that no document stands for.
  mutating func begin(with page: Page?) {
    guard let page else {
      root = tree.make(.root)
      return
    }
    // A dead render does not say which elements are components.
    root = copy(NodeTree.root, of: page.tree) { _, _ in }.top
  }

  /// The root element of each component in the document.
  func rootsOfComponents() -> [Int: PatchTree.Index] {
    var roots: [Int: PatchTree.Index] = [:]
    var node = tree.successor(of: root, within: root)
    while let step = node {
      if let cid = tree[step].state.component, roots[cid] == nil { roots[cid] = step }
      node = tree.successor(of: step, within: root)
    }
    return roots
  }

  /// Whether an element is still in the document, as the root of a component.
  func holds(_ node: PatchTree.Index, as cid: Int) -> Bool {
    tree[node].state.component == cid && tree.isConnected(node, to: root)
  }

  /// - Returns: the copy of `top`, and an array that maps each place in the source's storage to its copy; nodes that were not
  ///   copied have ``PatchTree/none``.
  private mutating func copy(
    _ top: NodeTree.Index, of source: NodeTree, _ describe: (inout PatchTree.Node, NodeTree.Index) -> Void
  ) -> (top: PatchTree.Index, places: [PatchTree.Index]) {
    var places = [PatchTree.Index](repeating: PatchTree.none, count: source.records.count)
    for node in source.preorder(from: top) {
      let copy = tree.make(source[node])
      describe(&tree[copy], node)
      places[Int(node.raw)] = copy
      guard node != top, let parent = source.parent(of: node) else { continue }
      tree.insert(copy, into: places[Int(parent.raw)], before: nil)
    }
    return (places[Int(top.raw)], places)
  }

  // MARK: - Patching

  mutating func patchView(to source: PatchTree.Index, streams: [StreamPatch]) {
    patch(root, to: source, streams: streams)
  }

  /// Patches the view's element, or one component's root.
  ///
  /// - Parameters:
  ///   - target: the element that is patched.
  ///   - source: the markup that it becomes; for the view's element, what stands for it.
  mutating func patch(_ target: PatchTree.Index, to source: PatchTree.Index, streams: [StreamPatch]) {
    inserts = [:]
    restorable = [:]
    pendingRemovals = []
    added = []
    restorers = []
    if rules.isJoin { markPrunable() }
    apply(streams)
    if rules.isJoin { emptyStreams() }
    morph(target, to: source, childrenOnly: target == root)
    teleport()
    removeOrphanedPortals()
    for restorer in restorers { restore(restorer) }
    for element in pendingRemovals { tree.detach(element) }
    if tree.isHTML, rules.version.hasIgnoredAttributes { executeMounted() }
  }

  /// By `id`, the first element in document order.
  ///
  /// - Complexity: O(*nodes of the document*) the first time, then O(*depth*) amortised where no id stands twice, or where
  ///   elements have only left meanwhile.
  mutating func element(withID id: String) -> PatchTree.Index? {
    if id.isEmpty { return nil }
    if elementsByID == nil { indexIDs() }
    guard var candidates = elementsByID?[id] else { return nil }
    while candidates.gone < candidates.nodes.count, tree.parent(candidates.nodes[candidates.gone]) == nil {
      candidates.gone += 1
    }
    if candidates.gone > 0 { elementsByID?[id]?.gone = candidates.gone }
    let isSorted = candidates.sortedAt == tree.insertions
    let known = candidates.nodes[candidates.gone...]
    if isSorted || known.count < 2 { return known.first { isPresent($0, as: id) } }
    let present = known.filter { isPresent($0, as: id) }
    if present.count < 2 { return present.first }
    let wanted = Set(present)
    var node: PatchTree.Index? = root
    while let step = node, !wanted.contains(step) { node = tree.successor(of: step, within: root) }
    return node
  }

  private func isPresent(_ node: PatchTree.Index, as id: String) -> Bool {
    tree.element(node)?.id == id && tree.isConnected(node, to: root)
  }

  private mutating func indexIDs() {
    var known: [String: Candidates] = [:]
    var node: PatchTree.Index? = root
    while let step = node {
      if let id = tree.element(step)?.id {
        known[id, default: Candidates(sortedAt: tree.insertions)].nodes.append(step)
      }
      node = tree.successor(of: step, within: root)
    }
    elementsByID = known
  }

  mutating func noteID(of node: PatchTree.Index) {
    guard elementsByID != nil, let id = tree.element(node)?.id else { return }
    elementsByID?[id, default: Candidates()].nodes.append(node)
    elementsByID?[id]?.sortedAt = -1
  }
}

extension ClientPatch {
  /// Whether the client may hold something else than the page after the patch. If not, there is nothing to find out: the
  /// document becomes the page.
  static func isNeeded(
    for page: Page, in document: Document, streams: [StreamPatch], rules: PatchRules = PatchRules()
  ) -> Bool {
    !streams.isEmpty || document.marks.hasClientState || document.hasClientRules || page.hasClientRules
      || page.hasSkippedRoots || document.dialect == .html && document.hasDuplicateIDs || rules.hidesChanges
  }
}

extension Document {
  /// Whether a client that patches the page in once more may make something else of it.
  package func keepsClientState(with page: Page) -> Bool { ClientPatch.isNeeded(for: page, in: self, streams: []) }
}

extension Document {
  package var hasWholeElements: Bool { !wholeElements.isEmpty }

  /// The elements that a client patches as a whole, or adds otherwise than the markup says; `nil` for very many.
  package var wholeElementRefs: [NodeRef]? {
    wholeElements.count > 256 ? nil : wholeElements.map { NodeRef(epoch: epoch, number: $0) }
  }
}

extension Element {
  /// Whether a client's patch may treat the element otherwise than as the markup says.
  func hasClientRules(in dialect: Dialect) -> Bool {
    if dialect == .native { return updateRule != .replace }
    if ["select", "textarea", "template"].contains(tag) || isNamedDetails { return true }
    return attributes.contains { attribute in
      guard attribute.name.utf8.first == UInt8(ascii: "p") || attribute.name.utf8.first == UInt8(ascii: "d") else {
        return false
      }
      return Self.clientRules.contains(attribute.name)
    }
  }

  private static let clientRules: Set = [
    "phx-update", "data-phx-update", "phx-mounted", "phx-remove", "data-phx-sticky", "data-phx-parent-id",
  ]

  /// Whether what happens in the element depends on more than its markup: a control with a selection, a `template`, a
  /// container that keeps entries, a nested view.
  package func isPatchedAsWhole(in dialect: Dialect) -> Bool {
    guard dialect == .html, hasClientRules(in: dialect) else { return false }
    if ["select", "textarea", "template"].contains(tag) { return true }
    return isAppendContainer || self["data-phx-sticky"] != nil
      || self["data-phx-parent-id"] != nil
  }

  private var isAppendContainer: Bool { ["append", "prepend"].contains(self["phx-update"]) }

  /// Whether adding the element has effects beside it: a selection that the next patch writes, a portal's content at its
  /// target, attributes that stay as they are.
  package func actsWhenAdded(in dialect: Dialect) -> Bool {
    guard dialect == .html else { return false }
    return tag == "select" || tag == "template" && self["data-phx-portal"] != nil || isNamedDetails
      || isAppendContainer
      || self["phx-mounted"]?.contains("ignore_attrs") == true
  }
}
