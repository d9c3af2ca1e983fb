/// The roots of components and of other fragments that LiveView's client leaves out of the markup that it patches with
/// (`data-phx-skip`), since the update says nothing of them.
struct SkippedRoots {
  private var rules = PatchRules()
  /// What the document shows: the client finds a root that it left out there, with all in it.
  private var components: Set<Int> = []
  private var fragments: Set<Int> = []

  init() {}

  /// - Complexity: O(*nodes of the document*) where the rules leave out any.
  init(_ rules: PatchRules, shownBy tree: PatchTree, below root: PatchTree.Index) {
    self.rules = rules
    guard rules.skipsSome else { return }
    var node: PatchTree.Index? = root
    while let step = node {
      if let component = tree[step].state.component { components.insert(component) }
      if let fragment = tree[step].root { fragments.insert(fragment) }
      node = tree.successor(of: step, within: root)
    }
  }

  /// Whether an element of a page is left out. Not one of a page with roots that hold something else than their markup: there the
  /// page says which are left out.
  func contains(_ node: NodeTree.Index, of page: Page) -> Bool {
    guard rules.skipsSome else { return false }
    if page.skippedRoots.contains(node) { return true }
    guard page.rootsAreContained else { return false }
    if let component = page.origins[node]?.component, rules.unchanged.contains(component),
      components.contains(component)
    {
      return true
    }
    guard rules.skipsRoots, page.unchangedRoots.contains(node), let root = page.roots[node] else { return false }
    return fragments.contains(root)
  }
}
