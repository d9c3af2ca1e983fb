/// The tree that a client holds after a patch, as a page that a document can be compared with.
struct PatchedPage {
  private(set) var page: Page
  /// The node whose children are the tree.
  private(set) var top = NodeTree.root
  /// By place in the tree, the place in the document of a node that the patch left alone.
  private(set) var kept: [NodeTree.Index: NodeTree.Index] = [:]
  /// What the client knows of elements, by place in the tree.
  private(set) var states: [NodeTree.Index: PatchTree.State] = [:]
  /// By place in the page that was patched in, the place in the tree; -1 for what the client did not take over.
  private(set) var places: [Int32]
  /// See ``Morph/Outcome/keepsOtherNames``.
  private(set) var keepsOtherNames = false

  /// A page that is taken over as it is.
  init(_ page: Page, top: NodeTree.Index = NodeTree.root) {
    self.page = page
    self.top = top
    places = page.tree.records.indices.map(Int32.init)
  }

  init(_ patch: ClientPatch, of source: Page) {
    page = source.replacingTree(by: NodeTree())
    places = Array(repeating: NodeTree.none, count: source.tree.records.count)
    // Which `details` of a name is open can depend on what else a patch leaves out.
    keepsOtherNames = patch.keepsOtherNames || patch.tree.hasClosedDetails
    build(patch)
    /// The nodes of the page that the client matched.
    for (index, node) in patch.tree.nodes.enumerated() where node.page != NodeTree.none {
      let held = node.partner == PatchTree.none ? PatchTree.Index(index) : node.partner
      places[Int(node.page)] = built[Int(held)]
    }
    places[0] = NodeTree.root.raw
    built = []
    alignUnpatched(with: source)
  }

  /// What a join makes of a page and of what the view's element held.
  init(joining page: Page, over held: Held, streams: [StreamPatch], rules: PatchRules, dialect: Dialect) {
    var patch = ClientPatch(rules: rules, dialect: dialect)
    switch held {
    case .nothing: patch.begin(with: nil)
    case .page: patch.begin(with: page)
    case .document(let document): patch.load(document)
    }
    let source = patch.load(page, from: NodeTree.root)
    patch.patchView(to: source, streams: streams)
    self.init(patch, of: page)
    // No document stands for what was there: all nodes are new.
    kept = [:]
  }

  /// By index in the patch, the place in the tree.
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

  /// Where the client left a part of the document alone since nothing in it has changed, the page says the same: its nodes
  /// are found by their places.
  private mutating func alignUnpatched(with source: Page) {
    for node in source.tree.preorder() {
      let place = places[Int(node.raw)]
      guard place != NodeTree.none else { continue }
      let held = NodeTree.Index(raw: place)
      guard held == NodeTree.root || kept[held] != nil else { continue }
      if let element = source.tree[node].element, element.keepsContent { continue }
      let (mine, theirs) = (Array(source.tree.children(of: node)), Array(page.tree.children(of: held)))
      guard mine.count == theirs.count else { continue }
      for (new, known) in zip(mine, theirs)
      where places[Int(new.raw)] == NodeTree.none && source.tree[new].isSameKind(as: page.tree[known]) {
        places[Int(new.raw)] = known.raw
      }
    }
  }
}

extension Page {
  /// Whether a component is in an element that a patch of the page leaves as it is, and a patch of the component does not.
  ///
  /// - Complexity: O(*nodes*).
  package var protectsComponents: Bool {
    if dialect == .native || !origins.values.contains(where: { $0.rootComponent != nil }) { return false }
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
  /// Whether a patch may leave the content of the element as it is although the page says something else.
  fileprivate var keepsContent: Bool {
    updateRule != .replace || isHTML("template") || self["data-phx-sticky"] != nil || self["data-phx-parent-id"] != nil
  }
}

extension NodeContent {
  fileprivate func isSameKind(as other: NodeContent) -> Bool {
    switch (self, other) {
    case (.text, .text), (.comment, .comment): true
    case (.element(let a), .element(let b)): a.isOfKind(b)
    default: false
    }
  }
}

/// What a view's element held when the view joined.
package enum Held: Sendable {
  case nothing
  /// The plain rendering of the page itself, as on a first page load.
  case page
  /// What an earlier join has left there.
  case document(Document)

  var hasClientRules: Bool {
    if case .document(let document) = self { document.hasClientRules || document.hasDuplicateIDs } else { false }
  }
}
