public import MarkupDocument
internal import NodeObservation

/// The identity of an element among its siblings, independent of its position.
///
/// It is the `id` attribute of the element. Without one, it is the entry of a keyed comprehension
/// or the component to which the element belongs; otherwise the `NodeRef` of the element. The cases
/// are distinct: the id `5` is not the node 5.
///
/// If an element is replaced by another one with the same identity, a ``ViewTree`` keeps the view.
/// ``ForEach`` distinguishes the views of child elements by their identities.
public enum ElementID: Hashable, Sendable {
  /// The `id` attribute.
  case id(String)
  /// An entry of a comprehension, or a component if the group is 0. The element is identified by
  /// its tag, and by its index among the elements of the entry with that tag.
  case entry(group: Int, member: Int, tag: String, ordinal: Int)
  /// The node, if the element has no other identity.
  case node(NodeRef)
}

extension Document {
  /// The identity of an element.
  ///
  /// - Complexity: O(*attributes*).
  func elementID(of node: NodeRef) -> ElementID { elementID(of: node, being: content(of: node)?.element) }

  /// The identity of an element that the caller has already looked up.
  func elementID(of node: NodeRef, being element: Element?) -> ElementID {
    if let id = element?.id { return .id(id) }
    if let origin = marks.origins[node] {
      return .entry(group: origin.group, member: origin.member, tag: origin.tag, ordinal: origin.ordinal)
    }
    return .node(node)
  }
}
