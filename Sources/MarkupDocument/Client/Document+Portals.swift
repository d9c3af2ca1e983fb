/// Portals (LiveView ≥ 1.1): a `template` with `data-phx-portal`, and the element that the client shows of it elsewhere.
extension Document {
  package var hasPortals: Bool { !marks.portals.isEmpty }

  /// The `template` that an element was teleported from.
  ///
  /// - Complexity: O(1).
  package func portal(showing node: NodeRef) -> NodeRef? { marks.portals[node].flatMap(self.node(withID:)) }

  /// The element that is shown at the target of a `template`; `nil` where the target is not in the document.
  ///
  /// - Complexity: O(*portals of the document*).
  package func shown(ofPortal template: NodeRef) -> NodeRef? {
    guard let id = content(of: template)?.element?.id else { return nil }
    return marks.portals.first { $0.value == id }?.key
  }
}
