package import MarkupDocument
internal import RenderedTree

/// The size of a page: of its document, of its merged tree, and of the markup of the last
/// rendering.
///
/// The state of a view has it for limits and for the estimate of its memory. Each commit changes it
/// together with the tree and the document.
///
/// The size of the document is always exact, because it is computed from the change sets. The size
/// of the tree is measured again when the diffs since the last measurement could have made the tree
/// half as large again.
package struct PageSize: Sendable {
  /// An upper bound of the rendered markup in bytes. A full update makes it exact, and each scoped
  /// update adds what it has rendered. If the bound exceeds a limit, a full update makes it exact
  /// again.
  private(set) var markup = 0
  /// An upper bound of the number of rendered fragments, by the same rule as ``markup``.
  private(set) var fragments = 0
  /// The size of the document. It has more nodes than the page if the tree has forgotten items of
  /// streams.
  package var document = DocumentSize(nodes: 1)
  /// The size of the tree when it was last measured.
  private(set) var tree = TreeSize()
  /// The bytes of the diffs since the tree was last measured.
  private var unmeasured = 0

  init() {}

  init(_ rendering: Rendering, of document: DocumentSize, in tree: TreeSize = TreeSize()) {
    self.document = document
    self.tree = tree
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

  /// Adds the markup and the fragments of another size. The document and the tree of `other` are
  /// ignored.
  mutating func add(_ other: PageSize) {
    markup += other.markup
    fragments += other.fragments
  }

  /// Counts a diff that was merged into the tree.
  ///
  /// - Parameters:
  ///   - bytes: the size of the diff.
  ///   - rendered: the tree after it.
  /// - Complexity: amortised O(1) for a byte of the diff.
  mutating func add(diff bytes: Int, mergedInto rendered: Rendered) {
    unmeasured += bytes
    // A short fragment takes sixteen times as much memory as its JSON. The constant summand keeps
    // small trees from being measured for nearly every diff.
    if 16 * unmeasured > tree.memory / 2 + 32_768 { measure(rendered) }
  }

  mutating func remove(_ part: TreeSize) { tree -= part }

  /// - Complexity: O(*slots*).
  mutating func measure(_ rendered: Rendered) { (tree, unmeasured) = (TreeSize(of: rendered), 0) }

  /// The estimated memory of the document and the merged tree in bytes. Measured: 56 MB for 163,839
  /// `<br>`, 70 MB for a list of 81,500 rows, and 75 MB for 163,838 elements with three attributes
  /// each.
  var memory: Int { document.nodes * 300 + document.bytes * 4 + tree.memory + unmeasured }

  /// Whether the page may exceed a limit.
  var isExcessive: Bool {
    markup > Rendered.maximumMarkup || fragments > Rendered.maximumFragments || document.isExcessive
      || tree.memory > TreeSize.maximumMemory
  }
}
