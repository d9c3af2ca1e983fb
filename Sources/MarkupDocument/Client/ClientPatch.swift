/// The tree that a browser holds after LiveView's own client has applied an update.
///
/// A page says what a view renders, but a browser can show something else. Items of a stream and of
/// a container with `phx-update="append"` stay without being rendered again. An ignored element and
/// a matched `template` keep their content, `JS.ignore_attributes` keeps attributes, and a portal
/// appears elsewhere. All of this depends on which element of the document the client matches with
/// which element of the page. So this type follows the client's algorithm (`dom_patch.js` of
/// LiveView 1.0 to 1.2, on morphdom 2.7). It walks both trees, matches elements by key and
/// position, and moves, removes and adds nodes in the same order by the same rules. ``PatchedPage``
/// makes one for each update and copies the result. ``Morph`` then compares the document with that
/// result and decides identity by its own rules.
///
/// The mirror cannot know the focus, user input, hooks and locked elements, so they are not
/// modelled.
///
/// Order of calls: first load the content that the client holds (``load(_:for:)`` or
/// ``begin(with:)``), then the new markup (``load(_:from:isMapped:)``), then patch. The new markup
/// comes second because its roots are skipped only if the document shows them.
///
/// - Complexity: O(*nodes of both trees*), plus the elements that limits, stream indexes and
///   removals touch.
struct ClientPatch {
  var tree: PatchTree
  let rules: PatchRules
  private var skipped = SkippedRoots()
  /// The root of the document, which represents the view's element.
  private(set) var root = PatchTree.none
  /// Holds the elements that portals show outside of the view during a patch. Between patches they
  /// are the last children of the root.
  private(set) var outside: PatchTree.Index
  /// The inserts of all streams of the update, by item id.
  var inserts: [String: StreamInsert] = [:]
  /// Items that were removed and that the same update inserts again, by id.
  var restorable: [String: PatchTree.Index] = [:]
  /// The document's elements by `id`; `nil` until the first lookup.
  private var elementsByID: [String: Candidates]?

  /// The elements that have, or had, one `id`.
  private struct Candidates {
    var nodes: [PatchTree.Index] = []
    /// How many elements at the start of `nodes` have no parent any more. An element that is
    /// inserted again is appended.
    var removedCount = 0
    /// The value of ``PatchTree/insertionCount`` when `nodes` was in document order; later
    /// insertions may have changed the order. -1 after an element was appended.
    var sortedAt = -1
  }
  /// Elements with `phx-remove`, which are removed at the end of the patch.
  var pendingRemovals: [PatchTree.Index] = []
  /// The nodes that the patch has inserted.
  var added: [PatchTree.Index] = []
  /// Restores the order of `append` and `prepend` containers at the end of the patch.
  var restorers: [ContainerRestorer] = []
  /// The templates of portals. Their content is shown at its target after morphdom's pass.
  var portals: [PatchTree.Index] = []
  /// The targets of portals by selector. They are valid during one patch.
  var targets: [String: PatchTree.Index] = [:]
  /// The elements that portals show.
  var teleported: [PatchTree.Index] = []
  /// For each `select` of the new markup, the option that a browser selects; -1 for none.
  var selections: [PatchTree.Index: PatchTree.Index] = [:]

  /// The elements with a key that have not been matched yet.
  var lookup: [PatchKey: PatchTree.Index] = [:]
  /// When the client reaches an element, it can find the keys of some descendants once more. The
  /// set has these descendants and all their ancestors below ``target``. Such a descendant shares
  /// its key with another element, or is a stream item that was matched before the client reached
  /// the ancestor.
  var aroundSharedKeys: Set<PatchTree.Index> = []
  /// Keys of elements that are removed at the end unless they are matched before.
  var removals: [PatchKey] = []
  /// See ``Morph/Outcome/keepsOtherNames``.
  var keepsOtherNames = false
  /// Why the client stopped with an error, if it did.
  private(set) var failure: ClientFailure?
  /// Whether an element was found by its key under another parent.
  var movesKeys = false
  /// The element that the current pass patches.
  var target = PatchTree.none
  /// Roots of components that the patch has kept although their `id` has changed.
  var renamed: [PatchTree.Index] = []
  /// A form that submits itself after the patch. Only the attributes of its controls are patched.
  var triggered: PatchTree.Index?
  /// How many nodes the rest of the patch may index a second time. The limit prevents quadratic
  /// time.
  var indexBudget = 0
  /// How often the walk has continued at a form field named `nextSibling` instead of the form's
  /// sibling. ``child(after:)`` stops the patch if it happens too often.
  var hiddenStepCount = 0

