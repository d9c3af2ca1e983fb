internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// `GET /`: the views with their costs, grouped by page, or instructions for the first one.
struct ViewsPage {
  let groups: [IndexGroup]
  let audience: [String: Audience.Count]
  let usage: MirrorUsage
  /// The last input of frames that was rejected as a whole.
  let rejectedFeed: LiveViews.RejectedFeed?
  let refusedOrigins: [RefusedOrigins.Refusal]
  /// Why the journal accepts no changes.
  let journalProblem: String?
  /// Words that the texts of a shown view must contain; `nil` shows all views.
  let find: String?
  let order: IndexOrder
  let address: String
  let asksForToken: Bool
  /// In milliseconds since 1970.
  let now: Int64

  /// - Parameters:
  ///   - views: the mounted views.
  ///   - reports: the page and the place of these views; a view without a report is not shown.
  ///   - audience: the event clients and subscriptions, by view.
  ///   - usage: the stored data and its bounds.
  ///   - order: the order of the cards.
  ///   - address: the address of this server for a terminal, such as `http://127.0.0.1:8080`.
  ///   - asksForToken: whether the commands to paste must contain a token.
  ///   - now: in milliseconds since 1970.
  init(
    views: [ViewSummary], reports: [LiveViews.ViewReport], audience: [String: Audience.Count] = [:], usage: MirrorUsage,
    pages: [LiveViews.PageLoadReport] = [], rejectedFeed: LiveViews.RejectedFeed? = nil,
    refusedOrigins: [RefusedOrigins.Refusal] = [], journalProblem: String? = nil, find: String? = nil,
    order: IndexOrder = .updated,
    address: String, asksForToken: Bool = false, now: Int64
  ) {
    groups = IndexGroup.groups(of: views, reports, on: pages)
    self.audience = audience
    self.usage = usage
    self.rejectedFeed = rejectedFeed
    self.refusedOrigins = refusedOrigins
    self.journalProblem = journalProblem
    self.find = find.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    self.order = order
    self.address = address
    self.asksForToken = asksForToken
    self.now = now
  }

  var html: HTML {
    PageLayout(
      title: "Views", kind: "views", places: [("list", "the views")], styles: ["inspector/index.css"],
      live: PageLayout.Live(kind: "views", script: "inspector/views.js"),
      header: """
        <h1>LiveView Mirror</h1>
        \(groups.isEmpty ? nil : filter)
        """,
      main: """
        \(journalProblem.map(Self.notice(ofJournal:)))\(rejectedFeed?.notice(now: now))\
        \(refusedOrigins.map { $0.notice(now: now) })\
        <div id="list" tabindex="-1">
        \(groups.isEmpty ? IndexStart(address: address, asksForToken: asksForToken).html : list)\
        </div>
        \(groups.isEmpty && usage.evicted.isEmpty ? nil : bounds)
        """
    ).html
  }

  private var filter: HTML {
    """
    <form class="find" role="search">\
    \(order == .updated ? nil : "<input type=\"hidden\" name=\"sort\" value=\"\(order.rawValue)\">" as HTML)\
    <label class="unseen" for="find">Filter the views</label>\
    <input id="find" name="find" type="search" value="\(find ?? "")" placeholder="title, address, module, topic" \
    autocomplete="off" spellcheck="false" maxlength="500"></form>
    """
  }

  // MARK: - The list

  private var list: HTML {
    let shown = order.sorted(groups.compactMap { find.map($0.matching) ?? $0 })
    if shown.isEmpty {
      return """
        <p class="note nothing">No view matches <q>\(find ?? "")</q>. <a href="/">Show all views</a></p>

        """
    }
    let (ended, open) = (shown.filter(\.hasEnded), shown.filter { !$0.hasEnded })
    return
      "\(sorting)\(open.isEmpty ? nil : section(open))\(ended.isEmpty ? nil : section(ended: ended, isOpen: open.isEmpty || find != nil))"
  }

