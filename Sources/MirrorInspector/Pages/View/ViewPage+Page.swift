internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// The head of the pane in the middle: what it shows, where in the document, and what the search found.
extension ViewPage {
  func pageHead(_ pane: TreePane) -> HTML {
    """
    <nav class="tabs" aria-label="Forms of the page">\(contents)</nav>
    \(query.show.hasTree ? treeNotes(pane) : nil)\(matches(pane))
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
    return """
      \(breadcrumb(to: document.ref(outline.top)))\
      <p class="note">\(summary), \(HTML.count(pane.changedCount)) changed by v\(version)\(blanks(outline))\(heatKey)</p>

      """
  }

  /// What the bars beside the lines mean.
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
      , <a class="blanks" href="\(link("page") { $0.showsBlanks = true })" title="Show the white space between elements, and HEEx's comments">\
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

  private func matches(_ pane: TreePane) -> HTML? {
    guard let search = pane.search, let text = query.find else { return nil }
    let clear: HTML = "<a href=\"\(link("page") { $0.find = nil })\">clear</a>"
    if search.matches.isEmpty {
      let number = Int(text.split(separator: ":").last ?? "").flatMap { $0 > 0 ? $0 : nil }
      let history: HTML? = number.map {
        "No node of this version has the number \($0): <a href=\"\(link("details") { ($0.node, $0.tab, $0.find) = (number, nil, nil) })\">its history</a>. "
      }
      // A word that the filter can read.
      let diffs: HTML? =
        text.contains { $0.isWhitespace || ":<>=[]#.".contains($0) }
        ? nil
        : "<a href=\"\(link("diffs") { ($0.filter, $0.find, $0.after) = (text, nil, nil) })\">Search the diffs for this text</a>, "
      return """
        <p class="note found" role="status">Nothing matches <bdi>\(HTML.quoted(text))</bdi> in version \(version). \(history)\(diffs)\(clear)</p>

        """
    }
    let shown = search.matches.prefix(12).map { "<li>\(nodeLink($0))</li>" as HTML }
    let more = search.matches.count - shown.count
    let rest: HTML? = more > 0 ? "<li>… \(HTML.count(more)) more</li>" : nil
    let count: HTML = "\(search.isCut ? "more than " : "")\(HTML.count(search.matches.count, "match"))"
    return """
      <nav class="way found" aria-label="Matches"><p class="note" role="status">\(count) \(clear)</p>\
      <ol>\(shown)\(rest)</ol></nav>

      """
  }
}

/// The document as a rendered page, in a frame without scripts.
extension ViewPage {
  var mirror: HTML {
    let source = versioned("page").with("frame", 1)
    return """
      <p class="note heat-note">Frames mark what one of the last \(Heat.span) diffs changed, solid for the shown one.</p>
      <iframe sandbox="allow-same-origin allow-forms" referrerpolicy="no-referrer" title="The document as a page" src="\(source)"></iframe>

      """
  }
}
