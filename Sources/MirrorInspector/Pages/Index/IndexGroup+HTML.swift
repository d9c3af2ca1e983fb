internal import LiveViewMirror
internal import MirrorAnalysis
internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation

extension IndexGroup {
  /// The group as a card: a line for the page, then a row for each view. ``ViewsPage`` lists the
  /// cards.
  ///
  /// - Parameter now: in milliseconds since 1970.
  func html(audience: [String: Audience.Count], now: Int64) -> HTML {
    let rows = names.map { entry, name -> HTML in
      IndexRow(
        entry: entry, name: name, audience: audience[entry.id] ?? .init(),
        isInOpenPage: page.map { $0.closedAt == nil },
        now: now
      ).html
    }
    return """
      <li class="card" id="\(anchor)">
      \(page.map { line(for: $0, now: now) })\
      \(rows.isEmpty ? nil : "<ul>\n\(rows)</ul>" as HTML)
      </li>

      """
  }

  /// The entries with their names. The first one is the main view.
  var names: [(entry: Entry, name: IndexName)] {
    // The page's title is that of its current view.
    entries.enumerated().map { ($1, IndexName(of: $1, on: page, isMain: $0 == 0 && !isSecond)) }
  }

  /// The id of the card. ``ViewPage`` links to the card of the view's page load.
  private var anchor: String {
    guard let page else { return "of-\(entries.first?.id ?? "")" }
    return isSecond ? "page-\(page.id)-ended" : "page-\(page.id)"
  }

  private func line(for page: PageLoad, now: Int64) -> HTML {
    let host = page.url.map { IndexName.beginning(HostAndPath($0)?.host ?? $0) }
    let title = entries.isEmpty ? page.title.map { "<b><bdi>\(IndexName.beginning($0))</bdi></b>" as HTML } : nil
    let facts: [HTML] = [
      title, host.map { "<bdi class=\"host\">\($0)</bdi>" },
      "page <code title=\"\(page.id)\">\(Self.short(page.id))</code>",
      "opened \(HTML.ago(page.openedAt, now: now))",
      entries.isEmpty ? "no LiveView yet" : cost(of: page),
      page.closedAt.map { "<span class=\"state past\">closed</span> \(HTML.ago($0, now: now))" }
        ?? "<span class=\"state open\">connected</span>",
    ].compactMap { $0 }
    let lost: HTML? =
      page.lost.frames == 0
      ? nil
      : """
      <p class="lost bad"><b class="mark" aria-hidden="true">!</b> \(HTML.count(page.lost.frames, "frame")) \
      (\(HTML.bytes(page.lost.bytes))) were lost, because the mirror could not be reached.</p>

      """
    return """
      <p class="load">\(facts.map { "<span>\($0)</span>" as HTML }.joined(by: " "))</p>
      \(lost)
      """
  }

  /// The number of diffs, as a link to what they cost.
  private func cost(of page: PageLoad) -> HTML {
    let count = HTML.count(diffs, "diff")
    let link = Link("pages", page.id, "totals")
    return diffs == 0 ? count : "<a href=\"\(link)\" title=\"What the diffs of this page cost\">\(count)</a>"
  }

  /// An id in at most 24 characters. Of a longer id, only the beginning and the end are shown.
  /// Usual ids are shorter, but a feed can choose long ids that differ only at the end.
  static func short(_ id: String) -> String { id.count <= 24 ? id : "\(id.prefix(10))…\(id.suffix(10))" }
}

/// One view of the index.
struct IndexRow {
  let entry: IndexGroup.Entry
  let name: IndexName
  let audience: Audience.Count
  /// `nil` without a page.
  let isInOpenPage: Bool?
  let now: Int64

  var html: HTML {
    let parts = name.parts
    let rest = parts.dropFirst().map { "<span>\($0)</span>" as HTML }.joined(by: " ")
    return """
      <li class="view\(entry.depth > 0 ? " level-\(min(entry.depth, Self.deepest))" as HTML : nil)" id="view-\(entry.id)">
      <p class="what">\(nested)\(link(parts[0])) \(rest)\(marks)</p>
      \(entry.state.map(costs) ?? "<p class=\"costs\"></p>")
      <p class="more">\(more)</p>
      </li>

      """
  }

