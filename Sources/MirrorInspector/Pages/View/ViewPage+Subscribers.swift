internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// The tab *Subscribers*: how many subscribers the last updates reached, version by version, and
/// the nodes that have subscribers now.
extension ViewPage {
  private static let trendRows = 20
  private static let listedNodes = 100

  var subscriberTab: HTML {
    let totals = view.log.isolation
    let sum: HTML =
      totals.whole == 0
      ? "No diff has notified a subscriber yet."
      : """
      Updating everything: \(HTML.count(totals.whole, "call")) in \(HTML.count(view.log.diffCount, "diff")); \
      by element: <strong>\(HTML.count(totals.whole - totals.saved))</strong>.
      """
    return """
      <h3>Subscribers</h3>
      <p>\(sum)</p>
      \(trend)\
      \(subscribedNodes)
      """
  }

  // MARK: - The trend

  /// One row for each of the last versions up to the shown one, newest first: the notified
  /// subscribers, and all subscribers.
  private var trend: HTML? {
    let first = max(1, view.firstVersion, version - Self.trendRows + 1)
    let records = stride(from: version, through: first, by: -1).compactMap { view.log.record(of: $0) }
    guard let most = records.map(\.allObserverCount).max() else { return nil }
    let lines = records.map { record -> HTML in
      let current: HTML? = record.version == version ? " aria-current=\"true\"" : nil
      return """
        <tr><th scope="row"><a href="\(link(toVersion: record.version))"\(current)>v\(record.version)</a></th>\
        <td class="number">\(HTML.count(record.observerCount))</td>\
        <td class="number">\(HTML.count(record.allObserverCount))</td>\
        <td>\(Self.bars(record.observerCount, record.allObserverCount, of: most))</td></tr>

        """
    }
    return """
      <table class="trend">
      <caption>Notified subscribers, and all subscribers, of \(HTML.count(records.count, "version"))</caption>
      <thead><tr><th scope="col">Version</th><th scope="col" class="number">notified</th>\
      <th scope="col" class="number">all</th><th scope="col"><span class="unseen">Chart</span></th></tr></thead>
      <tbody>
      \(lines)\
      </tbody>
      </table>

      """
  }

  private static func bars(_ sent: Int, _ whole: Int, of most: Int) -> HTML {
    func length(_ count: Int) -> Int { count == 0 ? 0 : max(1, 80 * count / max(1, most)) }
    return """
      <svg class="bar pair" aria-hidden="true" width="80" height="9" viewBox="0 0 80 9">\
      <rect class="all" width="\(length(whole))" height="9"/><rect width="\(length(sent))" y="2" height="5"/></svg>
      """
  }

  // MARK: - The nodes with subscribers

  private var subscribedNodes: HTML {
    let subscribers = view.observers.publishers.counts()
    let nodes = view.document.inDocumentOrder(Set(subscribers.lazy.filter { $0.value.total > 0 }.map(\.key)))
    let rows = nodes.prefix(Self.listedNodes).map { node -> HTML in
      let count = subscribers[node] ?? .init()
      return """
        <tr><th scope="row">\(nodeLink(node, as: view.document.content(of: node).map(label)))</th><td class="number">\(HTML.count(count.observers))</td>\
        <td class="number">\(HTML.count(count.clients))</td><td class="number">\(HTML.count(count.subscriptions))</td></tr>

        """
    }
    if rows.isEmpty { return "<p class=\"note\">No node has a subscriber now.</p>\n" }
    let more = nodes.count - rows.count
    let rest: HTML? =
      more == 0
      ? nil
      : "<p class=\"note\"><a href=\"\(Link("views", view.id, "subscribers"))\">… \(HTML.count(more, "more node"))</a></p>\n"
    return """
      <p class="note">A subscriber is notified when a node changes. A view shows the element, as in an app with LiveView Native; a view \
      that also observes the children of its element is a subscriber of each child, too. An event client reads <code>/events</code>, and \
      a subscription, made by <code>POST</code>, counts its notifications.</p>
      <table class="subscribed">
      <caption>\(HTML.count(nodes.count, "node")) with subscribers now</caption>
      <thead><tr><th scope="col">Node</th><th scope="col" class="number">views</th>\
      <th scope="col" class="number">event clients</th><th scope="col" class="number">subscriptions</th></tr></thead>
      <tbody>
      \(rows)\
      </tbody>
      </table>
      \(rest)
      """
  }
}
