/// The roots of components and other fragments that LiveView's client renders without their content
/// (`data-phx-skip`), because the update does not touch them. ``ClientPatch`` marks them while it
/// loads the new markup.
struct SkippedRoots {
  private var rules = PatchRules()
  /// The components and fragments that the document shows. The client keeps the document's element,
  /// with its content, for a skipped root.
  private var components: Set<Int> = []
  private var fragmentRoots: Set<Int> = []

  init() {}

  /// - Parameter nodes: the nodes of the document.
  /// - Complexity: O(*nodes*)
  init(_ rules: PatchRules, shownBy nodes: [PatchTree.Index], of tree: PatchTree) {
    self.rules = rules
    components = Set(nodes.lazy.compactMap { tree[$0].state.component })
    fragmentRoots = Set(nodes.lazy.compactMap { tree[$0].root })
  }

  /// Whether an element of a page is skipped: it is in ``Page/skippedRoots``, or it is the root of
  /// an unchanged component or fragment that the document shows. The second case applies only if
  /// ``Page/rootsAreContained``.
  ///
  /// - Client: `recursiveCIDToString`, `toOutputBuffer` in `rendered.js`, 1.0+. Origin:
  ///   phoenix_live_view#2845.
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
    return fragmentRoots.contains(root)
  }
}
