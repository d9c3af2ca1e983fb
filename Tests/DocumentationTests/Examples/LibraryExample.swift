// example: library
import LiveViewMirror
import MarkupDocument
import NodeObservation
// end

enum LibraryExample: Example {
  static func run() throws {
    // example: library, continued
    let view = LiveViewCoordinator(id: "counter")
    try view.mount(Array(#"{"s":["<p id=\"count\">","</p><hr>"],"0":"0"}"#.utf8), dialect: .html)

    if let count = view.document?.node(withID: "count") {
      let observer = Observer(of: count, in: view) { node in
        print("node \(node) is", view.document?.markup(of: node) ?? "gone")
      }
      try view.update(Array(#"{"0":"1"}"#.utf8))
      observer.cancel()
    }
    // end
  }
}
