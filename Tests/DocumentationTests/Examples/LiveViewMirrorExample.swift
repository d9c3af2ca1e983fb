import LiveViewMirror
import MarkupDocument
import NodeObservation

enum LiveViewMirrorExample: Example {
  static func run() throws {
    // example: LiveViewMirror
    let view = LiveViewCoordinator(id: "counter")
    try view.mount(Array(#"{"s":["<p>Count: ","</p>"],"0":"0"}"#.utf8), dialect: .html)

    let record = try view.update(Array(#"{"0":"1"}"#.utf8))
    for (change, slots) in zip(record.changeSet.changes, record.slots) { print(change, "by slot", slots) }
    print("notified:", record.notified, "subscribers:", record.observerCount, "of", record.allObserverCount)

    do {
      try view.update(Array(#"{"7":"1"}"#.utf8))
    } catch {
      print("refused:", error)
    }
    // end
  }
}
