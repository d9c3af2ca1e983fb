internal import MarkupDocument
internal import RenderedTree

extension Document {
  /// Parses a piece of markup, that is a part of a page, as the parser of the whole page would read
  /// it among the children of a node. ``ScopedContext`` calls it for each region.
  ///
  /// - Parameter isFirst: whether the markup begins directly after the parent's start tag.
  /// - Complexity: O(*depth* + *markup*).
  func piece(_ markup: [UInt8], in parent: NodeRef, isFirst: Bool = false) -> MarkupParser.Piece {
    let context = MarkupParser.Context(ancestors: context(of: parent), startsParent: isFirst)
    return MarkupParser.parse(markup, in: context, dialect: dialect)
  }

  /// What the parser must know of the ancestors: their names, and the `encoding` of
  /// `annotation-xml`, the only attribute that affects parsing.
  private func context(of parent: NodeRef) -> [Element] {
    var ancestors: [Element] = []
    var step = treeIndex(of: parent)
    while let node = step, let element = tree[node].element {
      let attributes = element.tag == "annotation-xml" ? element.attributes.filter { $0.name == "encoding" } : []
      ancestors.append(Element(tag: element.tag, namespace: element.namespace, attributes: attributes))
      step = tree.parent(of: node)
    }
    return ancestors.reversed()
  }
}

/// Parses the markup of one component as a page of its own. ``FullUpdate`` needs this page for a
/// component that the document has but the page does not show, such as one in an item of a stream.
extension Document {
  /// Parses the markup of a component in the context of its root element. The context matters:
  /// outside of a table, for example, a parser drops the start tag of a `tr`.
  ///
  /// LiveView's client (1.0 to 1.2) parses the markup of a component as the content of a
  /// `template`, where every HTML element may be the root, whatever its parent: `tr`, `td`,
  /// `caption`, `col`, `option`. This function does the same, except in `svg` and `math`: there the
  /// browser would turn the root and all new nodes below it into HTML elements, so the real parent
  /// is the context.
  ///
  /// - Parameter root: the component's root element in the document.
  /// - Returns: the page, and the node in it whose children the markup became.
  /// - Complexity: O(*depth* + *markup*).
  func page(of rendering: Rendering, replacing root: NodeRef) -> (page: Page, parent: NodeTree.Index) {
    if !dialect.isPatchedByBrowser { return (Page(rendering, dialect: dialect), NodeTree.root) }
    if let parent = parent(of: root), let element = content(of: parent)?.element, element.namespace != .html {
      let piece = piece(rendering.markup, in: parent)
      if piece.isContained {
        return (Page(piece, dialect: dialect, sources: Page.Sources(rendering)), piece.parent)
      }
    }
    let opening = Array("<template>".utf8)
    let sources = Page.Sources(rendering).moved(by: opening.count)
    let page = Page(parsing: opening + rendering.markup, dialect: dialect, sources: sources)
    return (page, page.tree.firstChild(of: NodeTree.root) ?? NodeTree.root)
  }
}

// MARK: - Text without markup

extension Sequence<UInt8> {
  /// Whether a parser makes one text of the bytes and changes none of them: they have no `<`, `&`,
  /// carriage return or NUL.
  var isPlainText: Bool {
    allSatisfy { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") && $0 != 0x0D && $0 != 0 }
  }
}

extension String {
  /// As for a sequence of bytes. Reads the string's contiguous storage if it has one.
  var isPlainText: Bool { utf8.withContiguousStorageIfAvailable(\.isPlainText) ?? utf8.isPlainText }
}
