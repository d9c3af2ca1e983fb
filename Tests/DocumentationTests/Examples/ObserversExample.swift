import MarkupDocument
import NodeObservation

enum ObserversExample: Example {
  static func run() throws {
    // example: Observers
    let coordinator = DocumentCoordinator(markup: #"<ul id="list"><li>milk</li></ul>"#, dialect: .html)
    guard let list = coordinator.document.node(withID: "list") else { fatalError("no list") }

    let observer = Observer(of: list, in: coordinator, observeChildren: true) { print("changed:", $0) }
    print("children:", observer.children)

    coordinator.update(markup: #"<ul id="list" class="long"><li>milk</li><li>tea</li></ul>"#)
    print(observer.element?["class"] ?? "none", observer.children)

    coordinator.update(markup: #"<ul id="list" class="long"><li>milk</li><li>coffee</li></ul>"#)
    coordinator.update(markup: "")
    print("finished:", observer.isFinished, "signals:", observer.signalCount)
    // end
  }
}
