import MarkupDocument
import NodeObservation

enum ThreadsAndOrderExample: Example {
  static func run() throws {
    // example: ThreadsAndOrder
    let coordinator = DocumentCoordinator(markup: #"<p id="a">1</p>"#, dialect: .html)
    guard let a = coordinator.document.node(withID: "a") else { fatalError("no a") }

    let first = Observer(of: a, in: coordinator) { _ in
      print("first hears", coordinator.document.markup(of: a))
      coordinator.update(markup: #"<p id="a">3</p>"#)  // deferred until both observers are notified of 2
    }
    let second = Observer(of: a, in: coordinator) { _ in
      print("second hears", coordinator.document.markup(of: a))
    }
    coordinator.update(markup: #"<p id="a">2</p>"#)
    first.cancel()
    second.cancel()
    // end

    // example: ThreadsAndOrder
    let rising = Observer(of: a, in: coordinator) { _ in
      let count = coordinator.document.markup(of: a).count
      coordinator.update(markup: #"<p id="a">\#(String(repeating: "x", count: count))</p>"#)
    }
    coordinator.update(markup: #"<p id="a">x</p>"#)
    rising.cancel()
    if let cycle = coordinator.refused { print(cycle) }
    // end
  }
}
