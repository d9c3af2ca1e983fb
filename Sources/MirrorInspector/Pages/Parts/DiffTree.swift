internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument

/// A ``DiffExplanation`` as nested lists: one line for each part, with its size, term, summary, value, and the nodes that it
/// changed.
///
/// Each item has its path in `data-slot` and the numbers of its nodes in `data-nodes`, so that a script can show which nodes a slot
/// changed, and the reverse. Parts with children are `details`; they are closed if they are small and caused nothing.
struct DiffTree {
  let explanation: DiffExplanation
  /// The address of a node.
  let link: (NodeRef) -> Link

  /// The maximum number of nodes that a line links to. `data-nodes` has all of them.
  private static let linkedNodes = 8
  /// A part is open if it takes at least this fraction of the update.
  private static let openedFraction = 20
  /// A part with more children is closed.
  private static let openedChildren = 50

  var html: HTML {
    let rest: HTML? =
      explanation.unmarkedWaste == 0
      ? nil
      : """
      <p class="note">\(HTML.count(explanation.unmarkedWaste, "more slot")) sent without effect, not marked here.</p>

      """
    return """
      <ul class="diff-tree">
      \(item(explanation.root))\
      </ul>
      \(rest)
      """
  }

  /// It recurses into the children. Their depth is bounded by ``DiffExplanation/Limits``.
  private func item(_ part: DiffExplanation.Part) -> HTML {
    let numbers = part.nodes.map { "\($0.number)" as HTML }.joined(by: " ")
    let nodes: HTML? = part.nodes.isEmpty ? nil : " data-nodes=\"\(numbers)\""
    let state: HTML? = part.isWaste ? " unchanged" : nil
    let start: HTML = "<li class=\"part\(state)\" data-slot=\"\(part.path)\"\(nodes)>"
    let causes = causes(of: part)
    if part.children.isEmpty, part.more == 0 { return "\(start)\(line(of: part))\(causes)</li>\n" }
    let more: HTML? =
      part.more == 0 ? nil : "<li class=\"gap\">… \(HTML.count(part.more, "more part"))</li>\n"
    return """
      \(start)<details\(isOpen(part) ? " open" as HTML : nil)><summary>\(line(of: part))</summary>\(causes)
      <ul>
      \(part.children.map(item))\(more)\
      </ul></details></li>

      """
  }

  private func isOpen(_ part: DiffExplanation.Part) -> Bool {
    if part.path.isEmpty { return true }
    guard part.children.count <= Self.openedChildren else { return false }
    return part.bytes >= explanation.root.bytes / Self.openedFraction
      || part.children.contains { !$0.nodes.isEmpty || $0.isWaste }
  }

  // MARK: - One line

  private func line(of part: DiffExplanation.Part) -> HTML {
    let path: HTML? = part.path.isEmpty ? nil : "<code class=\"path\">\(part.path)</code> "
    let value: HTML? = part.value.map {
      part.kind.isText
        ? " <bdi class=\"value\">\(HTML.quoted($0))</bdi>" : " <bdi class=\"value\"><code>\($0)</code></bdi>"
    }
    let waste: HTML? =
      part.isWaste
      ? " <span class=\"waste\"><b class=\"mark\" aria-hidden=\"true\">!</b> sent without effect</span>" : nil
    return """
      \(bar(part.bytes))<span class="size">\(HTML.bytes(part.bytes))</span> \
      <span class="badge kind-\(part.kind.rawValue)">\(part.kind.rawValue)</span> \
      \(path)<bdi class="summary">\(part.summary)</bdi>\(value)\(waste)
      """
  }

  /// The share of the whole update. A policy of the page forbids inline styles, so it is an image.
  private func bar(_ bytes: Int) -> HTML {
    let width = bytes * 100 / max(1, explanation.root.bytes)
    return """
      <svg class="bar" viewBox="0 0 100 10" width="50" height="10" preserveAspectRatio="none" aria-hidden="true">\
      <rect width="\(bytes > 0 ? max(1, width) : 0)" height="10"/></svg>
      """
  }

  private func causes(of part: DiffExplanation.Part) -> HTML? {
    if part.changes.isEmpty { return nil }
    let links = part.changes.prefix(Self.linkedNodes).map { change -> HTML in
      let change = explanation.changeSet.changes[change]
      return "\(ChangeMark(change.op).html) <a class=\"node\" href=\"\(link(change.node))\">\(change.node.number)</a>"
    }
    let rest = part.changes.count - links.count + part.moreChanges
    let more: HTML? = rest == 0 ? nil : " and \(HTML.count(rest)) more"
    return " <span class=\"causes\"><span aria-hidden=\"true\">→</span> \(links.joined(by: ", "))\(more)</span>"
  }
}
