internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorViews
internal import NodeObservation

/// How a change of the selected node reaches views: from the coordinator to the node's publisher,
/// its subscribers, and the properties of each view that read the element. The list shows the
/// present subscribers, and what the shown update notified. The tab *Node* contains it.
extension ViewPage {
  func publisher(of node: NodeRef, _ content: NodeContent) -> HTML {
    switch content {
    case .text, .comment, .processingInstruction:
      let parent = document.parent(of: node).map { " \(nodeLink($0))" as HTML }
      return """
        <h4>Subscribers</h4>
        <p class="note">A change of a text or comment notifies the subscribers of its parent\(parent).</p>

        """
    case .element, .root: break
    }
    guard view.document.contains(node) else {
      return """
        <h4>Subscribers</h4>
        <p class="note">The newest version, v\(view.version), does not have this node any more, so its publisher has no subscribers now.</p>
        \(firing(of: node))
        """
    }
    let subscribers = NodeSubscribers(of: node, in: view, page: pageViews)
    let signals = view.observers.publishers.signalCount(of: node) ?? 0
    return """
      <h4>Subscribers <span class="size">\(isNewest ? "now" : "in the newest version, v\(view.version)")</span></h4>
      <p class="subscribers">\(subscribers.sentence)</p>
      <ol class="chain">
      <li><b>Coordinator</b> <span class="size">holds the document of \(view.id), v\(view.version)</span></li>
      <li\(isFired(node) ? Self.fired : nil)><b>Publisher of node \(node.number)</b> \
      <span class="size">fired \(HTML.count(signals, "time"))</span>\(firing(of: node))</li>
      <li><b>\(HTML.count(subscribers.count.total, "subscriber"))</b>
      <ul>
      \(subscribers.observers.map { observer(of: $0, node) })\
      \(others(of: subscribers))\
      </ul></li>
      </ol>

      """
  }

  private func isFired(_ node: NodeRef) -> Bool { record.map { $0.version > 0 && $0.notified.contains(node) } ?? false }

  /// Whether the shown update fired the publisher of a node, and when.
  private func firing(of node: NodeRef) -> HTML? {
    guard let record, record.version > 0 else { return nil }
    let fired: HTML =
      if let place = record.notified.firstIndex(of: node) {
        record.notified.count == 1
          ? "v\(record.version) notified its subscribers alone."
          : "v\(record.version) notified its subscribers, as number \(place + 1) of \(HTML.count(record.notified.count)) nodes."
      } else {
        "v\(record.version) did not notify its subscribers."
      }
    return "<p>\(fired)</p>"
  }

  /// One observer: the views that share it, and the bodies that the shown update evaluated.
  private func observer(of readings: [ElementReading], _ node: NodeRef) -> HTML {
    let owner = readings[0].node
    let names = readings.map { "<b>\($0.view)</b>" as HTML }.joined(by: " with ")
    let through: HTML = owner == node ? "reads its element" : "of \(nodeLink(owner)), through its children"
    let evaluations = evaluated(readings, node)
    return """
      <li\(evaluations == nil ? nil : Self.fired)>\(names) <span class="size">\(through)</span>\
      \(readings.map(properties))\(evaluations)</li>

      """
  }

  private static let fired: HTML? = " class=\"fired\""

  private func properties(of reading: ElementReading) -> HTML {
    if reading.properties.isEmpty { return "" }
    let inner: HTML? = reading.isInner ? " of \(reading.view)" : nil
    return """
      <details><summary>\(HTML.count(reading.properties.count, "property"))\(inner), read by this subscriber</summary>\
      \(reading.properties.map { "<code>\($0)</code>" as HTML })</details>
      """
  }

  private func evaluated(_ readings: [ElementReading], _ node: NodeRef) -> HTML? {
    guard let record, let all = record.isolation.views?.evaluations else { return nil }
    let owner = readings[0].node
    let types = Set(readings.map(\.view))
    let places = all.indices.filter { place in
      all[place].node == owner && types.contains(all[place].type)
        && (owner == node || all[place].reasons.contains(.child(node)))
    }
    if places.isEmpty { return nil }
    return places.map { place -> HTML in
      let order: HTML? = all.count == 1 ? nil : ", as number \(place + 1) of \(HTML.count(all.count))"
      let body: HTML = readings.count == 1 ? "its body" : "the body of \(all[place].type)"
      return "<p>v\(record.version) evaluated \(body)\(order): \(reasons(for: all[place]))</p>"
    }.joined(by: "")
  }

  /// The subscribers that are not views of the page.
  private func others(of subscribers: NodeSubscribers) -> HTML {
    let others: [(Int, String, HTML)] = [
      (
        subscribers.otherObserverCount, "other view",
        "of the document itself, or of a program that uses the library"
      ),
      (subscribers.count.clients, "event client", "reads <code>/events</code>"),
      (subscribers.count.subscriptions, "subscription", "made by <code>POST</code>, counts notifications"),
    ]
    return others.filter { $0.0 > 0 }.map { count, noun, what -> HTML in
      "<li><b>\(HTML.count(count, noun))</b> <span class=\"size\">\(what)</span></li>\n"
    }.joined(by: "")
  }
}
