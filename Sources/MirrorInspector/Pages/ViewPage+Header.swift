internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

extension ViewPage {
  var header: HTML {
    """
    <p class="home"><a href="/">All views</a></p>
    <h1><code>\(view.id)</code></h1>
    \(view.title.map { "<p class=\"title\"><bdi>\($0)</bdi></p>" as HTML })
    <p class="live"><a href="\(Link("views", view.id, "page").with("version", query.version))" title="The document as a page in which you can act">open the page</a></p>
    \(versions)
    \(facts)
    \(forms)
    """
  }

  /// Links to the older, the newer and the newest version.
  private var versions: HTML {
    let older: HTML =
      version > view.firstVersion
      ? "<a rel=\"prev\" href=\"\(link(toVersion: version - 1))\">‹ older</a>" : "<span class=\"off\">‹ older</span>"
    let newer: HTML =
      version < view.version
      ? "<a rel=\"next\" href=\"\(link(toVersion: version + 1))\">newer ›</a>" : "<span class=\"off\">newer ›</span>"
    let newest: HTML =
      version == view.version
      ? "<span class=\"state\">newest</span>"
      : "<span class=\"state past\">the past</span><a href=\"\(newestLink)\">newest: \(view.version) »</a>"
    return """
      <nav class="versions" aria-label="Versions">
      \(older)
      <a class="version" href="\(link(toVersion: version))" title="A link that stays at this version">version \(version)</a>
      \(newer)
      \(newest)
      </nav>
      """
  }

  private var newestLink: Link {
    link {
      $0.version = nil
      $0.after = nil
    }
  }

  /// The facts about the view, and about the data that the mirror keeps of it.
  private var facts: HTML {
    let kept: HTML = """
      versions \(view.firstVersion) to \(view.version), \(HTML.bytes(view.log.keptBytes)) of \
      \(HTML.count(view.log.keptEntries, "entry", "entries"))
      """
    let rejected: HTML? =
      view.log.rejected == 0 ? nil : Self.fact("rejected", "<a class=\"bad\" href=\"#log\">! \(view.log.rejected)</a>")
    let totals = view.log.isolation
    let saved: HTML? =
      totals.whole == 0
      ? nil
      : Self.fact("saved", "\(HTML.count(totals.saved)) of \(HTML.count(totals.whole, "evaluation"))")
    let life = report?.life
    let status: HTML? = life.map { Self.fact("status", PageTree.status($0)) }
    let parent: HTML? = report?.parent.map {
      Self.fact("parent", "<a href=\"\(Link("views", $0))\"><code>\($0)</code></a>")
    }
    let page: HTML? = life?.page.map { Self.fact("page", "<a href=\"/#page-\($0)\"><code>\($0)</code></a>") }
    let url: HTML? = life?.url.map { Self.fact("address", "<bdi>\($0)</bdi>") }
    return """
      <dl class="facts">
      \(status)\(url)\(parent)\(page)\
      \(Self.fact("dialect", "\(document.dialect.rawValue)"))\
      \(Self.fact("epoch", "\(view.epoch)"))\
      \(Self.fact("nodes", "<a href=\"#tree\">\(HTML.count(document.count))</a>"))\
      \(Self.fact("observers now", "<a href=\"\(Link("views", view.id, "subscribers"))\">\(HTML.count(view.observers.count))</a>"))\
      \(Self.fact("clients", HTML.count(audience.clients)))\
      \(Self.fact("subscriptions", "<a href=\"\(Link("views", view.id, "subscriptions"))\">\(HTML.count(audience.subscriptions))</a>"))\
      \(Self.fact("diffs", "<a href=\"#log\">\(HTML.count(view.log.diffs))</a>"))\
      \(saved)\
      \(rejected)\
      \(Self.fact("kept", kept))\
      \(Self.fact("updated", HTML.time(view.updatedAt, withDate: true)))\
      </dl>
      """
  }

  private static func fact(_ name: HTML, _ value: HTML) -> HTML { "<div><dt>\(name)</dt><dd>\(value)</dd></div>\n" }

  private var forms: HTML {
    let links = ["tree", "html", "rendered"].map { form -> HTML in
      "<a href=\"\(Link("views", view.id, form).with("version", query.version))\">\(form)</a>\n"
    }
    return """
      <nav class="forms" aria-label="The same data for programs">
      \(links)\
      <a href="\(Link("views", view.id, "log"))">log</a>
      <a href="\(Link("views", view.id, "subscribers"))">subscribers</a>
      </nav>
      """
  }
}
