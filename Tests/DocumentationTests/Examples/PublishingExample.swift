import MarkupDocument
import NodeObservation

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

enum PublishingExample: Example {
  static func run() throws {
    // example: Publishing
    let coordinator = DocumentCoordinator(markup: #"<p id="a">1</p><p id="b">2</p>"#, dialect: .html)
    guard let a = coordinator.document.node(withID: "a") else { fatalError("no a") }

    var subscriptions: Set<AnyCancellable> = []
    coordinator.elementChanged(a)
      .sink(receiveCompletion: { _ in print("finished: 2") }, receiveValue: { print("changed:", $0) })
      .store(in: &subscriptions)
    coordinator.documentChanged.sink { print("document:", $0) }.store(in: &subscriptions)

    coordinator.update(markup: #"<p id="a">1</p><p id="b">3</p>"#)  // b has no subscriber
    coordinator.update(markup: #"<p id="a">4</p><p id="b">3</p>"#)
    print("unheard:", coordinator.publishers.unheard)
    coordinator.replace(markup: "<p>other</p>")
    // end
    withExtendedLifetime(subscriptions) {}
  }
}
