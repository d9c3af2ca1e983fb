public import MarkupDocument

/// What makes an element the same among its siblings, whatever becomes of its place: its `id` attribute; without one the
/// entry of the keyed comprehension that it is, or the component; without that its `NodeRef`.
///
/// Each is a case of its own: the id `5` and the node 5 are two things.
public enum ElementID: Hashable, Sendable {
  /// The `id` attribute.
  case id(String)
  /// The entry of a comprehension (or a component, group 0), and which of its elements.
  case entry(group: Int, member: Int, tag: String, ordinal: Int)
  /// The node, where nothing else tells it apart.
  case node(NodeRef)
}

extension Document {
  /// - Complexity: O(*attributes*).
  func elementID(of node: NodeRef) -> ElementID { elementID(of: node, being: content(of: node)?.element) }

  /// For whoever has looked the element up already.
  func elementID(of node: NodeRef, being element: Element?) -> ElementID {
    if let id = element?.id { return .id(id) }
    if let origin = marks.origins[node] {
      return .entry(group: origin.group, member: origin.member, tag: origin.tag, ordinal: origin.ordinal)
    }
    return .node(node)
  }
}
