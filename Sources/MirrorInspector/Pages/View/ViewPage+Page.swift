internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// The head of the pane in the middle: what it shows, where in the document, and what the search found.
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

  private var matches: HTML? {
    guard let search, let text = query.find else { return nil }
    let clear: HTML = "<a href=\"\(link("page") { $0.find = nil })\">clear</a>"
    if search.matches.isEmpty {
      let number = Int(text.split(separator: ":").last ?? "").flatMap { $0 > 0 ? $0 : nil }
      let history: HTML? = number.map {
        "No node of this version has the number \($0): <a href=\"\(link("details") { ($0.node, $0.tab, $0.find) = (number, nil, nil) })\">its history</a>. "
      }
      // A word that the filter can read.
      let diffs: HTML? =
        ElementName(text) == nil && text.contains { $0.isWhitespace || ":<>=[]#.".contains($0) }
        ? nil
        : "<a href=\"\(link("diffs") { ($0.filter, $0.find, $0.after) = (text, nil, nil) })\">Search the diffs for this text</a>, "
      return """
        <p class="note found" role="status">Nothing matches <bdi>\(HTML.quoted(text))</bdi> in version \(version)\(lastMatch(of: text)). \(history)\(diffs)\(clear)</p>

        """
    }
    let shown = search.elements.prefix(Self.shownMatches).map { match($0, search.words) }
    let more = search.elements.count - shown.count
    let rest: HTML? = more > 0 ? "<li>… \(HTML.count(more)) more</li>" : nil
    let count: HTML = "\(search.isCut ? "more than " : "")\(HTML.count(search.elements.count, "match"))"
    return """
      <nav class="way found" aria-label="Matches"><p class="note" role="status">\(count) \(clear)</p>\
      <ol>\(shown)\(rest)</ol></nav>

      """
  }
}

/// A match of the search with its content.
extension ViewPage {
  /// A link to the last earlier version that has a match, and to its first match. Texts and ids are
  /// followed, but no other attributes.
  ///
  /// - Complexity: that of ``FoldedText/lastVersion(in:before:)``, and of a search in that version.
  private func lastMatch(of text: String) -> HTML? {
    let words = FoldedText(ElementName(text).map { String($0.id) } ?? text)
    guard let last = words.lastVersion(in: view, before: version), let earlier = view.document(at: last),
      let node = TreeSearch(for: text, in: earlier, includingBlanks: query.showsBlanks).elements.first
    else { return nil }
    let target = link("page") { ($0.version, $0.rejected, $0.node, $0.tab) = (last, nil, node.number, nil) }
    return ", <a href=\"\(target)\">last in v\(last)</a>"
  }

  private static let shownMatches = 12
  /// The characters of a match's content.
  private static let matchLength = 60

  /// `<li#t6> "Buy milk"`: the attribute that contains the words, otherwise the text.
  private func match(_ node: NodeRef, _ words: FoldedText) -> HTML {
    let element = document.content(of: node)?.element
    let attribute = element?.attributes.first { words.isPart(of: $0.value) && $0.name != "id" }
    let content: HTML? =
      if let attribute {
        "<span class=\"attribute\"><span class=\"name\">\(attribute.name)</span>=\(excerpt(attribute.value, words))</span>"
      } else {
        text(of: node, words).map { excerpt($0, words) }
      }
    let current: HTML? = node.number == query.node ? " aria-current=\"true\"" : nil
    return """
      <li><a class="node" data-node="\(node.number)" href="\(link(toNode: node))"\(current)>\
      \(document.content(of: node).map(label)) \(content)</a></li>

      """
  }

  /// The first text in an element that contains the words; without one, the first text.
  ///
  /// - Complexity: O(*characters in the element*).
  private func text(of node: NodeRef, _ words: FoldedText) -> String? {
    guard let place = document.treeIndex(of: node) else { return nil }
    var first: String?
    for inner in document.tree.preorder(from: place) {
      guard case .text(let text) = document.tree[inner], !document.tree[inner].isSeldomOfInterest else { continue }
      if words.isPart(of: text) { return text }
      first = first ?? text
    }
    return first
  }

  /// The beginning of a text, or the part of a long one that ends with the words.
  private func excerpt(_ text: String, _ words: FoldedText) -> HTML {
    let lower = text.lowercased()
    let end = lower.firstRange(of: words.text).map { lower.distance(from: lower.startIndex, to: $0.upperBound) }
    let rest = text.dropFirst(max(0, (end ?? 0) - Self.matchLength))
    let part = rest.prefix(Self.matchLength)
    return """
      <q>\(rest.count < text.count ? "…" : "")\(HTML.withVisibleBlanks(part.unicodeScalars))\
      \(part.count < rest.count ? "…" : "")</q>
      """
  }
}

/// The document as a rendered page, in a frame without scripts.
extension ViewPage {
  var mirror: HTML {
    let source = versioned("page").with("frame", 1)
    return """
      <p class="note heat-note">Solid: this diff. Dashed: the last \(Heat.span). Double: the element of the event.</p>
      <iframe sandbox="allow-same-origin allow-forms" referrerpolicy="no-referrer" title="The document as a page" src="\(source)"></iframe>

      """
  }
}
