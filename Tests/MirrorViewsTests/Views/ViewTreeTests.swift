import MarkupDocument
import MirrorViews
import NodeObservation
import TestSupport
import Testing

/// The views of elements without user-defined views: evaluations, their reasons, and drawings.
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

  @Test func `a tree evaluates nothing before it is drawn`() {
    #expect(page.evaluationCount == 0)
    coordinator.update(markup: "<main>other</main>")
    #expect(page.evaluationCount == 0)
    #expect(page.markup == "<main>other</main>")
    #expect(page.evaluationCount == 2)
  }

  @Test func `drawing evaluates every body once`() {
    #expect(page.markup == coordinator.document.markup(of: coordinator.document.root))
    #expect(page.evaluationCount == 6)
    _ = page.markup
    #expect(page.evaluationCount == 6)
    #expect(page.takeEvaluations() == [])
  }

  @Test func `a changed text evaluates one body and records the reason`() {
    _ = page.markup
    let evaluated = update(#"<main><h1>Title</h1><ul id="list"><li id="a">1</li><li id="b">3</li></ul></main>"#)
    #expect(evaluated == ["body of <li#b> (ElementMarkup): text"])
    #expect(page.markup.contains(#"<li id="b">3</li>"#))
  }

  @Test func `the reason names the changed attributes`() {
    _ = page.markup
    let evaluated = update(
      #"<main><h1 class="x" title="y">Title</h1><ul id="list"><li id="a">1</li><li id="b">2</li></ul></main>"#)
    #expect(evaluated == ["body of <h1> (ElementMarkup): attributes `class`, `title`"])
  }

  @Test func `a text that differs only in its bytes is drawn again`() {
    coordinator.update(markup: "<p>caf\u{e9}</p>")
    _ = page.markup
    coordinator.update(markup: "<p>cafe\u{301}</p>")
    let evaluations = page.takeEvaluations()
    #expect(evaluations.map(\.description) == ["body of <p> (ElementMarkup): a signal"])
    #expect(evaluations.map { page.piece(of: $0) } == ["<p>cafe\u{301}</p>"])
    #expect(Array(page.markup.utf8) == Array("<p>cafe\u{301}</p>".utf8))
  }

  @Test func `an element of another type is compared with the last drawing of its view`() {
    var registry = ViewRegistry.html
    registry.register("b") { element in Tag("i", ["id": element["id"]]) { Children(of: element) } }
    let coordinator = DocumentCoordinator(markup: #"<p><b id="x">1</b></p>"#, dialect: .html)
    let page = ViewTree(of: coordinator, registry: registry)
    #expect(page.markup == #"<p><i id="x">1</i></p>"#)
    coordinator.update(markup: #"<p><i id="x">1</i></p>"#)
    #expect(
      page.takeEvaluations().map(\.description) == [
        "body of <p> (ElementMarkup): children", "body of <i#x> (ElementMarkup): children — idle",
      ])
    #expect(page.markup == #"<p><i id="x">1</i></p>"#)
    coordinator.update(markup: #"<p><b id="x">2</b></p>"#)
    #expect(page.takeEvaluations().map(\.isForNothing) == [false, false])
    #expect(page.markup == #"<p><i id="x">2</i></p>"#)
  }

  @Test func `an added or removed element evaluates only the parent's view`() {
    _ = page.markup
    #expect(
      update(#"<main><h1>Title</h1><ul id="list"><li id="b">2</li><li id="c">3</li></ul></main>"#)
        == ["body of <ul#list> (ElementMarkup): children"])
    #expect(page.markup == coordinator.document.markup(of: coordinator.document.root))
    #expect(page.count == 6)
  }

  @Test func `the root of the document has a view`() {
    _ = page.markup
    #expect(
      update(#"<p>first</p><main><h1>Title</h1><ul id="list"><li id="a">1</li><li id="b">2</li></ul></main>"#)
        == ["body of the document (ElementMarkup): children"])
  }

  @Test func `a replaced document begins with new views`() {
    _ = page.markup
    coordinator.replace(markup: "<p>new</p>")
    #expect(page.markup == "<p>new</p>")
    #expect(page.count == 2)
  }

  @Test func `an evaluation is one piece of markup with placeholders`() throws {
    _ = page.markup
    coordinator.update(markup: #"<main><h1>Title</h1><ul id="list"><li id="a">1</li><li id="c">3</li></ul></main>"#)
    let evaluation = try #require(page.takeEvaluations().first)
    let piece = try #require(page.piece(of: evaluation))
    // The kept view has a number. The new element's view has not been created yet.
    let pattern = /<ul id="list"><!--view:\d+--><!--node:\d+--><\/ul>/
    #expect(piece.wholeMatch(of: pattern) != nil, "\(piece)")
  }

  @Test func `the view of one element can be drawn separately`() {
    let item = coordinator.document.nodes(from: coordinator.document.root).first {
      coordinator.document.content(of: $0)?.element?.id == "a"
    }
    #expect(item.flatMap { page.markup(of: $0) } == #"<li id="a">1</li>"#)
    // Drawing it also evaluates the enclosing views, and nothing else.
    #expect(page.evaluationCount == 4)
  }

  /// After every change, the page that the views draw equals the document's markup.
  @Test(arguments: 0..<40) func `the drawn page equals the document after random updates`(seed: UInt64) {
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

/// Deep pages, reentrant calls and undecodable attributes.
@Suite struct ViewTreeLimitTests {
  @Test func `a deep page is drawn and updated`() {
    let depth = 400
    func markup(_ text: String) -> String {
      String(repeating: "<div>", count: depth) + text + String(repeating: "</div>", count: depth)
    }
    let coordinator = DocumentCoordinator(markup: markup("1"), dialect: .html)
    let page = ViewTree(of: coordinator)
    #expect(page.markup == markup("1"))
    coordinator.update(markup: markup("2"))
    #expect(page.takeEvaluations().count == 1)
    #expect(page.markup == markup("2"))
    coordinator.update(markup: "")
    #expect(page.count == 1)
  }

  @Test func `creating a view evaluates nothing`() {
    nonisolated(unsafe) var made = 0
    struct Work: PageView {
      let note: () -> Void
      var body: some View {
        let _ = note()
        Text("work")
      }
    }
    let view = Tag("ul") { ForEach(0..<10_000, id: { $0 }) { _ in Work { made += 1 } } }
    #expect(made == 0)
    withExtendedLifetime(view) {}
  }

  @Test func `a body that requests a drawing receives the last drawings`() {
    final class Place: @unchecked Sendable { weak var page: ViewTree? }
    struct Curious: PageView {
      let place: Place
      var body: some View {
        Text("evaluated \(place.page?.flush().count ?? -1)")
      }
    }
    let place = Place()
    let coordinator = DocumentCoordinator(markup: "<x/>", dialect: .native)
    var registry = ViewRegistry.html
    registry.register("x") { _ in Curious(place: place) }
    let page = ViewTree(of: coordinator, registry: registry)
    place.page = page
    #expect(page.markup == "evaluated 0")
  }

  @Test func `attributes that cannot be decoded are problems and do not stop the drawing`() {
    enum Size: String, CaseIterable, AttributeDecodable { case small, large }
    struct Sized: PageView {
      @Attribute("size") var size = Size.small
      @Attribute("count") var count = 1
      @Attribute("on") var isOn: Bool
      @Attribute("name") var name: String?
      var body: some View { Text("\(size) \(count) \(isOn) \(name ?? "-")") }
    }
    let coordinator = DocumentCoordinator(markup: #"<x size="huge" count="two" on/>"#, dialect: .native)
    var registry = ViewRegistry.html
    registry.register("x") { _ in Sized() }
    let page = ViewTree(of: coordinator, registry: registry)
    #expect(page.markup == "small 1 true -")
    #expect(
      page.problems.map(\.message) == [
        #"<x>: attribute `size` is "huge", and not one of small, large"#,
        #"<x>: attribute `count` is "two", and not a whole number"#,
      ])
    coordinator.update(markup: #"<x size="large" count="2" on="false" name=""/>"#)
    #expect(page.markup == "large 2 false ")
  }
}
