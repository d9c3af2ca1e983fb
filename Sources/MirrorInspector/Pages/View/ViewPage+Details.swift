internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// The pane of the details: tabs, of which one is shown. All tabs have the same regions. A region
/// that a tab does not need is empty.
extension ViewPage {
  var details: [PageRegion] {
    let diff = tab == .diff && rejection == nil ? record : nil
    let explanation = diff.map { DiffExplanation($0, in: view) }
    return [
      PageRegion("tabs", "<nav class=\"tabs\" aria-label=\"Details\">\(Tab.allCases.map(link))</nav>"),
      PageRegion("headline", diff.map(firstLines) ?? ""),
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
      case .cost: "Cost"
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
    case .cost: cost
    case .diagnostics: diagnostics
    case .subscribers: subscriberTab
    case .view: facts
    }
  }

  private static let nothingSelected: HTML = """
    <p class="note">Choose a node in the tree, in the mirror or in a list of changes to see its source line, its attributes, its \
    subscribers, and every version that added, changed, moved or removed it.</p>

    """
}
