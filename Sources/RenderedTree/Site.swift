/// The document nodes that an instance of a template became.
///
/// This module only stores sites; `LiveViewMirror` makes them. A merge moves a site together with
/// its fragment or entry, and never copies it to another instance. So a site always describes the
/// instance that has it.
package final class Site: Sendable {
  /// For each anchor (static element or comment) of the instance's template, the number of its
  /// node; 0 if the document has no such node.
  package let nodes: [Int]
  /// The anchors whose content cannot be addressed by slot.
  package let opaque: Set<Int>
  /// The number of fragments, entries and components that contain the instance, including the
  /// instance itself. The page itself has depth 1.
  package let depth: Int
  /// The number of the static node with which the instance begins; `nil` if it does not begin with
  /// one.
  package let first: Int?
  /// The number of the static node with which the instance ends; `nil` if it does not end with one.
  package let last: Int?
  /// Whether the slots of the instance can be addressed. They cannot in a component that the page
  /// shows twice, or that does not begin with a static node; the site of such a component only
  /// records that it is shown.
  package let isAddressable: Bool

  package init(nodes: [Int], opaque: Set<Int> = [], depth: Int, first: Int? = nil, last: Int? = nil) {
    self.nodes = nodes
    self.opaque = opaque
    self.depth = depth
    self.first = first
    self.last = last
    isAddressable = true
  }

  /// The site of a component that is shown, but has no known position.
  package init(shownAtDepth depth: Int) {
    nodes = []
    opaque = []
    self.depth = depth
    first = nil
    last = nil
    isAddressable = false
  }
}
