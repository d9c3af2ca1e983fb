/// What a client holds: a tree, with what the wire says of its nodes and what the client knows of its elements.
struct HeldTree {
  let tree: NodeTree
  let origin: (NodeTree.Index) -> Origin?
  let root: (NodeTree.Index) -> Int?
  let state: (NodeTree.Index) -> PatchTree.State

  init(_ document: Document) {
    tree = document.tree
    origin = { document.marks.origins[document.ref($0)] }
    root = { document.marks.roots[document.ref($0)] }
    state = { document.marks.clientState(of: document.ref($0)) }
  }

  /// After a patch.
  init(_ patched: PatchedPage) {
    tree = patched.page.tree
    origin = { patched.page.origins[$0] }
    root = { patched.page.roots[$0] }
    state = { patched.states[$0] ?? .none }
  }
}

extension ClientPatch {
  /// What a patch has made of a tree.
  enum Effect {
    case none
    /// The tree says the same. Some of its nodes are others, or the wire says something else of them.
    case names
    case content
  }

  /// How the tree differs from what was loaded.
  ///
  /// - Complexity: O(*nodes*).
  func effect(on held: HeldTree) -> Effect {
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
  /// Whether the tree after the changes is that of a page.
  ///
  /// - Complexity: O(*nodes*).
  package func shows(_ page: Page) -> Bool { patched?.page.tree.isEqual(to: page.tree) ?? false }

  /// Whether a client that patches a page in after the changes leaves everything as it is, and no node gets another name.
  ///
  /// It patches and compares the trees: no pairs are looked for and no changes written, which is most of a morph. Nodes that
  /// the client keeps, that say the same, and of which the wire says the same once, are paired with themselves.
  ///
  /// - Returns: `nil` where the trees do not tell it: there a morph has to be computed.
  package func isSettled(showing page: Page, version: ClientVersion) -> Bool? {
    guard let patched else { return nil }
    let held = HeldTree(patched)
    var patch = ClientPatch(rules: PatchRules(version: version), dialect: page.dialect)
    patch.load(held)
    let source = patch.load(page, from: NodeTree.root, isMapped: false)
    patch.patchView(to: source, streams: [])
    // Which one of a name is open can depend on what else a patch leaves out.
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
