/// The portals (LiveView ≥ 1.1) of a document. A portal is a `template` with `data-phx-portal`. The
/// client shows the element in the template at another place, the portal's target. `TreeJSON`
/// writes the portals. `ActionContext` takes the template as the parent of the shown element.
extension Document {
  /// Whether any portal shows an element.
  package var hasPortals: Bool { !marks.portals.isEmpty }

  /// The `template` whose portal shows an element; `nil` if no portal does.
  ///
  /// - Complexity: O(1).
  package func portal(showing node: NodeRef) -> NodeRef? { marks.portals[node].flatMap(self.node(withID:)) }

  /// Whether a portal shows an element outside of the view. Such elements are the last children of
  /// the root.
  ///
  /// - Complexity: O(1).
  package func isShownOutside(_ node: NodeRef) -> Bool { marks.portals[node] != nil && parent(of: node) == root }

  /// The element that a portal shows at its target, in the document or outside of it.
  ///
  /// - Complexity: O(*portals of the document*).
  package func shown(ofPortal template: NodeRef) -> NodeRef? {
    guard let id = content(of: template)?.element?.id else { return nil }
    return marks.portals.lazy.filter { $0.value == id }.map(\.key).min()
  }
}
