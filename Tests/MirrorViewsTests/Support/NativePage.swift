import Foundation
import MarkupDocument
import MirrorViews
import NodeObservation

/// A page drawn from native markup.
struct NativePage {
  let tree: ViewTree

  init(_ markup: String, registry: ViewRegistry = .native) {
    var document = Document(dialect: .native, epoch: 1)
    let morph = Morph.changes(from: document, to: Page(parsing: Array(markup.utf8), dialect: .native))
    document.apply(morph.changes, marks: morph.marks)
    tree = ViewTree(of: FixedDocument(document), registry: registry)
  }

  var markup: String { tree.markup }

  /// The problems after everything was drawn.
  var problems: [String] {
    _ = markup
    return tree.problems.map(\.message)
  }

  /// The elements of the page, parsed as HTML.
  var elements: [Element] {
    let tree = Self.parse(markup)
    return tree.preorder().compactMap { tree[$0].element }
  }

  /// The style sheet of native pages.
  static func stylesheet() throws -> String {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    return try String(contentsOf: root.appending(path: "Public/frame/native.css"), encoding: .utf8)
  }

  static func parse(_ html: String) -> NodeTree { Page(parsing: Array(html.utf8), dialect: .html).tree }
}
