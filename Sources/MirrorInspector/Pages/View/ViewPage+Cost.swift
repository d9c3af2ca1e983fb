internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorAnalysis

/// The tabs *Cost* and *Diagnostics*: what the diffs cost, and what is wrong with the view.
extension ViewPage {
  /// The list of what can be saved and how, and below it the totals, which say what the bytes and
  /// the time are spent on.
  var cost: HTML {
    let totals = CostTotals(of: view, by: query.by, sortedBy: query.sort)
    if totals.diffs == 0 { return "<h3>Cost</h3>\n<p class=\"note\">No diff has arrived yet.</p>\n" }
    let insights = InsightList(
      insights: view.insights, bytes: totals.bytes, firstVersion: view.firstVersion, version: link(toDiff:),
      editor: editor)
    let table = TotalsTable(
      totals: totals, order: query.sort,
      page: link("totals") { ($0.tab, $0.by, $0.sort) = (.cost, .event, .bytes) }, filter: filter(for:),
      editor: editor)
    return "<h3>Cost</h3>\n\(insights.html)\(table.html)"
  }

  /// A link to the timeline, filtered by the event of a row; `nil` if no filter can select the
  /// diffs of the row, because its key is not an event or contains white space.
  private func filter(for row: CostTotals.Row) -> Link? {
    let event = row.key ?? "server"
    guard query.by == .event, !event.contains(where: \.isWhitespace) else { return nil }
    return link("diffs") { ($0.filter, $0.after) = ("event:\(event)", nil) }
  }

  var diagnostics: HTML {
    let findings = view.findings
    if findings.isEmpty { return "<h3>Diagnostics</h3>\n<p class=\"note\">Nothing is wrong with this view.</p>\n" }
    return """
      <h3>Diagnostics</h3>
      <p class="note">\(HTML.count(findings.count, "problem")). Each is listed once, however many diffs show it.</p>
      \(FindingList(
        findings: findings, dialect: view.document.dialect, firstVersion: view.firstVersion, version: { link(toVersion: $0, "details") },
        node: link(toNode:)
      ).html)
      """
  }
}
