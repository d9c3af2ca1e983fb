internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorAnalysis
internal import MirrorSupport

/// ``CostTotals`` for people: a sentence about whether the size or the number of diffs costs more,
/// a choice of what a row is about, and the sums. The headers are links that sort by their column.
/// The tab *Cost* of ``ViewPage`` and ``PageTotalsPage`` contain it.
struct TotalsTable {
  let totals: CostTotals
  /// The order in which ``totals`` has its rows. The table does not sort them.
  let order: CostTotals.Order
  /// The page of the table; `?by=` and `?sort=` are added to it.
  let page: Link
  /// The link to the diffs of a row; `nil` for no link.
  var filter: (CostTotals.Row) -> Link? = { _ in nil }
  var editor: Editor?

  var html: HTML {
    let choices = CostTotals.Grouping.allCases.map { grouping -> HTML in
      let current: HTML? = grouping == totals.grouping ? " aria-current=\"true\"" : nil
      return "<a href=\"\(link(by: grouping, sort: order))\"\(current)>\(grouping.title)</a>"
    }
    return """
      <h3 id="totals">Totals</h3>
      <p class="totals-sentence">\(totals.sentence)\(totals.limitation.map { " \($0)" as HTML })</p>
      <p class="choice" role="group" aria-label="Totals by">By \(choices.joined(by: " "))</p>
      \(table)\(note)\(hint)
      """
  }

  private func link(by grouping: CostTotals.Grouping, sort order: CostTotals.Order) -> Link {
    page.with("by", grouping == .event ? nil : grouping.rawValue).with("sort", order == .bytes ? nil : order.rawValue)
  }

  // MARK: - The table

  /// A column of numbers, with one link or several that sort by it.
  private struct Column {
    let name: HTML
    let orders: [(order: CostTotals.Order, name: HTML, title: HTML)]
    let cell: (CostTotals.Row) -> HTML
  }

  /// The columns of numbers, which follow the column of the key. Columns without values are left
  /// out, so that the table fits into the pane.
  private var columns: [Column] {
    var columns = [
      Column(name: "Diffs", orders: [(.diffs, "Diffs", "The number of diffs")]) { HTML.count($0.diffs) },
      Column(name: "Bytes", orders: [(.bytes, "Bytes", "Sent")]) { HTML.bytes($0.bytes) },
    ]
    if totals.rows.contains(where: { $0.wastedBytes > 0 }) {
      let order = (CostTotals.Order.wastedBytes, "Without effect" as HTML, "Bytes that the page had already" as HTML)
      columns.append(Column(name: "Without effect", orders: [order]) { HTML.bytes($0.wastedBytes) })
    }
    if totals.rows.contains(where: { $0.nodes > 0 }) {
      let order = (CostTotals.Order.nodes, "Nodes" as HTML, "Changes of the page" as HTML)
      columns.append(Column(name: "Nodes", orders: [order]) { HTML.count($0.nodes) })
    }
    if hasLatencies {
      let orders: [(CostTotals.Order, HTML, HTML)] = [
        (.median, "median", "Half of the answers are faster"),
        (.p95, "95\u{A0}%", "95 % of the answers are at least as fast"), (.max, "most", "The slowest answer"),
      ]
      columns.append(Column(name: "Latency", orders: orders, cell: Self.latencies))
    }
    return columns
  }

  /// `7 / 12 / 31 ms`.
  private static func latencies(of row: CostTotals.Row) -> HTML {
    let times = [50, 95, 100].compactMap { row.latency(percentile: $0) }.map { "\(Milliseconds.text($0))" as HTML }
    return times.isEmpty ? absent : "\(times.joined(by: " / ")) ms"
  }

  private var table: HTML {
    if totals.rows.isEmpty { return "" }
    let title = totals.grouping.title
    let name: HTML = "\(title.prefix(1).uppercased() + title.dropFirst())"
    let columns = columns
    let heads = columns.map { head($0.orders, of: $0.orders.count > 1 ? $0.name : nil) }
    let more: HTML? = hasLines ? "<th scope=\"col\">Template line</th>" : nil
    return """
      <table class="totals">
      <caption class="unseen">Totals by \(totals.grouping.title)</caption>
      <thead><tr>\(head([(.key, name, "Sort by name")], isNumber: false))\(heads)\(more)</tr></thead>
      <tbody>
      \(totals.rows.map { row($0, columns) })</tbody>
      </table>

      """
  }

