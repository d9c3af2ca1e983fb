internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// `GET /`: the list of views with their costs, or instructions for the first one.
struct ViewsPage {
  let views: [ViewState]
  let audience: [String: Audience.Count]
  let usage: MirrorUsage
  let pages: [LiveViews.PageReport]
  /// The ids of the views that were read from files.
  let imported: Set<String>
  /// The last input of frames that was rejected as a whole.
  let rejectedFeed: LiveViews.RejectedFeed?
  let address: String
  let asksForToken: Bool

  /// - Parameters:
  ///   - audience: the event clients and subscriptions, by view.
  ///   - usage: the stored data and its bounds.
  ///   - address: the address of this server for a terminal, such as `http://127.0.0.1:8080`.
  ///   - asksForToken: whether the commands to paste must contain a token.
  init(
    views: [ViewState], audience: [String: Audience.Count] = [:], usage: MirrorUsage,
    pages: [LiveViews.PageReport] = [], imported: Set<String> = [], rejectedFeed: LiveViews.RejectedFeed? = nil,
    address: String, asksForToken: Bool = false
  ) {
    self.views = views
    self.audience = audience
    self.usage = usage
    self.pages = pages
    self.imported = imported
    self.rejectedFeed = rejectedFeed
    self.address = address
    self.asksForToken = asksForToken
  }

  var html: HTML {
    PageFrame(
      title: "Views", kind: "views", live: PageFrame.Live(kind: "views", script: "views.js"),
      header: """
        <h1>LiveView Mirror</h1>
        """,
      main: """
        \(rejectedFeed.map(\.notice))\(PageTree(pages: pages).html)\(views.isEmpty ? empty : "\(table)\n\(bounds)")
        """
    ).html
  }

  private var empty: HTML {
    let curl = HTML.curlPost(withToken: asksForToken)
    return """
      <section class="empty" aria-labelledby="empty-title">
      <h2 id="empty-title">No view yet</h2>
      <p>The mirror holds what a LiveView client would hold: the Rendered of a mount becomes a document, and every diff \
      changes the nodes that it names, and notifies only their subscribers. Mount a view, send it a diff, and look at what \
      the diff did.</p>
      <ol>
      <li>Mount a counter
      <pre><code>\(curl) \(address)/views/counter/rendered -d '{"0":"0","s":["&lt;p&gt;Count: ","&lt;/p&gt;"]}'</code></pre></li>
      <li>Send a diff
      <pre><code>\(curl) \(address)/views/counter/diffs -d '{"0":"1"}'</code></pre></li>
      <li>Open the view
      <pre><code><a href="\(Link("views", "counter"))">\(address)/views/counter</a></code></pre></li>
      </ol>
      </section>
      """
  }

  private var table: HTML {
    """
    <div class="scroll" tabindex="0" role="region" aria-label="Views">
    <table>
    <caption>\(HTML.count(views.count, "view")) mirrored here</caption>
    <thead><tr><th scope="col">View</th><th scope="col">Title</th><th scope="col">Dialect</th>\
    <th scope="col" class="number">Epoch</th><th scope="col" class="number">Version</th>\
    <th scope="col" class="number">Nodes</th><th scope="col" class="number">Observers</th>\
    <th scope="col" class="number">Clients</th><th scope="col" class="number">Subscriptions</th>\
    <th scope="col" class="number">Diffs</th><th scope="col" class="number">Rejected</th>\
    <th scope="col" class="number">Received</th><th scope="col">Updated (UTC)</th></tr></thead>
    <tbody>
    \(views.map(row))\
    </tbody>
    </table>
    </div>
    """
  }

  /// The bounds of the mirror, and the evicted views and entries.
  private var bounds: HTML {
    let (limits, kept) = (usage.kept.limits, usage.kept)
    let evicted: [HTML] = [
      kept.evictedViews > 0 ? "\(HTML.count(kept.evictedViews, "view")) for newer ones" : nil,
      kept.expiredViews > 0 ? "\(HTML.count(kept.expiredViews, "view")) not updated for too long" : nil,
      kept.evictedEntries > 0 ? "\(HTML.count(kept.evictedEntries, "old entry", "old entries"))" : nil,
    ].compactMap { $0 }
    let expiry: HTML? = limits.expiry.map {
      ", each for \(HTML.count(Int($0.components.seconds))) s after its last update"
    }
    let evictions: HTML? = evicted.isEmpty ? nil : " Evicted so far: \(evicted.joined(by: ", "))."
    return """
      <p class="note kept">Kept: \(HTML.count(kept.views)) of \(HTML.count(limits.views, "view"))\(expiry), \
      \(HTML.count(kept.logEntries, "entry", "entries")) of their logs, at most \(HTML.count(limits.versions)) each, \
      \(HTML.bytes(kept.logBytes)) of \(HTML.bytes(limits.logBytes)). Connected: \
      \(HTML.count(usage.clients)) of \(HTML.count(usage.clientLimit, "client")), \(HTML.count(usage.subscriptions)) of \
      \(HTML.count(usage.subscriptionLimit, "subscription")).\(evictions)</p>
      """
  }

  private func row(_ view: ViewState) -> HTML {
    let link = Link(to: view.id, isImported: imported.contains(view.id), from: view.firstVersion)
    let audience = audience[view.id] ?? .init()
    let rejected: HTML =
      view.log.rejected == 0 ? "0" : "<a class=\"bad\" href=\"\(link.at("log"))\">! \(view.log.rejected)</a>"
    return """
      <tr><th scope="row"><a href="\(link)"><code>\(view.id)</code></a></th>\
      <td>\(view.title.map { "<bdi>\($0)</bdi>" as HTML } ?? "<span class=\"absent\">–</span>")</td>\
      <td>\(view.document.dialect.rawValue)</td>\
      <td class="number">\(view.epoch)</td>\
      <td class="number">\(view.version)</td>\
      <td class="number"><a href="\(link.at("tree"))">\(HTML.count(view.document.count))</a></td>\
      <td class="number"><a href="\(Link("views", view.id, "subscribers"))">\(HTML.count(view.observers.count))</a></td>\
      <td class="number">\(HTML.count(audience.clients))</td>\
      <td class="number"><a href="\(Link("views", view.id, "subscriptions"))">\(HTML.count(audience.subscriptions))</a></td>\
      <td class="number"><a href="\(link.at("log"))">\(HTML.count(view.log.diffs))</a></td>\
      <td class="number">\(rejected)</td>\
      <td class="number">\(HTML.bytes(view.log.bytes))</td>\
      <td>\(HTML.time(view.updatedAt, withDate: true))</td></tr>

      """
  }
}

extension HTML {
  /// The start of a command that posts something. No page contains the token itself.
  static func curlPost(withToken: Bool) -> HTML {
    withToken ? "curl -H \"Authorization: Bearer $MIRROR_TOKEN\" -X POST" : "curl -X POST"
  }
}
