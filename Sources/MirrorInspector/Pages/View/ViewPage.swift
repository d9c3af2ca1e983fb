internal import LiveViewMirror
internal import MirrorAnalysis
internal import MarkupDocument
internal import MirrorSupport
internal import MirrorViews
internal import NodeObservation

/// `GET /views/{view}` in a browser: the timeline of the diffs, the page at one version, and the
/// details of a diff or node. `docs/inspector.md` describes what is on screen, and why.
///
/// The complete state of the page is in its address, so a link to a version and a node can be
/// shared. The page consists of regions, and `GET /views/{view}/inspector` returns the same regions
/// as JSON: the script replaces those that differ.
struct ViewPage {
  let view: ViewState
  let document: Document
  let query: Query
  let address: String
  let asksForToken: Bool
  /// The current event clients and subscriptions of the view.
  let audience: Audience.Count
  /// The views that are subscribed to the page's elements; `nil` if the mirror draws no views of
  /// the page, and for an ended epoch.
  let pageViews: ViewTree?
  /// The view's page load and status; `nil` if they are not known.
  let report: LiveViews.ViewReport?
  /// The shown version.
  let version: Int
  /// The title of the app's page at the shown version.
  let pageTitle: String?
  /// The shown rejected diff; `nil` for a version.
  let rejection: Rejection?
  /// The record of the shown version. The entry in the timeline and the marks in the tree both
  /// derive from it.
  let record: ChangeRecord?
  /// What the shown version did, in a sentence; `nil` if nothing on the page needs it.
  let headline: Headline?
  let marks: ChangeMarks
  /// What the tree is searched for, and the matches.
  let search: TreeSearch?
  /// The positions of the changes of ``record``, as a reader counts them.
  let items: ChangedItems
  let heat: Heat
  /// The entries of the log that have diagnostics, or that a finding is about.
  let findings: FindingEntries
  /// The source lines of the templates, from HEEx's debug annotations.
  let sources: [NodeRef: NodeSource]
  /// Whether the app has these annotations.
  let hasAnnotations: Bool
  /// Makes links to source lines; `nil` if no editor is configured.
  let editor: Editor?
  /// The app's templates, whose lines the page shows; `nil` if no folder is configured.
  let templates: TemplateFiles?
  /// Why the journal accepts no changes; `nil` if it accepts them.
  let journalProblem: String?

  /// - Parameters:
  ///   - document: the document of `query.version`.
  ///   - address: the address of this server for a terminal, such as `http://127.0.0.1:8080`.
  ///   - audience: the event clients and subscriptions of the view.
  ///   - asksForToken: whether the command to paste must contain a token.
  init(
    view: ViewState, document: Document, query: Query, address: String, audience: Audience.Count = .init(),
    asksForToken: Bool = false, report: LiveViews.ViewReport? = nil, editor: Editor? = nil,
    templates: TemplateFiles? = nil, journalProblem: String? = nil, pageViews: ViewTree? = nil
  ) {
    self.pageViews = pageViews
    self.journalProblem = journalProblem
    self.report = report
    self.editor = editor
    self.templates = templates
    self.asksForToken = asksForToken
    self.audience = audience
    self.view = view
    self.document = document
    var query = query
    (query.epoch, query.isEnded) = (view.epoch, !view.isCurrent)
    let showsBlanks = query.showsBlanks
    search =
      query.show.hasTree ? query.find.map { TreeSearch(for: $0, in: document, includingBlanks: showsBlanks) } : nil
    // If there is only one match, it is selected.
    if query.node == nil, let search, search.elements.count == 1 { query.node = search.elements.first?.number }
    self.query = query
    self.address = address
    version = query.version ?? view.version
    rejection = query.rejected.flatMap { EventID($0, in: view.epoch)?.cursor }.flatMap { cursor in
      view.log.entries.lazy.compactMap { entry in
        if case .rejected(let rejection) = entry.outcome, entry.cursor == cursor { rejection } else { nil }
      }.first
    }
    record = view.log.record(of: version)
    let showsDiff = query.tab == .diff || query.tab == nil && query.node == nil
    let version = version
    headline =
      showsDiff || query.show.hasMirror
      ? record.map { Headline(of: $0, in: document) { view.document(at: version - 1) } } : nil
    marks = ChangeMarks(record)
    items = ChangedItems(of: record?.changeSet.changes ?? [], in: document)
    findings = view.findingEntries
    pageTitle = view.title(at: version)
    heat = Heat(upTo: version, in: view.log)
    hasAnnotations = view.hasAnnotations
    // Every node must be read to find the source lines.
    sources = hasAnnotations ? document.sources() : [:]
  }

  /// The shown details.
  var tab: Tab { query.tab ?? (query.node == nil ? .diff : .node) }

