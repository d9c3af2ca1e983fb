internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// The tab *View*: the facts about the view, and about the data that the mirror keeps of it.
extension ViewPage {
  var facts: HTML {
    let life = report?.life
    let blanks = document.tree.preorder().count { document.tree[$0].isSeldomOfInterest }
    let newest: HTML = " in v\(view.version)"
    let rows: [(HTML, HTML?)] = [
      ("id", "<code>\(view.id)</code>"),
      ("title", pageTitle.map { "<bdi>\($0)</bdi>" }),
      ("address", life?.url.map { "<bdi>\($0)</bdi>" }),
      ("status", life.map(\.statusHTML)),
      ("parent", report?.parent.map { "<a href=\"\(Link("views", $0))\"><code>\($0)</code></a>" }),
      ("page", life?.page.map { "<a href=\"/#page-\($0)\"><code>\($0)</code></a>" }),
      ("LiveView", view.versions.server.map { "\($0)" }),
      ("dialect", "\(document.dialect.rawValue)"),
      ("epoch", "\(view.epoch)"),
      ("mounted", HTML.time(view.log.record(of: 0)?.at ?? view.mountedAt, withDate: true)),
      ("updated", "\(HTML.time(view.log.record(of: view.version)?.at ?? view.updatedAt, withDate: true))\(newest)"),
      (
        "nodes",
        "\(HTML.count(document.count)) in v\(version)\(blanks == 0 ? nil : ", with \(HTML.count(blanks)) of white space and comments" as HTML)"
      ),
      ("diffs", HTML.count(view.log.diffCount)),
      (
        "rejected",
        view.log.rejectionCount == 0
          ? nil
          : "<a class=\"bad\" href=\"\(link("diffs") { $0.filter = "is:rejected" })\">✕ \(view.log.rejectionCount)</a>"
      ),
      ("received", "\(HTML.bytes(view.log.bytes)), with the mount"),
      ("kept", kept),
      (
        "subscribers",
        "<a href=\"\(link("details") { $0.tab = .subscribers })\">\(HTML.count(view.observers.publishers.sums.all))</a>\(newest)"
      ),
      ("event clients", "\(HTML.count(audience.clients)) now"),
      (
        "subscriptions",
        "<a href=\"\(Link("views", view.id, "subscriptions"))\">\(HTML.count(audience.subscriptions))</a> now"
      ),
    ]
    let shown = rows.compactMap { name, value -> HTML? in
      value.map { "<div><dt>\(name)</dt><dd>\($0)</dd></div>\n" }
    }
    return """
      <h3>The view</h3>
      <dl class="facts">
      \(shown)\
      </dl>

      """
  }

  private var kept: HTML {
    """
    versions \(view.firstVersion) to \(view.version), \(HTML.bytes(view.log.keptBytes)) of \
    \(HTML.count(view.log.keptEntryCount, "entry"))
    """
  }
}
