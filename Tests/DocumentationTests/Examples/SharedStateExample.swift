import MarkupDocument
import MirrorViews
import NodeObservation

// example: SharedState
extension SharedKey where Value == String {
  static var filter: Self { SharedKey("filter", default: "all") }
}
// end

enum SharedStateExample: Example {
  // example: SharedState, continued
  struct Heading: PageView {
    @Shared(.filter) var filter
    var body: some View { Tag("h1") { Text("Rows: \(filter)") } }
  }
  // end

  static func run() throws {
    // example: SharedState
    var registry = ViewRegistry.html
    registry.register("Heading") { _ in Heading() }
    let coordinator = DocumentCoordinator(markup: #"<Heading id="top" class="old"/>"#, dialect: .native)
    let page = ViewTree(of: coordinator, registry: registry)
    print(page.markup)

    let filter = Shared(.filter)
    filter.wrappedValue = "new"
    for evaluation in page.takeEvaluations() { print(evaluation) }
    // end

    defer { filter.wrappedValue = "all" }
    // example: SharedState
    guard let top = coordinator.document.node(withID: "top") else { fatalError("no heading") }
    func report(_ top: NodeRef, of coordinator: DocumentCoordinator, _ filter: Shared<String>) -> ReadObserver {
      observe { print("class", coordinator.element(top)["class"] ?? "none", "filter", filter.wrappedValue) }
    }
    let observer = report(top, of: coordinator, filter)
    coordinator.update(markup: #"<Heading id="top" class="old" title="unread"/>"#)
    coordinator.update(markup: #"<Heading id="top" class="big"/>"#)
    filter.wrappedValue = "done"
    observer.cancel()
    // end
  }
}
