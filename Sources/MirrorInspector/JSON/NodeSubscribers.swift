internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport
internal import MirrorViews
internal import NodeObservation

/// The present subscribers of a node, with the views among them. The JSON of a node has them, and
/// ``ViewPage`` shows them.
struct NodeSubscribers {
  let node: NodeRef
  let count: NodePublishers.Count
  /// See ``ViewTree/readings(of:)``; empty if no page is drawn.
  let readings: [ElementReading]

  /// The subscribers of a node of a view's current epoch.
  ///
  /// - Parameter page: the views of the page; `nil` if none is drawn.
  init(of node: NodeRef, in view: ViewState, page: ViewTree?) {
    self.node = node
    count = view.observers.publishers.count(of: node)
    readings = view.document.contains(node) ? page?.readings(of: node) ?? [] : []
  }

  /// The readings, grouped by observer. The element's view and the views inside it share the first
  /// observer. The views of the parent that observe their children share the second one.
  var observers: [[ElementReading]] {
    let own = readings.filter { $0.node == node }
    return [own, readings.filter { $0.node != node }].filter { !$0.isEmpty }
  }

  /// The number of observers that do not belong to the page's views: that of the document itself,
  /// and those of programs that use the library.
  var otherObserverCount: Int { max(0, count.observers - observers.count) }

  /// `NativeText, NativePicker through its children, 2 event clients`; `none` without a subscriber.
  var sentence: String {
    var parts = observers.map { readings in
      let names = readings.map(\.view).joined(separator: " with ")
      return readings[0].node == node ? names : "\(names) through its children"
    }
    let others = [
      (otherObserverCount, observers.isEmpty ? "view" : "other view"), (count.clients, "event client"),
      (count.subscriptions, "subscription"),
    ]
    parts += others.filter { $0.0 > 0 }.map { Formatted.count($0.0, $0.1) }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  /// The views, for the JSON of a node.
  func writeViews(to json: inout JSONWriter) {
    json.array("observed_by", readings) { [node] json, reading in
      json.object { json in
        json.member("view", reading.view)
        json.member("node", reading.node.number)
        json.member("through", word: reading.node == node ? "element" : "children")
        json.member("inner", reading.isInner)
        json.array("properties", reading.properties) { $0.value($1) }
      }
    }
  }
}
