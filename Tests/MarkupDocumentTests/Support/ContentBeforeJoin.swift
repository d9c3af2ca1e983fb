import DocumentInvariants
import MarkupDocument

/// A document that is updated with pages, and the changes of the last update.
struct ContentBeforeJoin {
  private(set) var document: Document
  private(set) var changes: [String] = []

  init(_ markup: String, dialect: Dialect = .html, streams: [StreamPatch] = []) {
    document = Document(dialect: dialect, epoch: 1)
    update(markup, streams: streams)
  }

  mutating func update(_ markup: String, streams: [StreamPatch] = []) {
    let page = Page(parsing: Array(markup.utf8), dialect: document.dialect)
    let morph = Morph.changes(from: document, to: page, streams: streams)
    document.apply(morph.changes, marks: morph.marks)
    changes = morph.changes.changes.map(\.description)
  }

  var markup: String { document.markup(of: document.root) }
  var faults: [String] { document.checkInvariants() }

  /// The numbers of all nodes in document order.
  var numbers: [Int] { document.nodes(from: document.root).map(\.number) }

  func number(id: String) -> Int? {
    document.nodes(from: document.root).first { document.content(of: $0)?.element?.id == id }?.number
  }
}
