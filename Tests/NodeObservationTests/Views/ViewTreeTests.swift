import MarkupDocument
import NodeObservation
import Testing

/// The views of elements as they stand: what is evaluated, why, and what is drawn.
@Suite struct ViewTreeTests {
  let coordinator: DocumentCoordinator
  let page: ViewTree

  init() {
    coordinator = DocumentCoordinator(
      markup: #"<main><h1>Title</h1><ul id="list"><li id="a">1</li><li id="b">2</li></ul></main>"#, dialect: .html)
    page = ViewTree(of: coordinator)
  }

  func update(_ markup: String) -> [String] {
    coordinator.update(markup: markup)
    return page.takeEvaluations().map(\.description)
  }

  @Test func aTreeDoesNothingUntilItIsDrawn() {
    #expect(page.evaluationCount == 0)
    coordinator.update(markup: "<main>other</main>")
    #expect(page.evaluationCount == 0)
    #expect(page.markup == "<main>other</main>")
    #expect(page.evaluationCount == 2)
  }

  @Test func drawingEvaluatesEveryBodyOnce() {
    #expect(page.markup == coordinator.document.markup(of: coordinator.document.root))
    #expect(page.evaluationCount == 6)
    _ = page.markup
    #expect(page.evaluationCount == 6)
    #expect(page.takeEvaluations() == [])
  }

  @Test func aChangedTextEvaluatesOneBodyAndSaysWhy() {
    _ = page.markup
    let evaluated = update(#"<main><h1>Title</h1><ul id="list"><li id="a">1</li><li id="b">3</li></ul></main>"#)
    #expect(evaluated == ["body of <li#b> (ElementMarkup): text"])
    #expect(page.markup.contains(#"<li id="b">3</li>"#))
  }

  @Test func changedAttributesAreNamed() {
    _ = page.markup
    let evaluated = update(
      #"<main><h1 class="x" title="y">Title</h1><ul id="list"><li id="a">1</li><li id="b">2</li></ul></main>"#)
    #expect(evaluated == ["body of <h1> (ElementMarkup): attributes `class`, `title`"])
  }

  @Test func whatComesAndGoesEvaluatesTheParentAlone() {
    _ = page.markup
    #expect(
      update(#"<main><h1>Title</h1><ul id="list"><li id="b">2</li><li id="c">3</li></ul></main>"#)
        == ["body of <ul#list> (ElementMarkup): children"])
    #expect(page.markup == coordinator.document.markup(of: coordinator.document.root))
    #expect(page.count == 6)
  }

  @Test func theTopIsAViewToo() {
    _ = page.markup
    #expect(
      update(#"<p>first</p><main><h1>Title</h1><ul id="list"><li id="a">1</li><li id="b">2</li></ul></main>"#)
        == ["body of the document (ElementMarkup): children"])
  }

  @Test func anotherDocumentBeginsAnew() {
    _ = page.markup
    coordinator.replace(markup: "<p>new</p>")
    #expect(page.markup == "<p>new</p>")
    #expect(page.count == 2)
  }

  @Test func anEvaluationComesToOnePieceWithHoles() throws {
    _ = page.markup
    coordinator.update(markup: #"<main><h1>Title</h1><ul id="list"><li id="a">1</li><li id="c">3</li></ul></main>"#)
    let evaluation = try #require(page.takeEvaluations().first)
    let piece = try #require(page.piece(of: evaluation))
    // The view that stays has a number; the one that is new was not drawn yet.
    let pattern = /<ul id="list"><!--view:\d+--><!--node:\d+--><\/ul>/
    #expect(piece.wholeMatch(of: pattern) != nil, "\(piece)")
  }

  @Test func aViewOfOneElementIsDrawnAlone() {
    let item = coordinator.document.nodes(from: coordinator.document.root).first {
      coordinator.document.content(of: $0)?.element?.id == "a"
    }
    #expect(item.flatMap { page.markup(of: $0) } == #"<li id="a">1</li>"#)
    // And with it what is around it, and nothing else.
    #expect(page.evaluationCount == 4)
  }

  /// The whole page, drawn by views that are told of changes, is the document's markup after any change.
  @Test(arguments: 0..<40) func whatViewsDrawIsTheDocument(seed: UInt64) {
    var random = SeededRandom(seed)
    let coordinator = DocumentCoordinator(markup: RandomMarkup.page(&random), dialect: .html)
    let page = ViewTree(of: coordinator)
    for step in 0..<25 {
      if step % 3 == 0 { _ = page.markup }
      coordinator.update(markup: RandomMarkup.page(&random))
      let document = coordinator.document
      #expect(page.markup == document.markup(of: document.root))
      let elements = document.nodes(from: document.root).filter { document.content(of: $0)?.element != nil }
      #expect(page.count == elements.count + 1)
    }
  }
}
