internal import LiveViewMirror
internal import NodeObservation

/// The details: tabs, of which one is shown.
extension ViewPage {
  var details: HTML {
    """
    <nav class="tabs" aria-label="Details">\(Tab.allCases.map(link))</nav>
    \(content)
    """
  }

  private func link(to tab: Tab) -> HTML {
    let name: HTML =
      switch tab {
      case .diff: "Diff"
      case .node: "Node"
      case .waste: "Waste"
      case .diagnostics: "Diagnostics"
      case .observers: "Observers"
      case .view: "View"
      }
    return """
      <a href="\(link("details") { $0.tab = tab })"\(tab == self.tab ? " aria-current=\"true\"" as HTML : nil)>\(name)</a>

      """
  }

  private var content: HTML {
    switch tab {
    case .diff: diff
    case .node: ref(query.node).map(details) ?? Self.nothingSelected
    case .waste: waste
    case .diagnostics: diagnostics
    case .observers: observers
    case .view: facts
    }
  }

  private static let nothingSelected: HTML = """
    <p class="note">Choose a node in the tree, in the mirror or in a list of changes to see its source line, its attributes, its \
    subscribers, and every version that added, changed, moved or removed it.</p>

    """

  private var waste: HTML { "" }
  private var diagnostics: HTML { "" }
}
