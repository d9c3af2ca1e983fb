internal import LiveViewMirror
internal import MarkupDocument

/// What the search of the tree found, above the tree.
extension ViewPage {
  var matches: HTML? {
    guard let search, let text = query.find else { return nil }
    let clear: HTML = "<a href=\"\(link("page") { $0.find = nil })\">clear</a>"
    if search.matches.isEmpty {
      let history: HTML? = search.number.map { number in
        "No node of this version has the number \(number): <a href=\"\(link("details") { ($0.node, $0.tab, $0.find) = (number, nil, nil) })\">its history</a>. "
      }
      // Offered only if the filter of the timeline can read the text.
      let diffs: HTML? =
        !LogFilter.read(text).problems.isEmpty
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

  /// Links to the last earlier version that has a match, with its first match selected, and to the
  /// version after it. Only texts and ids are searched in earlier versions, not other attributes.
  ///
  /// - Complexity: that of ``FoldedText/lastVersion(in:before:)``, and of a search in that version.
  private func lastMatch(of text: String) -> HTML? {
    let words = FoldedText(ElementName(text).map { String($0.id) } ?? text)
    guard let last = words.lastVersion(in: view, before: version), let earlier = view.document(at: last),
      let node = TreeSearch(for: text, in: earlier, includingBlanks: query.showsBlanks).elements.first
    else { return nil }
    let target = link("page") { ($0.version, $0.rejected, $0.node, $0.tab) = (last, nil, node.number, nil) }
    let end = link("details") { ($0.version, $0.rejected, $0.node, $0.tab, $0.find) = (last + 1, nil, nil, nil, nil) }
    return ", <a href=\"\(target)\">last in v\(last)</a>, <a href=\"\(end)\">gone since v\(last + 1)</a>"
  }

  private static let shownMatches = 12
  /// The maximum number of characters of a match's content.
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
