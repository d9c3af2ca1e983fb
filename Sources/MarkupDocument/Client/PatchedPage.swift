/// The tree that a client holds after a patch, as a page that ``Morph`` compares with a document.
/// Mounts and ``Morph`` make it from a ``ClientPatch``, or from a page that needs no patch.
struct PatchedPage {
  private(set) var page: Page
  /// The node whose children are the top-level nodes.
  private(set) var top = NodeTree.root
  /// The nodes that the patch left unchanged: for the storage index of each in the tree of
  /// ``page``, its storage index in the document.
  private(set) var kept: [NodeTree.Index: NodeTree.Index] = [:]
  /// The client's state of each element, by its storage index in the tree of ``page``.
  private(set) var states: [NodeTree.Index: PatchTree.State] = [:]
  /// For each storage index of the page that was patched in, the storage index of the same node in
  /// the tree of ``page``; -1 if the client did not take the node over.
  private(set) var treeIndexes: [Int32]
  /// See ``Morph/Outcome/keepsOtherNames``.
  private(set) var keepsOtherNames = false
  /// Roots of components that the client has kept with another id, as nodes of the tree and of the
  /// document.
  private(set) var renamed: [(new: NodeTree.Index, old: NodeTree.Index)] = []
  /// Why the client stopped with an error, if it did.
  private(set) var failure: ClientFailure?
  /// Whether the page is the result of a patch.
  private(set) var isPatched = false
  /// Whether an element that the client finds by its key got another parent.
  private(set) var movesKeys = false

  /// A page that the client takes over unchanged.
  init(_ page: Page, top: NodeTree.Index = NodeTree.root) {
    self.page = page
    self.top = top
    treeIndexes = Array(0..<Int32(page.tree.storageCount))
  }

  /// The result of a patch with the page `source`.
  init(_ patch: ClientPatch, of source: Page) {
    page = source.replacingTree(by: NodeTree())
    treeIndexes = Array(repeating: NodeTree.none, count: source.tree.storageCount)
    // Which of several `details` with one name is open can depend on nodes that another patch
    // skips.
    keepsOtherNames = patch.keepsOtherNames || patch.tree.hasClosedDetails
    build(patch)
    // Map the nodes of the page to the nodes that represent them.
    for (index, node) in patch.tree.nodes.enumerated() where node.page != NodeTree.none {
      let partner = node.partner == PatchTree.none ? NodeTree.none : built[Int(node.partner)]
      treeIndexes[Int(node.page)] = partner == NodeTree.none ? built[index] : partner
    }
    treeIndexes[0] = NodeTree.root.raw
    for node in patch.renamed where built[Int(node)] != NodeTree.none && patch.tree[node].old != PatchTree.none {
      renamed.append((NodeTree.Index(raw: built[Int(node)]), NodeTree.Index(raw: patch.tree[node].old)))
    }
    (failure, isPatched, movesKeys) = (patch.failure, true, patch.movesKeys)
    built = []
    alignUnpatched(with: source)
  }

  /// The result of patching a document with the part of a page below `parent`.
  init(
    _ page: Page, from parent: NodeTree.Index, patching document: Document, streams: [StreamPatch], rules: PatchRules
  ) {
    var patch = ClientPatch(rules: rules, dialect: document.dialect)
    patch.load(document, for: page)
    let source = patch.load(page, from: parent)
    patch.patchView(to: source, streams: streams)
    self.init(patch, of: page)
  }

  /// The result of patching components of a document one by one; `page` is the page of the view.
  ///
  /// - Client: `componentPatch` in `view.js`, 1.0+. Origin: none known.
  init(_ page: Page, patching components: [Morph.ComponentPage], of document: Document, rules: PatchRules) {
    var patch = ClientPatch(rules: rules, dialect: document.dialect)
    patch.load(document, for: page)
    // No component of the list contains another one, so patching one does not move another.
    let (targets, shown) = (patch.rootsOfComponents(), page.rootsOfComponents())
    for component in components {
      let cid = component.cid
      guard let top = component.isOwn ? component.page.rootsOfComponents()[cid] : shown[cid], let target = targets[cid],
        patch.holds(target, as: cid)
      else { continue }
      let source = patch.load(component.page, from: top, isMapped: !component.isOwn)
      patch.patch(target, to: source, streams: component.streams)
    }
    self.init(patch, of: page)
  }

