import MarkupDocument
import Testing

/// The public use of the module.
@Suite struct DocumentMarkupTests {
  @Test func `markup is parsed, compared, applied and serialised`() {
    let document = Document(markup: #"<p id="a">1</p><i>x</i>"#, dialect: .html)
    let changes = document.changes(to: #"<p id="a" class="n">2</p>"#)
    var applied = document
    applied.apply(changes)
    #expect(applied.markup == #"<p id="a" class="n">2</p>"#)
    #expect(document.markup == #"<p id="a">1</p><i>x</i>"#)
    #expect(applied.node(withID: "a") == document.node(withID: "a"))
    var updated = document
    #expect(updated.update(markup: applied.markup) == changes)
    #expect(updated.changes(to: updated.markup).isEmpty)
  }
}
