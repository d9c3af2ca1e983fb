package import MarkupDocument
internal import RenderedTree

/// At most how large a page is: exact when the whole of it was rendered, and with every scoped update as much more as that
/// has rendered. So a page that may have become too large is rendered whole once, and is then known again.
///
/// The size of the document is always exact: it is what the change sets say.
package struct PageSize: Sendable {
  private(set) var markup = 0
  private(set) var fragments = 0
  /// Of the document, which holds more than the page where streams have forgotten their items.
  package var document = DocumentSize(nodes: 1)

  init() {}

  init(_ rendering: Rendering, of document: DocumentSize) {
    self.document = document
    add(rendering)
  }

  init(markup bytes: Int) { markup = bytes }

  mutating func add(_ rendering: Rendering) {
    markup += rendering.markup.count
    fragments += rendering.fragments
  }

  mutating func add(markup bytes: Int) { markup += bytes }

  /// - Parameter other: what was rendered besides; its document counts for nothing.
  mutating func add(_ other: PageSize) {
    markup += other.markup
    fragments += other.fragments
  }

  /// About how much memory the page takes: the document, and the merged tree. Measured: 56 MB for 163,839 `<br>`, 70 MB for a
  /// list of 81,500 rows, and 75 MB for 163,838 elements with three attributes each.
  var memory: Int { document.nodes * 300 + document.bytes * 4 + fragments * 128 + markup }

  /// Whether the page may be larger than a page can be.
  var isExcessive: Bool {
    markup > Rendered.maximumMarkup || fragments > Rendered.maximumFragments || document.isExcessive
  }
}
