internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// The details: tabs, of which one is shown.
extension ViewPage {
  var details: [PageRegion] {
    let diff = tab == .diff && rejection == nil ? record : nil
    let explanation = diff.map { DiffExplanation($0, in: view) }
    return [
      PageRegion("tabs", "<nav class=\"tabs\" aria-label=\"Details\">\(Tab.allCases.map(link))</nav>"),
      PageRegion("headline", diff.map(summary) ?? ""),
      PageRegion("pictures", diff.flatMap(pictures) ?? ""),
      PageRegion("facts", content()),
      PageRegion("input", diff.flatMap { record in explanation.map { input(of: record, $0) } } ?? ""),
      PageRegion("calls", diff.flatMap(isolation) ?? ""),
      PageRegion("timings", diff.map(timings) ?? ""),
    ]
  }

  private func link(to tab: Tab) -> HTML {
    let findingCount = tab == .diagnostics ? view.findingCount : 0
    let name: HTML =
      switch tab {
      case .diff: "Diff"
      case .steps: "Steps"
      case .node: "Node"
      case .waste: "Waste"
      case .diagnostics: findingCount == 0 ? "Diagnostics" : "Diagnostics \(findingCount)"
      case .subscribers: "Subscribers"
      case .view: "View"
      }
    return """
      <a href="\(link("details") { $0.tab = tab })"\(tab == self.tab ? " aria-current=\"true\"" as HTML : nil)>\(name)</a>

      """
  }

  private func content() -> HTML {
    switch tab {
    case .diff: diff()
    case .steps: steps
    case .node: ref(query.node).map(details) ?? Self.nothingSelected
    case .waste: waste
    case .diagnostics: diagnostics
    case .subscribers: subscriberTab
    case .view: facts
    }
  }

  private static let nothingSelected: HTML = """
    <p class="note">Choose a node in the tree, in the mirror or in a list of changes to see its source line, its attributes, its \
    subscribers, and every version that added, changed, moved or removed it.</p>

    """

  private var waste: HTML {
    let report = view.wasteReport(by: query.sort)
    return """
      <h3>Waste</h3>
      <p class="note">What was sent since the mount and changed nothing, by slot of the template. The server sent values that the \
      page had already. The table counts the values of slots, \(HTML.bytes(report.bytes)) of the diffs. The rest of the diffs is names \
      and punctuation, the strings that several fragments share (<code>p</code>), events, replies and titles.</p>
      \(WasteTable(report: report, order: query.sort, page: link { ($0.sort, $0.tab) = (.wastedBytes, .waste) }, editor: editor).html)
      """
  }

  private var diagnostics: HTML {
    let findings = view.findings
    if findings.isEmpty { return "<h3>Diagnostics</h3>\n<p class=\"note\">Nothing is wrong with this view.</p>\n" }
    return """
      <h3>Diagnostics</h3>
      <p class="note">\(HTML.count(findings.count, "problem")), each once, however many diffs show it.</p>
      \(FindingList(
        findings: findings, dialect: view.document.dialect, firstVersion: view.firstVersion, version: { link(toVersion: $0, "details") },
        node: link(toNode:)
      ).html)
      """
  }
}