  var html: HTML {
    let regions = Dictionary(regions.map { ($0.id, $0.html) }) { first, _ in first }
    func region(_ id: String) -> HTML? { regions[id] }
    func places(_ ids: String...) -> [HTML] { ids.map { "<div id=\"\($0)\" class=\"region\">\(region($0))</div>\n" } }
    return PageLayout(
      title: title, kind: kind, places: [("diffs", "the timeline"), ("page", "the page"), ("details", "the details")],
      live: live, header: "\(places("identity", "versions", "tools"))",
      main: """
        <section id="timeline" class="pane" aria-labelledby="timeline-title">
        <h2 id="timeline-title" class="unseen">Timeline</h2>
        <div class="head">
        \(places("chart", "place", "position", "filters"))\
        </div>
        <ol id="diffs" class="lines" tabindex="-1" reversed>\(region("diffs"))</ol>
        <div id="timeline-foot" class="foot">\(region("timeline-foot"))</div>
        </section>
        <section id="page" class="pane" tabindex="-1" aria-labelledby="page-title">
        <h2 id="page-title" class="unseen">Page</h2>
        <div id="page-head" class="head">\(region("page-head"))</div>
        <div id="content">
        \(tree(region("nodes")))\
        <div id="mirror">\(region("mirror"))</div>
        <div id="comparison">\(region("comparison"))</div>
        </div>
        </section>
        <section id="details" class="pane" tabindex="-1" aria-labelledby="details-title">
        <h2 id="details-title" class="unseen">Details</h2>
        <div id="details-content">
        \(places("tabs", "headline", "pictures", "facts", "input", "calls", "timings"))\
        </div>
        </section>
        \(Self.keys)
        """
    ).html
  }

  /// A list without lines is not a tree for assistive technology, so it has no role then.
  private func tree(_ lines: HTML?) -> HTML {
    let role: HTML? = query.show.hasTree ? " role=\"tree\" aria-label=\"Nodes\"" : nil
    return "<ul id=\"nodes\" class=\"lines\"\(role)>\(lines)</ul>\n"
  }

  /// Tabs with views of the same title are distinguished by the id of the view. The title of a page
  /// that follows new versions names no version, because a browser needs about 2 ms to change the
  /// title of a window.
  private var title: String { "\(pageTitle.map { "\($0) (\(view.id))" } ?? view.id)\(follows ? "" : " v\(version)")" }

  /// Whether the shown version is the newest one of the view.
  var isNewest: Bool { version == view.version && view.isCurrent }

  private var kind: String {
    [
      "view", isNewest ? nil : "looking-back", "shows-\(query.show.rawValue)",
      "tab-\(tab.rawValue)",
    ].compactMap { $0 }.joined(separator: " ")
  }

  /// All regions. Regions that the query does not show are empty. Content that changes with each
  /// version is not in the same regions as content that seldom changes, so that an update is small.
  private var regions: [PageRegion] {
    let window = LogWindow(
      of: view.log, after: query.after.flatMap { EventID($0, in: view.epoch)?.cursor }, around: version,
      filter: query.filter.map { LogFilter($0, in: view, findings: findings) })
    return [
      PageRegion("identity", identity),
      PageRegion("versions", versions),
      PageRegion("tools", tools),
    ] + scrubber(window) + [
      PageRegion("diffs", lines: timeline(window)),
      PageRegion("timeline-foot", foot(of: window)),
    ] + pageRegions + details
  }

  private var pageRegions: [PageRegion] {
    let pane = TreePane(self)
    return [
      PageRegion("page-head", pageHead(pane)),
      PageRegion("nodes", lines: pane.lines),
      PageRegion("mirror", query.show.hasMirror ? mirror : ""),
      PageRegion("comparison", query.show == .compare ? comparison : ""),
    ]
  }

  /// `{"title": …, "kind": …, "event_id": …, "version": …, "summary": …, "marks": {"15": "moved"},
  /// "regions": […], "heat": {"15": 4}}`.
  ///
  /// - Parameter known: the digests of the HTML that is left out, because the page has it.
  func json(known: Set<PageRegion.Digest> = []) -> [UInt8] {
    JSONWriter { json in
      json.version(version, of: view.id, epoch: view.epoch)
      json.member("title", title)
      json.member("kind", kind)
      json.member("live", follows)
      json.member("event_id", eventID?.description)
      json.member("summary", announcement)
      json.member("acted_node", query.show.hasMirror ? headline?.actedNode?.number : nil)
      json.member("selected_node", query.node)
      if query.show.hasMirror {
        json.object("marks") { json in
          for (node, kinds) in marks.nodes.sorted(by: { $0.key < $1.key }).prefix(Heat.mostElements) {
            if let kind = kinds.last { json.member(number: node.number) { $0.value(kind.rawValue) } }
          }
        }
      }
      json.array("regions", regions) { $1.write(to: &$0, known: known) }
      json.object("heat") { json in
        for (node, level) in heat.elements(in: document) { json.member(number: node) { $0.value(level) } }
      }
    }.bytes
  }

  /// Whether the page follows the newest version. A page with a version in its address does not,
  /// and neither does one of an ended epoch.
  private var follows: Bool { query.version == nil && view.isCurrent }

  /// The last event of the view. For a page of an ended epoch, it is one of the current epoch.
  private var eventID: EventID? {
    let current = view.currentEpoch
    return current.last.map { EventID(epoch: current.epoch, cursor: $0) }
  }

  /// The words that a screen reader announces for a new version.
  private var announcement: String {
    if let headline { return "version \(version): \(headline.text)" }
    let count = changeCounts.shown
    return "version \(version), \(count) \(count == 1 ? "change" : "changes")"
  }

  /// A page of an ended epoch, or with a version in its address, keeps its content. Any other page
  /// shows the newest version.
  private var live: PageLayout.Live {
    PageLayout.Live(
      kind: follows ? "view" : "past", events: Link("views", view.id, "events"),
      eventID: eventID, version: version)
  }
}