  /// The head of a column: a link for each order, after a name if there are several.
  private func head(
    _ orders: [(order: CostTotals.Order, name: HTML, title: HTML)], of name: HTML? = nil, isNumber: Bool = true
  ) -> HTML {
    // Keys are sorted upwards, numbers downwards.
    let (direction, arrow): (HTML, HTML) = isNumber ? ("descending", "▾") : ("ascending", "▴")
    let links = orders.map { column, name, title -> HTML in
      """
      <a href="\(link(by: totals.grouping, sort: column))" title="\(title)">\(name)\
      \(column == order ? "<span aria-hidden=\"true\">\u{A0}\(arrow)</span>" as HTML : nil)</a>
      """
    }
    return """
      <th scope="col"\(isNumber ? " class=\"number\"" as HTML : nil)\
      \(orders.contains { $0.order == order } ? " aria-sort=\"\(direction)\"" as HTML : nil)>\
      \(name.map { "\($0) " as HTML })\(links.joined(by: " / "))</th>
      """
  }

  private func row(_ row: CostTotals.Row, _ columns: [Column]) -> HTML {
    let cells = columns.map { column -> HTML in
      "<td class=\"number\" data-label=\"\(column.name)\">\(column.cell(row))</td>"
    }
    let line: HTML? =
      hasLines ? "<td class=\"template-line\" data-label=\"Template line\">\(Self.line(row.source, editor))</td>" : nil
    return "<tr><th scope=\"row\">\(name(of: row))</th>\(cells)\(line)</tr>\n"
  }

  private func name(of row: CostTotals.Row) -> HTML {
    let view: HTML? =
      hasViews ? row.view.map { " <span class=\"of-view\" title=\"\($0)\">\(IndexGroup.short($0))</span>" } : nil
    guard row.key != nil else { return "<i>\(totals.name(of: row))</i>\(view)" }
    if totals.grouping == .source { return Self.line(row.source, editor) }
    let name: HTML = totals.hasLines ? "<code>\(totals.name(of: row))</code>" : "<bdi>\(totals.name(of: row))</bdi>"
    return "\(filter(row).map { "<a href=\"\($0)\">\(name)</a>" as HTML } ?? name)\(view)"
  }

  private var hasLatencies: Bool { totals.rows.contains { !$0.latencies.isEmpty } }

  /// Whether the table has a column of template lines, which needs debug annotations.
  private var hasLines: Bool { totals.hasLines && totals.hasAnnotations }

  /// Whether the rows are about several views.
  private var hasViews: Bool { Set(totals.rows.map(\.view)).count > 1 }

  private static let absent: HTML = "<span class=\"absent\" title=\"no event\">–</span>"

  // MARK: - Below the table

  private var note: HTML {
    let bytes: HTML =
      totals.grouping == .event
      ? "The bytes are those of the diffs as they were received."
      : """
      The bytes are those of the values, \(HTML.bytes(totals.rows.reduce(0) { $0 + $1.bytes })) of \(HTML.bytes(totals.bytes)). The \
      rest is names, punctuation, the strings of new templates, events and replies.
      """
    let latency: HTML? = hasLatencies ? " Latency is the time from an event to its answer." : nil
    return "<p class=\"note\">\(bytes)\(latency)</p>\n"
  }

  private var hint: HTML? {
    totals.hasAnnotations ? nil : "<p class=\"annotation-hint\">\(WasteReport.annotationHint)</p>\n"
  }

  /// `lib/live/basic.ex:146`, with a link into the editor if there is one, and the function
  /// component.
  static func line(_ source: TemplateSource, _ editor: Editor?) -> HTML {
    let place = source.location.map { location -> HTML in
      let file = location.file.split(separator: "/").last.map(String.init) ?? ""
      let folder: HTML = "<span class=\"folder\">\(String(location.file.dropLast(file.count)))</span>"
      let text: HTML = "<code title=\"\(location.file)\">\(folder)\(file):\(location.line)</code>"
      guard let link = editor?.link(to: location) else { return text }
      return "<a class=\"editor\" href=\"\(link)\">\(text)</a>"
    }
    let name = source.function.map { " <span class=\"function\">\($0)</span>" as HTML }
    let around = source.element.map { "inside <code>&lt;\($0)&gt;</code> at " as HTML }
    if place == nil, name == nil { return "<span class=\"absent\" title=\"no debug annotation\">–</span>" }
    return "\(around)\(place)\(name)"
  }
}
