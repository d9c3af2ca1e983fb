internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// The header: one line with the view, its versions, the search and the other forms of the same
/// data.
extension ViewPage {
  /// The view, its status and its epochs.
  var identity: HTML {
    """
    <p class="home"><a href="/" title="All views">Views</a></p>
    <h1 title="\(view.id)"><bdi>\(name)</bdi></h1>
    \(distinction)\
    \(status)\
    \(epochs)\
    \(journalProblem.map { "<p class=\"state bad\" title=\"\($0)\" role=\"alert\">no diffs accepted</p>\n" as HTML })
    """
  }

  /// The search and the links to other forms.
  var tools: HTML {
    """
    \(searchForm)
    <p class="live"><a href="\(versioned("page"))" title="The document as a page in which you can act">Open the page</a></p>
    \(forms)
    """
  }

  /// The title of the page, or the path of its address, or the id.
  private var name: String {
    if let pageTitle, !pageTitle.isEmpty { return pageTitle }
    guard let url = report?.life.url, let address = HostAndPath(url) else { return view.id }
    return address.path
  }

  /// What distinguishes the view from others with the same title and address: its module, its
  /// topic, and its page load, which differs for every tab and every reload. `nil` if its name says
  /// all of this.
  private var distinction: HTML? {
    let page = report?.life.page
    let parts: [HTML?] = [
      view.module.map { "<code>\($0)</code>" },
      page.map { "<a href=\"/#page-\($0)\">page <code title=\"\($0)\">\(IndexGroup.short($0))</code></a>" },
      name == view.id ? nil : "<code>\(LiveViews.topic(of: view.id, in: page))</code>",
    ]
    let shown = parts.compactMap { $0 }
    return shown.isEmpty ? nil : "<p class=\"which\">\(shown.joined(by: " "))</p>\n"
  }

  /// The status, unless the view is joined and the mirror has its frames from the join on.
  private var status: HTML? {
    guard let life = report?.life, life.status != .joined || life.isResumed else { return nil }
    return "\(life.statusHTML)\n"
  }

  /// Links to the older, the newer and the newest version.
  var versions: HTML {
    let older = version > view.firstVersion ? link(toDiff: version - 1) : nil
    let newer = version < view.version ? link(toDiff: version + 1) : nil
    // In an ended epoch, this link is called last. Only the link to the current epoch is called
    // newest.
    let newest: HTML? =
      switch (version == view.version, view.isCurrent) {
      case (true, true): query.version == nil ? nil : "<a class=\"newest\" href=\"\(newestLink)\">newest</a>"
      case (true, false): "<span class=\"state\">last</span>"
      case (false, true): "<a class=\"newest\" href=\"\(newestLink)\">newest: v\(view.version)</a>"
      case (false, false): "<a href=\"\(newestLink)\">last: v\(view.version)</a>"
      }
    return """
      <nav class="versions" aria-label="Versions">
      \(step("‹", "Older version", rel: "prev", to: older))\
      <a class="version" href="\(link { $0.version = version })" title="A link that stays at this version">version \(version)</a>\
      \(step("›", "Newer version", rel: "next", to: newer))
      \(newest)
      </nav>
      """
  }

  /// A link to the previous or next version or epoch; the sign without a link if `target` is `nil`.
  func step(_ sign: HTML, _ name: HTML, rel: HTML? = nil, to target: Link?) -> HTML {
    guard let target else { return "<span class=\"step off\" aria-hidden=\"true\">\(sign)</span>" }
    let rel: HTML? = rel.map { " rel=\"\($0)\"" }
    return "<a class=\"step\"\(rel) href=\"\(target)\" aria-label=\"\(name)\" title=\"\(name)\">\(sign)</a>"
  }

  private var searchForm: HTML {
    // A new search selects its only match.
    var query = query
    query.node = nil
    if query.tab == .node || query.tab == .diff { query.tab = nil }
    return """
      <form class="find" role="search" action="\(Link("views", view.id))#page">\(query.hiddenFields(except: "find", "under"))\
      <label class="unseen" for="find">Search the tree</label>\
      <input id="find" name="find" type="search" value="\(query.find ?? "")" placeholder="tag, text, #id, selector, node" \
      autocomplete="off" spellcheck="false" maxlength="500"></form>
      """
  }

  private var forms: HTML {
    """
    <details class="menu export"><summary>Share</summary>
    <nav class="forms" aria-label="This view as files and as JSON">
    \(export)\
    <a href="\(resource("log"))">Log, JSON</a>
    <a href="\(versioned("tree"))">Tree, JSON</a>
    <a href="\(versioned("rendered"))">Rendered, JSON</a>
    <a href="\(versioned("html"))">Markup</a>
    </nav></details>
    """
  }
}

extension ViewPage {
  /// A link to the export; `nil` if the mount is not kept any more, because an export begins with
  /// the mount.
  private var export: HTML? {
    view.firstVersion > 0 ? nil : "<a href=\"\(resource("export"))\">All inputs, to import or replay</a>\n"
  }
}
