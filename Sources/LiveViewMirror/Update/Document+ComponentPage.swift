internal import MarkupDocument
internal import RenderedTree

/// The markup of one component as a page of its own.
extension Document {
  /// Parses the markup of a component in the context of its root element. The context matters: only in a table is a `tr` a row.
  ///
  /// LiveView's client (1.0 to 1.2) parses the markup of a component as the content of a `template`, where every HTML element may
  /// be the root, whatever its parent: `tr`, `td`, `caption`, `col`, `option`. This function does the same, except in `svg` and
  /// `math`: there the browser would turn the root and all new nodes below it into HTML elements, so the real parent is the
  /// context.
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
