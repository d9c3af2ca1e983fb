internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// The tab *Node*: the attributes of the selected node, its subscribers, and its history.
extension ViewPage {
  private static let textLimit = 10_000

  func details(of node: NodeRef) -> HTML {
    let history = NodeHistory(of: node, in: view.log)
    let content = document.content(of: node)
    let name: HTML? = (content ?? history.origin).map { " \(label($0))" }
    return """
      <h3 class="subject">Node \(node.number)\(name)</h3>
      \(content.map { present(node, $0) } ?? absent(node, history))\
      \(historyList(of: node, history, isLive: content != nil && node != document.root))
      """
  }

  // MARK: - In the shown version

  private func present(_ node: NodeRef, _ content: NodeContent) -> HTML {
    let path = document.path(to: node).dropLast().map { "<li>\(nodeLink($0))</li>" as HTML }
    let way: HTML? =
      path.isEmpty ? nil : "<nav class=\"way\" aria-label=\"The path to this node\"><ol>\(path)</ol></nav>\n"
    let under = link("page") { ($0.under, $0.from) = (node.number, nil) }
    // Only elements have a template line; a text is shown with the line of its parent.
    let isElement = if case .element = content { true } else { false }
    let written = sources[node] ?? document.parent(of: node).flatMap { isElement ? nil : sources[$0] }
    let source: HTML? = written.map { source in
      let function: HTML? = source.function.map { " by <code>\($0)</code>" }
      return
        "<p class=\"note\">Template: \(sourceLink(source.location))\(function)\(excerpt(at: source.location))</p>\n"
    }
    let component: HTML? = document.component(of: node).map { "<p>root of component \($0)</p>\n" }
    return """
      \(way)\
      <p class="actions"><a href="\(under)">Show only this element</a> \
      <a href="\(resource("nodes", "\(node.number)"))">JSON</a></p>
      \(source)\(component)\(heat(of: node))\
      \(properties(of: content))\
      \(publisher(of: node, content))
      """
  }

  private func heat(of node: NodeRef) -> HTML? {
    heat.counts[node].map {
      "<p class=\"note\">Changed by \($0) of the last \(HTML.count(min(Heat.span, version), "diff")).</p>\n"
    }
  }

  private func properties(of content: NodeContent) -> HTML {
    switch content {
    case .root: return "<p class=\"note\">The document itself: its children are the top of the page.</p>\n"
    case .processingInstruction(let instruction): return properties(of: .text(instruction.data))
    case .text(let text), .comment(let text):
      let length = text.unicodeScalars.count
      let part = text.unicodeScalars.prefix(Self.textLimit)
      let rest: HTML? =
        length > Self.textLimit
        ? "<p class=\"note\">Only the first \(HTML.count(Self.textLimit)) characters are shown.</p>\n" : nil
      return """
        <h4>Text <span class="size">\(HTML.count(length, "character"))</span></h4>
        <pre class="value">\(HTML.withVisibleBlanks(part, keepingLines: true))</pre>
        \(rest)
        """
    case .element(let element):
      if element.attributes.isEmpty { return "<p class=\"note\">No attributes.</p>\n" }
      let rows = element.attributes.map { attribute -> HTML in
        """
        <tr><th scope="row"><bdi>\(attribute.name)</bdi></th>\
        <td>\(HTML.quoted(attribute.value, limit: Self.textLimit))</td></tr>

        """
      }
      return """
        <table class="attributes">
        <caption>\(HTML.count(rows.count, "attribute"))</caption>
        <thead class="unseen"><tr><th scope="col">Name</th><th scope="col">Value</th></tr></thead>
        <tbody>
        \(rows)\
        </tbody>
        </table>

        """
    }
  }

  // MARK: - Not in the shown version

  private func absent(_ node: NodeRef, _ history: NodeHistory) -> HTML {
    let words: HTML
    if let made = history.madeAt, version < made {
      words = "<a href=\"\(link(toVersion: made, "details"))\">Version \(made)</a> adds this node."
    } else if let removed = history.removedAt {
      words = """
        <a href="\(link(toVersion: removed, "details"))">Version \(removed)</a> removed this node; it was last in \
        \(versionLink(removed - 1, "details")).
        """
    } else {
      words = """
        No stored version has a node with this number.\
        \(view.firstVersion > 0 ? " The log begins with version \(view.firstVersion)." as HTML : nil)
        """
    }
    return "<p class=\"note absent\">\(words)</p>\n"
  }

  // MARK: - History

  /// The changes of the node and of everything below it, newest first.
  ///
  /// - Parameter isLive: whether the shown version has the node, and the node is not the root.
  private func historyList(of node: NodeRef, _ history: NodeHistory, isLive: Bool) -> HTML? {
    // Entries before the first kept one are unknown.
    let before: HTML? =
      view.firstVersion > 0 && history.madeAt == nil && (isLive || !history.events.isEmpty)
      ? "<p class=\"note\">It was added before version \(view.firstVersion), where the log begins.</p>\n" : nil
    let changes = SubtreeHistory(of: node, in: view, removedAt: history.removedAt, includingBlanks: query.showsBlanks)
    if changes.versions.isEmpty { return before }
    let isElement = (document.content(of: node) ?? history.origin)?.element != nil
    let earlier: HTML? =
      changes.earlierCount > 0
      ? "<li class=\"gap\">… \(HTML.count(changes.earlierCount, "earlier version"))</li>\n" : nil
    return """
      <h4>History of this \(isElement ? "element and its content" : "node" as HTML)</h4>
      <ol class="changes biography" reversed>
      \(changes.versions.flatMap(lines))\(earlier)\
      </ol>
      \(before)
      """
  }

  private func lines(of changes: SubtreeHistory.Version) -> [HTML] {
    let record = changes.record
    let isShown = record.version == version
    var lines = (changes.own + changes.below).map { position -> HTML in
      let classes = [changes.own.contains(position) ? nil : "below" as HTML, isShown ? "shown" : nil].compactMap { $0 }
      return """
        <li class="\(classes.joined(by: " "))"\(isShown ? " aria-current=\"true\"" as HTML : nil)><a class="version" href="\(link(toVersion: record.version, "details"))">v\(record.version)</a> \
        \(record.cause.map { "<bdi class=\"cause\">\($0.description)</bdi> " as HTML })\
        \(line(of: record.changeSet.changes[position], in: record, at: position))</li>

        """
    }
    if changes.more > 0 {
      lines.append(
        "<li class=\"gap\"><a href=\"\(link(toDiff: record.version))\">… \(HTML.count(changes.more, "more change")) in v\(record.version)</a></li>\n"
      )
    }
    return lines
  }
}