  /// The maximum indent in levels. Deeper views are not indented further.
  private static let deepest = 6

  private var nested: HTML? { entry.depth == 0 ? nil : "<span class=\"unseen\">nested: </span>" }

  /// The target of links to the view.
  private func target(_ state: ViewSummary) -> Link {
    Link(to: entry.id, isImported: entry.life.isImported, from: state.firstVersion)
  }

  /// The name as a link. It is not a link if there is nothing to show, because the join was refused
  /// or has no reply yet.
  private func link(_ name: HTML) -> HTML {
    entry.state.map { "<a class=\"name\" href=\"\(target($0))\">\(name)</a>" } ?? "<b class=\"name\">\(name)</b>"
  }

  private var marks: HTML {
    let marks: [HTML?] = [
      entry.life.isImported ? "<span class=\"state\">imported</span>" : nil,
      entry.state.flatMap {
        $0.dialect == .html ? nil : "<span class=\"state\">\($0.dialect.rawValue)</span>"
      },
      showsStatus ? entry.life.statusHTML : nil,
    ]
    return "\(marks.compactMap { $0 }.map { " \($0)" as HTML })"
  }

  /// Whether the row shows the status of the view. A joined view shows its status only if it is
  /// resumed. A view of a closed page does not show that it is closed, because the line of the page
  /// does.
  private var showsStatus: Bool {
    switch entry.life.status {
    case .joined: entry.life.isResumed
    case .closed: isInOpenPage != false
    case .joining, .crashed, .left: true
    }
  }

  private func costs(_ state: ViewSummary) -> HTML {
    let rejected: HTML? =
      state.log.rejectionCount == 0
      ? nil
      : """
      <a class="bad" href="\(Link("views", entry.id).with("filter", "is:rejected").at("timeline"))">\
      <span aria-hidden="true">✕ </span>\(HTML.count(state.log.rejectionCount)) rejected</a>
      """
    let cells: [(HTML, HTML?)] = [
      ("diffs", HTML.count(state.log.diffCount, "diff")),
      ("nodes", HTML.count(state.nodes, "node")),
      ("bytes", HTML.bytes(state.log.bytes)),
      ("observers", HTML.count(state.observers, "subscriber")),
      ("rejected", rejected),
    ]
    let filled = cells.compactMap { kind, value in value.map { "<span class=\"\(kind)\">\($0)</span>" as HTML } }
    return """
      <p class="costs">\(filled.joined(by: " ")) <span class="updated">\
      \(entry.life.isImported ? "imported " as HTML : nil)\(HTML.ago(state.updatedAt, now: now))</span></p>
      """
  }

  /// What is seldom needed: the mirrored page, the findings, and the topic.
  private var more: HTML {
    var parts: [HTML] = []
    if let state = entry.state {
      let page = Link("views", entry.id, "page").with("version", entry.life.isImported ? state.firstVersion : nil)
      parts.append("<a href=\"\(page)\">Open the page<span class=\"unseen\"> of \(name.parts[0])</span></a>")
      let findings = state.findings
      if findings > 0 {
        parts.append(
          """
          <a href="\(target(state).with("tab", "diagnostics").at("details"))">\
          <span aria-hidden="true">? </span>\(HTML.count(findings, "diagnostic"))</a>
          """)
      }
      if audience.clients > 0 { parts.append("<span>\(HTML.count(audience.clients, "event client"))</span>") }
      if audience.subscriptions > 0 {
        let link = Link("views", entry.id, "subscriptions")
        parts.append("<a href=\"\(link)\">\(HTML.count(audience.subscriptions, "subscription"))</a>")
      }
      if state.epoch > 1 { parts.append("<span>mounted \(HTML.count(state.epoch, "time"))</span>") }
    }
    if entry.life.page == nil, let host = name.host {
      parts.append("<bdi class=\"host\">\(IndexName.beginning(host))</bdi>")
    }
    if name.isNamed { parts.append("<code class=\"topic\">\(name.topic)</code>") }
    return parts.joined(by: " ")
  }
}
