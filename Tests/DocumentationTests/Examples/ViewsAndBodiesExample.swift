import MarkupDocument
import MirrorViews
import NodeObservation

enum ViewsAndBodiesExample: Example {
  // example: ViewsAndBodies
  struct Chart: PageView {
    @ObservedElement var element

    var body: some View {
      Tag("ul") {
        ForEach(element.childElements) { bar in
          Tag("li") { ElementView(bar) }
        }
      }
      if element.childElements.isEmpty { Text("no data") }
    }
  }

  struct Bar: PageView {
    @Attribute("value") var value = 0
    var body: some View { Text(String(repeating: "*", count: max(0, value))) }
  }
  // end

  static func run() throws {
    // example: ViewsAndBodies
    var registry = ViewRegistry.html
    registry.register("Chart") { _ in Chart() }
    registry.register("Bar") { _ in Bar() }

    let coordinator = DocumentCoordinator(
      markup: #"<Chart><Bar id="a" value="1"/><Bar id="b" value="2"/></Chart>"#, dialect: .native)
    let page = ViewTree(of: coordinator, registry: registry)
    print(page.markup)

    coordinator.update(markup: #"<Chart><Bar id="b" value="3"/><Bar id="a" value="1"/></Chart>"#)
    for evaluation in page.takeEvaluations() { print(evaluation) }
    print(page.markup)
    // end
  }
}
