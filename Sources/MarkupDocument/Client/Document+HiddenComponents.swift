/// Components that an update names and that LiveView's client does not show, since they are in an element that it leaves as it is.
extension Document {
  /// What an update names.
  package struct Named {
    /// The components that it names.
    package var components: Set<Int>
    /// The roots of other fragments that it merges something into; see ``Page/Root``.
    package var roots: Set<Int>
    /// Whether it names nothing else: the client then patches the outermost of the components, each by itself.
    package var isComponentsAlone: Bool

    package init(components: Set<Int>, roots: Set<Int>, isComponentsAlone: Bool) {
      self.components = components
      self.roots = roots
      self.isComponentsAlone = isComponentsAlone
    }
  }

  /// Whether a component that an update names may be hidden.
  ///
  /// - Complexity: O(*components* · *depth*), and at most O(*nodes*).
  package func mayHideComponents(_ named: Named) -> Bool {
    if named.isComponentsAlone, named.components.count < 2 || marks.roots.isEmpty { return false }
    var origins = Enclosure(in: self) { marks.origins[$0] != nil }
    /// In a component that the update names, the client leaves out none but those in entries of keyed comprehensions.
    func isLeftOut(_ node: NodeRef) -> Bool {
      guard let root = marks.roots[node], !named.roots.contains(root) else { return false }
      let owner = marks.origins[node] ?? origins.nearest(around: node).flatMap { marks.origins[$0] }
      return owner?.component.map { !named.components.contains($0) } ?? true
    }
    var hiding = Enclosure(in: self) { node in
      isLeftOut(node)
        || !named.isComponentsAlone && component(of: node).map { !named.components.contains($0) } ?? false
    }
    var around = Enclosure(in: self) { component(of: $0).map(named.components.contains) ?? false }
    return named.components.contains { cid in
      nodes(ofComponent: cid).contains { node in
        guard let hiding = hiding.nearest(around: node) else { return false }
        return !named.isComponentsAlone || around.nearest(around: hiding) != nil
      }
    }
  }
}