  private func section(_ groups: [IndexGroup]) -> HTML {
    """
    <section id="open" aria-labelledby="open-title">
    <h2 id="open-title">\(headline(of: groups))</h2>
    \(cards(groups))
    </section>

    """
  }

  private func section(ended groups: [IndexGroup], isOpen: Bool) -> HTML {
    let crashed = groups.reduce(0) { $0 + $1.entries.filter { $0.life.status == .crashed }.count }
    let note: HTML? =
      crashed == 0
      ? nil : " <span class=\"state bad\"><span aria-hidden=\"true\">! </span>\(HTML.count(crashed)) crashed</span>"
    return """
      <section id="ended" aria-labelledby="ended-title">
      <details\(isOpen ? " open" as HTML : nil)>
      <summary><h2 id="ended-title">Ended: \(headline(of: groups))</h2>\(note)</summary>
      \(cards(groups))
      </details>
      </section>

      """
  }

  /// `25 views on 15 pages, 300 without a page`.
  private func headline(of groups: [IndexGroup]) -> HTML {
    let pages = groups.filter { $0.page != nil }
    let onPages = pages.reduce(0) { $0 + $1.entries.count }
    let others = groups.reduce(0) { $0 + $1.entries.count } - onPages
    if pages.isEmpty { return HTML.count(others, "view") }
    let rest: HTML? = others == 0 ? nil : ", \(HTML.count(others)) without a page"
    return "\(HTML.count(onPages, "view")) on \(HTML.count(pages.count, "page"))\(rest)"
  }

  private var sorting: HTML? {
    if groups.count < 2 { return nil }
    let links = IndexOrder.allCases.map { order -> HTML in
      let target = Link("").with("find", find).with("sort", order == .updated ? nil : order.rawValue)
      let name = order == .updated ? "newest" : order.rawValue
      return "<a href=\"\(target)\"\(order == self.order ? " aria-current=\"true\"" as HTML : nil)>\(name)</a>"
    }
    return "<nav class=\"sorting\" aria-label=\"Order\">Sort by \(links.joined(by: " "))</nav>\n"
  }

  private func cards(_ groups: [IndexGroup]) -> HTML {
    "<ul class=\"cards\">\n\(groups.map { $0.html(audience: audience, now: now) })</ul>"
  }
}

extension IndexGroup {
  /// The group with only the entries that contain all words of a text, and the views around these
  /// entries; `nil` without such entries. Only the first ``mostWords`` words are looked for.
  ///
  /// - Complexity: O(*entries* × *depth* + *text of the entries* × *words*).
  func matching(_ text: String) -> IndexGroup? {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace).prefix(Self.mostWords)
    func matches(_ text: String) -> Bool { words.allSatisfy { text.contains($0) } }
    let ofPage: [String?] = page.map { [$0.title, $0.url, $0.id, $0.closedAt == nil ? "connected" : "closed"] } ?? []
    if entries.isEmpty { return matches(Self.haystack(ofPage)) ? self : nil }
    var kept: [Entry] = []
    /// The depth of the entry that was kept last. Each view comes before the views in it, and the
    /// loop runs backwards. So the next entry with a smaller depth is the view around the kept one.
    var needed = -1
    for (entry, name) in names.reversed() {
      let isAround = needed > entry.depth
      if isAround || matches(Self.haystack(ofPage + name.texts + entry.texts)) {
        kept.append(entry)
        needed = entry.depth
      }
    }
    if kept.isEmpty { return nil }
    var group = self
    group.entries = kept.reversed()
    return group
  }

  private static let mostWords = 20

  private static func haystack(_ texts: [String?]) -> String {
    texts.compactMap { $0?.lowercased() }.joined(separator: "\n")
  }
}

extension IndexName {
  var texts: [String?] { [title, route, host, module, element, topic] }
}

extension IndexGroup.Entry {
  fileprivate var texts: [String?] {
    [
      id, life.shownStatus, life.url, life.refusal, life.isImported ? "imported" : nil,
      state?.dialect.rawValue,
    ]
  }
}
