/// The tree that a client holds. For each node it has the identity on the wire and the state that
/// the client keeps. It is made from a document, or from the result of a first patch to find out
/// what a second patch would change. A ``ClientPatch`` loads it. All closures take an index of
/// ``tree``.
struct ClientTree {
  /// Content and structure.
  let tree: NodeTree
  /// The identity of a node; see ``Origin``.
  let origin: (NodeTree.Index) -> Origin?
  /// The fragment whose root a node is; see ``Page/Root``.
  let root: (NodeTree.Index) -> Int?
  /// What the client knows of an element.
  let state: (NodeTree.Index) -> PatchTree.State

  /// The tree of a document.
  init(_ document: Document) {
    tree = document.tree
    origin = { document.marks.origins[document.ref($0)] }
    root = { document.marks.roots[document.ref($0)] }
    state = { document.marks.clientState(of: document.ref($0)) }
  }

  /// The tree after a patch.
  init(_ patched: PatchedPage) {
    tree = patched.page.tree
    origin = { patched.page.origins[$0] }
    root = { patched.page.roots[$0] }
    state = { patched.states[$0] ?? .none }
  }
}

extension ClientPatch {
  /// How a patch has changed the tree.
  enum Effect {
    /// Nothing has changed.
    case none
    /// The content is the same, but some nodes are new or have another identity on the wire.
    case names
    /// The content has changed.
    case content
  }

  /// Compares the patched tree with the tree that was loaded.
  ///
  /// - Complexity: O(*nodes*).
  func effect(on held: ClientTree) -> Effect {
    var effect = Effect.none
    var (mine, theirs) = (root, NodeTree.root)
    while true {
      if mine != root {
        let node = tree[mine]
        guard node.content.isEqual(to: held.tree[theirs]) else { return .content }
        if node.old != theirs.raw || node.isPatched && node.origin != held.origin(theirs)
          || node.root != held.root(theirs)
        {
          effect = .names
        }
      }
      switch (tree.firstInside(mine), held.tree.firstChild(of: theirs)) {
      case (let child?, let twin?):
        (mine, theirs) = (child, twin)
        continue
      case (nil, nil): break
      default: return .content
      }
      while true {
        if mine == root { return effect }
        switch (tree.next(mine), held.tree.next(of: theirs)) {
        case (let sibling?, let twin?): (mine, theirs) = (sibling, twin)
        case (nil, nil):
          guard let above = tree.parent(mine), let twin = held.tree.parent(of: theirs) else { return .content }
          (mine, theirs) = (above, twin)
          continue
        default: return .content
        }
        break
      }
    }
  }
}

extension Morph.Outcome {
  /// Whether the tree after the changes has the same content as a page.
  ///
  /// - Complexity: O(*nodes*).
  package func shows(_ page: Page) -> Bool { patched?.page.tree.isEqual(to: page.tree) ?? false }

  /// Whether patching `page` after the changes would change nothing, not even the reference of a
  /// node.
  ///
  /// This only patches and compares trees. It skips matching and writing changes, which are the
  /// largest part of a morph. Matching would change nothing, because a node that the client keeps
  /// with the same content is its own partner, if each origin occurs once.
  ///
  /// - Returns: `nil` if comparing the trees cannot decide it; a full morph can.
  package func isStable(showing page: Page, version: ClientVersion) -> Bool? {
    guard let patched else { return nil }
    let held = ClientTree(patched)
    var patch = ClientPatch(rules: PatchRules(version: version), dialect: page.dialect)
    patch.load(held, for: page)
    let source = patch.load(page, from: NodeTree.root, isMapped: false)
    patch.patchView(to: source, streams: [])
    // Which of several `details` with one name is open can depend on nodes that another patch
    // skips.
    if patch.keepsOtherNames || patch.tree.hasClosedDetails { return false }
    switch patch.effect(on: held) {
    case .content: return false
    case .names: return nil
    case .none:
      var met: Set<Origin> = []
      return patched.page.origins.values.allSatisfy { met.insert($0).inserted } ? true : nil
    }
  }
}