  /// An insert of a stream; see ``StreamPatch``.
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
    outside = tree.make(.root)
  }

  // MARK: - Loading

  /// Copies the document to be patched.
  ///
  /// - Parameter page: the page that it will be patched with.
  mutating func load(_ document: Document, for page: Page) { load(ClientTree(document), for: page) }

  /// Copies the tree that the client holds.
  mutating func load(_ held: ClientTree, for page: Page) {
    tree.reserveCapacity(held.tree.count + page.tree.count + 64)
    var portaled: [NodeTree.Index] = []
    let copies: [PatchTree.Index]
    (root, copies) = copy(NodeTree.root, of: held.tree) { node, place in
      node.old = place.raw
      node.origin = held.origin(place)
      guard case .element = node.content else { return }
      node.state = held.state(place)
      node.state.component = node.origin?.rootComponent
      node.root = held.root(place)
      if node.state.portal != nil { portaled.append(place) }
    }
    teleported = portaled.map { copies[Int($0.raw)] }
    // This walks over the whole document, so updates that skip nothing do without it.
    if rules.skipsSome { skipped = SkippedRoots(rules, shownBy: nodes(), of: tree) }
  }

  /// Copies a part of a page, which becomes the new markup.
  ///
  /// - Parameter isMapped: whether the copies record which nodes of the page they come from.
  mutating func load(_ page: Page, from top: NodeTree.Index, isMapped: Bool = true) -> PatchTree.Index {
    let (skipped, rules) = (skipped, rules)
    return copy(top, of: page.tree) { node, place in
      if isMapped { node.page = place.raw }
      node.origin = page.origins[place]
      guard case .element = node.content else { return }
      node.state.component = node.origin?.component
      node.root = page.roots[place].map { rules.renewsRoots && page.newRoots.contains(place) ? -$0 : $0 }
      node.isSkipped = skipped.contains(place, of: page)
      node.isEmptied = page.skippedRoots.contains(place)
    }.top
  }

  /// Begins a join with the content that the view's element had before, if no ``Document`` has this
  /// content: a page rendered without a connection, or nothing.
  ///
  /// - Client: `applyJoinPatch` in `view.js`, 1.0+. Origin: none known.
  mutating func begin(with page: Page?) {
    guard let page else {
      root = tree.make(.root)
      return
    }
    // Markup that was rendered without a connection does not mark the roots of components.
    root = copy(NodeTree.root, of: page.tree) { _, _ in }.top
  }

  /// The first root element of each component in the document.
  func rootsOfComponents() -> [Int: PatchTree.Index] {
    Dictionary(nodes().lazy.compactMap { node in tree[node].state.component.map { ($0, node) } }) { first, _ in first }
  }

  /// Whether an element is in the document and is the root of the component `cid`.
  func holds(_ node: PatchTree.Index, as cid: Int) -> Bool { tree[node].state.component == cid && isPresent(node) }

  /// The nodes that scripts find, in document order: first the nodes of the view, then the nodes
  /// that portals show outside of the view.
  func nodes() -> [PatchTree.Index] { [root, outside].flatMap { tree.preorder(from: $0) } }

  /// Whether scripts find a node.
  ///
  /// - Complexity: O(*depth*).
  func isPresent(_ node: PatchTree.Index) -> Bool {
    tree.isConnected(node, to: root) || tree.isConnected(node, to: outside)
  }

  /// - Returns: the copy of `top`, and an array that maps each place in the source's storage to its
  ///   copy; nodes that were not copied have ``PatchTree/none``.
  private mutating func copy(
    _ top: NodeTree.Index, of source: NodeTree, describing describe: (inout PatchTree.Node, NodeTree.Index) -> Void
  ) -> (top: PatchTree.Index, copies: [PatchTree.Index]) {
    var copies = [PatchTree.Index](repeating: PatchTree.none, count: source.storageCount)
    for node in source.preorder(from: top) {
      let copy = tree.make(source[node])
      describe(&tree[copy], node)
      copies[Int(node.raw)] = copy
      guard node != top, let parent = source.parent(of: node) else { continue }
      tree.insert(copy, into: copies[Int(parent.raw)], before: nil)
    }
    return (copies[Int(top.raw)], copies)
  }

  // MARK: - Patching

  /// Patches the whole view.
  mutating func patchView(to source: PatchTree.Index, streams: [StreamPatch]) {
    patch(root, to: source, streams: streams)
  }

  /// Patches the view's element or the root of one component. This method has the order of a patch:
  /// streams, morphdom, portals, restored containers, removals, mounted commands.
  ///
  /// - Client: `perform` in `dom_patch.js`, 1.0+. Origin: none known.
  /// - Parameters:
  ///   - target: the element to patch.
  ///   - source: the new markup; to patch the view's element, the root of the page.
  mutating func patch(_ target: PatchTree.Index, to source: PatchTree.Index, streams: [StreamPatch]) {
    inserts = [:]
    restorable = [:]
    pendingRemovals = []
    added = []
    restorers = []
    triggered = nil
    tree.documents = [root, outside]
    targets = [:]
    for element in teleported where tree.parent(element) == root { tree.insert(element, into: outside, before: nil) }
    indexBudget = 64 * tree.nodes.count
    tree.search.remaining = 64 * tree.nodes.count
    hiddenStepCount = 0
    if rules.isJoin { markPrunable() }
    if rules.isResumption { protectIgnoredAttributes() }
    apply(streams)
    if rules.isJoin { emptyStreams() }
    do throws(ClientFailure) {
      try morph(target, to: source, childrenOnly: target == root)
      try teleport()
      removeOrphanedPortals()
      for restorer in restorers { restore(restorer) }
      if pendingRemovals.contains(where: { tree.element($0)?["phx-remove"]?.hasPrefix("[") == false }) {
        throw .removal
      }
      for element in pendingRemovals { tree.detach(element) }
      if tree.isPatchedByBrowser { try executeMounted() }
    } catch {
      failure = error
    }
    for element in tree.elements(in: outside) { tree.insert(element, into: root, before: nil) }
  }

  /// The first element with an `id` in document order.
  ///
  /// - Complexity: O(*nodes of the document*) for the first lookup. Then O(*depth*) amortised, if
  ///   the id is unique or no element was inserted since the elements were indexed; otherwise
  ///   O(*nodes of the document*).
  mutating func element(withID id: String) -> PatchTree.Index? {
    if id.isEmpty { return nil }
    if elementsByID == nil { indexIDs() }
    guard var candidates = elementsByID?[id] else { return nil }
    while candidates.removedCount < candidates.nodes.count,
      tree.parent(candidates.nodes[candidates.removedCount]) == nil
    {
      candidates.removedCount += 1
    }
    if candidates.removedCount > 0 { elementsByID?[id]?.removedCount = candidates.removedCount }
    let isSorted = candidates.sortedAt == tree.insertionCount
    let known = candidates.nodes[candidates.removedCount...]
    func isFound(_ node: PatchTree.Index) -> Bool { tree.element(node)?.id == id && isPresent(node) }
    if isSorted || known.count < 2 { return known.first(where: isFound) }
    // An element can be in the index twice.
    let present = Set(known.filter(isFound))
    return present.count < 2 ? present.first : nodes().first(where: present.contains)
  }

  private mutating func indexIDs() {
    var known: [String: Candidates] = [:]
    for node in nodes() {
      guard let id = tree.element(node)?.id else { continue }
      known[id, default: Candidates(sortedAt: tree.insertionCount)].nodes.append(node)
    }
    elementsByID = known
  }

  /// Adds an element that was inserted, or whose id changed, to the index.
  mutating func noteID(of node: PatchTree.Index) {
    guard elementsByID != nil, let id = tree.element(node)?.id else { return }
    elementsByID?[id, default: Candidates()].nodes.append(node)
    elementsByID?[id]?.sortedAt = -1
  }
}

extension ClientPatch {
  /// Whether the document can differ from the page after the patch. If it cannot, the caller skips
  /// the patch and takes the page as its result.
  static func isNeeded(
    for page: Page, in document: Document, streams: [StreamPatch], rules: PatchRules = PatchRules()
  ) -> Bool {
    !streams.isEmpty || document.marks.hasClientState || document.hasClientRules || page.hasClientRules
      || page.hasSkippedRoots || document.dialect.isPatchedByBrowser && document.hasDuplicateIDs || rules.hidesChanges
  }
}

extension Document {
  /// Whether patching the same page again could change the document.
  package func keepsClientState(with page: Page) -> Bool { ClientPatch.isNeeded(for: page, in: self, streams: []) }
}
