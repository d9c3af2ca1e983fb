internal import MarkupDocument

/// The parsed markup of a region, and the parts of the tree to link to its nodes.
struct ParsedRegion {
  let page: Page
  /// The node of the page whose children the markup became.
  let parent: NodeTree.Index
  /// The document numbers of the page's nodes, by index in the page's storage.
  let names: [Int]
  let parts: [Region.PartOffset]
}
