/// Components whose changes LiveView's client does not show, because the components are inside of
/// an element that the client leaves unchanged. Full and scoped updates look for such components
/// before they patch.
extension Document {
  /// The parts of a view that an update names.
  package struct NamedParts {
    /// The components that the update names.
    package var components: Set<Int>
    /// The identities of the fragments, other than components, that the update changes; see
    /// ``Page/Root``.
    package var roots: Set<Int>
    /// Whether the update contains only components. The client then patches the outermost of them,
    /// each by itself.
    package var isComponentsAlone: Bool

    /// The parts that an update names.
    package init(components: Set<Int>, roots: Set<Int>, isComponentsAlone: Bool) {
      self.components = components
      self.roots = roots
      self.isComponentsAlone = isComponentsAlone
    }
  }

  /// Whether a component that the update names may be inside of an element that the client leaves
  /// unchanged. If so, a scoped update is refused, and a full one marks the document as different
  /// from the page.
  ///
  /// - Client: `findExistingParentCIDs` in `dom.js`, 1.0+. Origin: phoenix_live_view#3169.
  /// - Complexity: O(*components* · *depth*), and at most O(*nodes*).
  package func mayHideComponents(_ named: NamedParts) -> Bool {
    if named.isComponentsAlone, named.components.count < 2 || marks.roots.isEmpty { return false }
    var origins = NearestAncestors(in: self) { marks.origins[$0] != nil }
    /// Whether the client skips a node as the root of a fragment that the update does not name.
    /// Inside of a component that the update names, the client skips only roots in entries of keyed
    /// comprehensions.
    func isLeftOut(_ node: NodeRef) -> Bool {
      guard let root = marks.roots[node], !named.roots.contains(root) else { return false }
      let owner = marks.origins[node] ?? origins.nearest(around: node).flatMap { marks.origins[$0] }
      return owner?.component.map { !named.components.contains($0) } ?? true
    }
    var hiding = NearestAncestors(in: self) { node in
      isLeftOut(node)
        || !named.isComponentsAlone && component(of: node).map { !named.components.contains($0) } ?? false
    }
    var around = NearestAncestors(in: self) { component(of: $0).map(named.components.contains) ?? false }
    return named.components.contains { cid in
      nodes(ofComponent: cid).contains { node in
        guard let hiding = hiding.nearest(around: node) else { return false }
        return !named.isComponentsAlone || around.nearest(around: hiding) != nil
      }
    }
  }
}
