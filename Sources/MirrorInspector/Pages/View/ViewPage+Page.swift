internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// The head of the middle pane: the tabs for its content, the path to the shown subtree, and the
/// matches of the search.
extension ViewPage {
  func pageHead(_ pane: TreePane) -> HTML {
    """
    <nav class="tabs" aria-label="Forms of the page">\(contents)</nav>
    \(query.show.hasTree ? treeNotes(pane) : nil)\(matches)
    """
  }

  private var contents: [HTML] {
    Content.allCases.map { content in
      let name: HTML =
        switch content {
        case .tree: "Tree"
        case .mirror: "Mirror"
        case .both: "Both"
        case .compare: "Before and after"
        }
      return """
        <a href="\(link { $0.show = content })"\(query.show == content ? " aria-current=\"true\"" as HTML : nil)>\(name)</a>

        """
    }
  }

  private func treeNotes(_ pane: TreePane) -> HTML {
    guard let outline = pane.outline else {
      return """
        <p class="note">There is no node \(query.under ?? 0) in version \(version). \
        <a href="\(link("page") { ($0.under, $0.from) = (nil, nil) })">Show the whole document</a></p>

        """
    }
    let summary: HTML =
      outline.count == outline.total
      ? HTML.count(outline.total, "node")
      : "\(HTML.count(outline.count)) of \(HTML.count(outline.total, "node"))"
    let diff = link("details") { $0.tab = $0.node == nil ? nil : .diff }
    return """
      \(breadcrumb(to: document.ref(outline.top)))\
      <p class="note">\(summary), <a href="\(diff)">\(HTML.changes(changeCounts.shown))</a> by v\(version)\(blanks(outline))\(heatKey)</p>

      """
  }

  /// The legend of the bars beside the lines of the tree.
  private var heatKey: HTML? {
    if heat.levels.isEmpty { return nil }
    return ", <span class=\"heat-key\">changed by one of the last \(Heat.span) diffs</span>"
  }

  private func blanks(_ outline: Outline) -> HTML? {
    if query.showsBlanks {
      return ", <a href=\"\(link("page") { $0.showsBlanks = false })\">hide white space and comments</a>"
    }
    if outline.hidden == 0 { return nil }
    return """
      , <a class="blanks" href="\(link("page") { $0.showsBlanks = true })" title="Show the white space between elements, HEEx's comments, and data-phx attributes">\
      \(HTML.count(outline.hidden)) hidden: white space and comments</a>
      """
  }

  /// The path from the document to the shown subtree, as links.
  private func breadcrumb(to top: NodeRef) -> HTML? {
    guard top != document.root else { return nil }
    let steps = document.path(to: top).map { step -> HTML in
      if step == top { return "<li aria-current=\"true\">\(nodeLink(step))</li>" }
      let target = link("page") { ($0.under, $0.from) = (step == document.root ? nil : step.number, nil) }
      return "<li>\(nodeLink(step, to: target))</li>"
    }
    return """
      <nav class="way" aria-label="The path to this subtree"><ol>\(steps)</ol></nav>

      """
  }
}

/// The document as a rendered page, in a frame without scripts.
extension ViewPage {
  var mirror: HTML {
    let source = versioned("page").with("frame", 1)
    return """
      <iframe sandbox="allow-same-origin allow-forms" referrerpolicy="no-referrer" title="The document as a page" src="\(source)"></iframe>

      """
  }
}
