/// The roots of components and other fragments that LiveView's client renders without their content (`data-phx-skip`), because
/// the update does not touch them.
struct SkippedRoots {
  private var rules = PatchRules()
  /// The components and fragments that the document shows. The client finds a skipped root there, with its content.
  private var components: Set<Int> = []
  private var fragments: Set<Int> = []

  init() {}

  /// - Parameter nodes: the nodes of the document.
  /// - Complexity: O(*nodes*)
  init(_ rules: PatchRules, shownBy nodes: [PatchTree.Index], of tree: PatchTree) {
    self.rules = rules
    components = Set(nodes.lazy.compactMap { tree[$0].state.component })
    fragments = Set(nodes.lazy.compactMap { tree[$0].root })
  }

  /// Whether an element of a page is skipped. If a root of the page contains nodes of other markup, only the roots that the
  /// page itself marks as skipped are.
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
