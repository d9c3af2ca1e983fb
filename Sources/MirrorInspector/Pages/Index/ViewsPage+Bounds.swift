internal import LiveViewMirror

extension ViewsPage {
  /// The bounds of the mirror, and the evicted views and entries. They are below the list of views.
  var bounds: HTML {
    let (limits, kept) = (usage.kept.limits, usage.kept)
    let evicted: [HTML] = [
      kept.evictedViews > 0 ? "\(HTML.count(kept.evictedViews, "view")) for newer ones" : nil,
      kept.expiredViews > 0 ? "\(HTML.count(kept.expiredViews, "view")) not updated for too long" : nil,
      kept.evictedEntries > 0 ? "\(HTML.count(kept.evictedEntries, "old entry"))" : nil,
    ].compactMap { $0 }
    let expiry: HTML? = limits.expiry.map {
      " for \(HTML.duration($0.components.seconds * 1_000)) after the last update"
    }
    let evictions: HTML? = evicted.isEmpty ? nil : " Evicted so far: \(evicted.joined(by: ", "))."
    return """
      <p class="note kept">Kept: \(HTML.count(kept.views)) of \(HTML.count(limits.views, "view"))\(expiry); \
      \(HTML.count(kept.logEntries, "log entry")), at most \(HTML.count(limits.versions)) for each view, \
      \(HTML.bytes(kept.logBytes)) of \(HTML.bytes(limits.logBytes)). Connected: \
      \(HTML.count(usage.clients)) of \(HTML.count(usage.clientLimit, "client")), \(HTML.count(usage.subscriptions)) of \
      \(HTML.count(usage.subscriptionLimit, "subscription")).\(evictions)</p>
      \(usage.evicted.isEmpty ? nil : evictedViews)
      """
  }

  private var evictedViews: HTML {
    let views = usage.evicted.map { eviction -> HTML in
      """
      <li><code>\(eviction.view)</code> \(HTML.ago(eviction.time, now: now)): \(usage.kept.limits.cause(of: eviction))</li>

      """
    }
    return """
      <details class="note evicted"><summary>The last evicted views</summary>
      <p>A mount brings a view back. The page does it when it is loaded again.</p>
      <ul>
      \(views.joined(by: ""))</ul>
      </details>

      """
  }
}
