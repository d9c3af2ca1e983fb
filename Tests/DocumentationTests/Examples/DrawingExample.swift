import MarkupDocument
import MirrorViews
import NodeObservation

enum DrawingExample: Example {
  static func run() throws {
    // example: Drawing
    let coordinator = DocumentCoordinator(
      markup: #"<ul id="list"><li id="a">1</li><li id="b">2</li></ul>"#, dialect: .html)
    let page = ViewTree(of: coordinator)
    print(page.markup)
    print("evaluated:", page.evaluationCount)

    coordinator.update(markup: #"<ul id="list" class="on"><li id="a">1</li><li id="b">3</li></ul>"#)
    for evaluation in page.takeEvaluations() {
      print("view \(evaluation.view):", page.piece(of: evaluation) ?? "gone")
    }
    if let b = coordinator.document.node(withID: "b") { print(page.markup(of: b) ?? "not shown") }
    // end
  }
}
