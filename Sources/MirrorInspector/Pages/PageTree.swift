internal import LiveViewMirror
internal import MirrorSupport

/// The page loads with the tree of their LiveViews, for the list of views.
struct PageTree {
  let pages: [LiveViews.PageReport]

  /// Open pages first, the newest first.
  var html: HTML? {
    if pages.isEmpty { return nil }
    let sorted = pages.sorted { a, b in
      (a.page.closedAt == nil ? 1 : 0, a.page.openedAt) > (b.page.closedAt == nil ? 1 : 0, b.page.openedAt)
    }
    return """
      <section class="pages-open" aria-labelledby="pages-title">
      <h2 id="pages-title">\(HTML.count(pages.count, "page"))</h2>
      <ul>
      \(sorted.map(item))\
      </ul>
      </section>

      """
  }

  private func item(_ report: LiveViews.PageReport) -> HTML {
    let page = report.page
    let ended: HTML? = page.closedAt.map { " <span class=\"state past\">closed</span> \(HTML.time($0))" }
    let title: HTML? = page.title.map { "<bdi>\($0)</bdi> " }
    let lost: HTML? =
      page.lost.frames == 0
      ? nil
      : """
      <p class="notice bad"><b class="mark" aria-hidden="true">!</b> \(HTML.count(page.lost.frames, "frame")) \
      (\(HTML.bytes(page.lost.bytes))) were lost, because the mirror could not be reached.</p>

      """
    let roots = report.views.filter { view in !report.views.contains { $0.id == view.parent } }
    return """
      <li id="page-\(page.id)"><p>\(title)<span class="url"><bdi>\(page.url ?? page.id)</bdi></span> \
      opened \(HTML.time(page.openedAt))\(ended)</p>
      \(lost)\
      \(Self.list(roots, of: report, depth: 1))\
      </li>

      """
  }

  /// Deeper views are only in the table of all views. A feed chooses the nesting, and each level takes space on the stack.
  private static let deepest = 16

  private static func list(
    _ views: [LiveViews.ViewReport], of report: LiveViews.PageReport, depth: Int
  ) -> HTML? {
    if views.isEmpty || depth > deepest { return nil }
    return """
      <ul>
      \(views.map { view -> HTML in
        let children = report.views.filter { $0.parent == view.id }
        return """
          <li>\(name(view)) \(status(view.life))\
          \(list(children, of: report, depth: depth + 1))</li>

          """
      })\
      </ul>

      """
  }

  /// The id as a link; without one for a view that has no page, because its join was refused or not answered yet.
  private static func name(_ view: LiveViews.ViewReport) -> HTML {
    let id: HTML = "<code>\(view.id)</code>"
    guard let first = view.firstVersion else { return id }
    return "<a href=\"\(Link(to: view.id, isImported: view.life.isImported, from: first))\">\(id)</a>"
  }

  /// The status as a word, with its reason.
  static func status(_ life: ViewLife) -> HTML {
    let isBad = life.status == .crashed
    let refusal: HTML? = life.refusal.map { ": <bdi>\($0)</bdi>" }
    return """
      <span class="state\(isBad ? " bad" as HTML : life.status == .joined ? nil : " past")">\
      \(isBad ? "! " as HTML : nil)\(life.status.rawValue)\(refusal)</span>
      """
  }
}
