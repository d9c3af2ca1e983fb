internal import MarkupDocument
internal import RenderedTree

/// The markup of one component as a page of its own.
extension Document {
  /// Parses a component where its root element is: a `tr` is a row only in the right context.
  ///
  /// LiveView's client (1.0 to 1.2) parses the markup of a component as the content of a `template`, where every HTML
  /// element may be the root, whatever its parent: `tr`, `td`, `caption`, `col`, `option`. So does this. In `svg` and
  /// `math` that would turn the root and all new nodes below it into HTML elements, as it does in the browser; here the
  /// context is the real parent.
  ///
  /// - Parameter root: the root element that the document has.
  /// - Returns: the page, and the node in it whose children the markup became.
  /// - Complexity: O(*depth* + *markup*).
  func page(of rendering: Rendering, replacing root: NodeRef) -> (page: Page, parent: NodeTree.Index) {
    if dialect == .native { return (Page(rendering, dialect: dialect), NodeTree.root) }
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
