package import MarkupDocument
internal import RenderedTree

/// An upper bound of a page's size. A full update makes it exact; each scoped update adds the size of the markup that it
/// rendered. If the bound exceeds a limit, a full update makes it exact again.
///
/// The size of the document is always exact, because it is computed from the change sets.
package struct PageSize: Sendable {
  private(set) var markup = 0
  private(set) var fragments = 0
  /// The size of the document. It has more nodes than the page if the tree has forgotten items of streams.
  package var document = DocumentSize(nodes: 1)

  init() {}

  init(_ rendering: Rendering, of document: DocumentSize) {
    self.document = document
    add(rendering)
  }

  init(markup bytes: Int, fragments: Int = 0, document: DocumentSize = DocumentSize(nodes: 1)) {
    (markup, self.fragments, self.document) = (bytes, fragments, document)
  }

  mutating func add(_ rendering: Rendering) {
    markup += rendering.markup.count
    fragments += rendering.fragments
  }

  mutating func add(markup bytes: Int) { markup += bytes }

  /// Adds the markup and the fragments of another size. The document of `other` is ignored.
  mutating func add(_ other: PageSize) {
    markup += other.markup
    fragments += other.fragments
  }

  /// The estimated memory of the document and the merged tree in bytes. Measured: 56 MB for 163,839 `<br>`, 70 MB for a list of
  /// 81,500 rows, and 75 MB for 163,838 elements with three attributes each.
  var memory: Int { document.nodes * 300 + document.bytes * 4 + fragments * 128 + markup }

  /// Whether the page may exceed a limit.
  var isExcessive: Bool {
    markup > Rendered.maximumMarkup || fragments > Rendered.maximumFragments || document.isExcessive
  }
}
