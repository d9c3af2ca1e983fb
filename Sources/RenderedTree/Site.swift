/// The document nodes that an instance of a template became.
///
/// This module only stores sites; `LiveViewMirror` makes them. A merge moves a site together with
/// its fragment or entry, and never copies it to another instance. So a site always describes the
/// instance that has it.
package struct Site: Sendable {
  /// ``depth``, ``first``, ``last`` and the flags, and then the nodes of the anchors. They are one
  /// array, because a page can have many thousands of instances. The number of an opaque node is
  /// negative.
  private var values: [Int]

  private static let headerCount = 4

  /// The site of an instance whose nodes are not known yet.
  package init(anchors: Int, depth: Int) {
    values = []
    values.reserveCapacity(Self.headerCount + anchors)
    values.append(depth)
    for _ in 0..<Self.headerCount - 1 + anchors { values.append(0) }
    values[3] = Self.addressable
  }

  /// The site of a component that is shown, but has no known position.
  package init(shownAtDepth depth: Int) { values = [depth, 0, 0, 0] }

  private static let addressable = 1
  private static let hasOpaque = 2

  /// The number of fragments, entries and components that contain the instance, including the
  /// instance itself. The page itself has depth 1.
  package var depth: Int { values[0] }
  /// The number of the static node with which the instance begins; `nil` if it does not begin with
  /// one.
  package var first: Int? { values[1] == 0 ? nil : values[1] }
  /// The number of the static node with which the instance ends; `nil` if it does not end with one.
  package var last: Int? { values[2] == 0 ? nil : values[2] }
  /// Whether the slots of the instance can be addressed. They cannot in a component that the page
  /// shows twice, or that does not begin with a static node; the site of such a component only
  /// records that it is shown.
  package var isAddressable: Bool { values[3] & Self.addressable != 0 }
  /// Whether any anchor is opaque. Valid after ``finish(first:last:)``.
  package var hasOpaque: Bool { values[3] & Self.hasOpaque != 0 }

  /// The number of anchors (static elements and comments) of the instance's template.
  package var anchorCount: Int { values.count - Self.headerCount }

  /// The number of an anchor's node; 0 if the document has no such node.
  package subscript(anchor: Int) -> Int { abs(values[Self.headerCount + anchor]) }

  /// Whether the content of an anchor cannot be addressed by slot.
  package func isOpaque(_ anchor: Int) -> Bool { values[Self.headerCount + anchor] < 0 }

  /// Records the node of an anchor.
  package mutating func set(_ anchor: Int, to node: Int, isOpaque: Bool = false) {
    values[Self.headerCount + anchor] = isOpaque ? -node : node
  }

  /// Records the static nodes with which the instance begins and ends, after all other nodes.
  package mutating func finish(first: Int?, last: Int?) {
    (values[1], values[2]) = (first ?? 0, last ?? 0)
    values[3] = Self.addressable | (values[Self.headerCount...].contains { $0 < 0 } ? Self.hasOpaque : 0)
  }
}
