import MarkupDocument

enum MarkupDocumentExample: Example {
  static func run() throws {
    // example: MarkupDocument
    var document = Document(markup: "<p>1</p>", dialect: .html)
    let changes = document.changes(to: "<p>2</p>")
    document.apply(changes)
    print(changes.changes.count, document.markup)
    // end
  }
}