  /// The result of a join, in which the page is patched into the content that the view's element
  /// held before.
  init(joining page: Page, over held: ContentBeforeJoin, streams: [StreamPatch], rules: PatchRules, dialect: Dialect) {
    var patch = ClientPatch(rules: rules, dialect: dialect)
    switch held {
    case .nothing: patch.begin(with: nil)
    case .page: patch.begin(with: page)
    case .document(let document): patch.load(document, for: page)
    }
    let source = patch.load(page, from: NodeTree.root)
    patch.patchView(to: source, streams: streams)
    self.init(patch, of: page)
    // The document of the new epoch is still empty, so no node can be kept.
    (kept, renamed) = ([:], [])
  }

  /// The storage index in the tree, by index in the patch. Only used while this value is
  /// initialised.
  private var built: [Int32] = []

  private mutating func build(_ patch: ClientPatch) {
    let tree = patch.tree
    var result = NodeTree()
    result.reserveCapacity(tree.nodes.count)
    built = Array(repeating: NodeTree.none, count: tree.nodes.count)
    built[Int(patch.root)] = NodeTree.root.raw
    var origins: [NodeTree.Index: Origin] = [:]
    var roots: [NodeTree.Index: Int] = [:]
    var pending: [PatchTree.Index] = [patch.root]
    while let parent = pending.popLast() {
      let place = NodeTree.Index(raw: built[Int(parent)])
      var child = tree.firstInside(parent)
      while let step = child {
        let node = tree[step]
        let made = result.make(node.content)
        result.append(made, to: place)
        built[Int(step)] = made.raw
        if let origin = node.origin { origins[made] = origin }
        if let root = node.root { roots[made] = abs(root) }
        if node.state != .none { states[made] = node.state }
        if node.old != PatchTree.none, !node.isPatched { kept[made] = NodeTree.Index(raw: node.old) }
        pending.append(step)
        child = tree.next(step)
      }
    }
    page = page.replacingTree(by: result, origins: origins, roots: roots)
  }

  /// Maps the nodes of the page inside of parts that the client left unchanged. The page has the
  /// same content there, so the nodes correspond by position.
  private mutating func alignUnpatched(with source: Page) {
    for node in source.tree.preorder() {
      let place = treeIndexes[Int(node.raw)]
      guard place != NodeTree.none else { continue }
      let held = NodeTree.Index(raw: place)
      guard held == NodeTree.root || kept[held] != nil else { continue }
      if let element = source.tree[node].element, element.keepsContent { continue }
      let (mine, theirs) = (Array(source.tree.children(of: node)), Array(page.tree.children(of: held)))
      guard mine.count == theirs.count else { continue }
      for (new, known) in zip(mine, theirs)
      where treeIndexes[Int(new.raw)] == NodeTree.none && source.tree[new].isOfKind(page.tree[known]) {
        treeIndexes[Int(new.raw)] = known.raw
      }
    }
  }
}

extension Page {
  /// Whether a component is inside of an element that protects its content: a patch of the page
  /// leaves the component unchanged there, but a patch of the component alone changes it.
  ///
  /// - Complexity: O(*nodes*).
  package var protectsComponents: Bool {
    if !dialect.isPatchedByBrowser || !origins.values.contains(where: { $0.rootComponent != nil }) { return false }
    var protected: Set<NodeTree.Index> = []
    for node in tree.preorder() {
      guard let element = tree[node].element else { continue }
      let isInside = tree.parent(of: node).map(protected.contains) ?? false
      if isInside, origins[node]?.rootComponent != nil { return true }
      if isInside || element.keepsContent && element.updateRule != .stream { protected.insert(node) }
    }
    return false
  }
}

extension Element {
  /// Whether a patch can leave the content of the element unchanged although the page has other
  /// content.
  fileprivate var keepsContent: Bool {
    updateRule != .replace || isHTML("template") || self["data-phx-sticky"] != nil || self["data-phx-parent-id"] != nil
  }
}
