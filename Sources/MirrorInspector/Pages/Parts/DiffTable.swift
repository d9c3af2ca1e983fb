internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorAnalysis

/// A ``DiffExplanation`` as a table, with a row for each part of the diff: its bytes, what it is,
/// its path, and the nodes that it changed. The tab *Diff* of ``ViewPage`` contains it.
///
/// Each row has its path in `data-slot` and the numbers of its nodes in `data-nodes`, so that a
/// script can show which nodes a slot changed, and which slots changed a node.
struct DiffTable {
  let explanation: DiffExplanation
  /// The record of the explained diff. It has the names of the changed nodes.
  let names: ChangeRecord
  /// Whether all rows name changes of white space and of HEEx's comments. If `false`, a row names
  /// such changes only if it has no others.
  let showsBlanks: Bool
  /// The address of a node.
  let link: (NodeRef) -> Link

  /// The maximum number of nodes that a row links to. `data-nodes` has the numbers of all nodes.
  private static let linkedNodes = 8
  /// The maximum number of levels by which a row is indented.
  private static let mostLevels = 8

  var html: HTML {
    let rest: HTML? =
      explanation.unmarkedWaste == 0
      ? nil
      : """
      <p class="note">\(HTML.count(explanation.unmarkedWaste, "more slot")) sent without effect, not marked here.</p>

      """
    return """
      <table class="diff-parts">
      <thead><tr><th scope="col" class="number">Bytes</th><th scope="col">What</th><th scope="col">Where</th></tr></thead>
      <tbody>
      \(rows(of: explanation.root, level: 0))</tbody>
      </table>
      \(rest)
      """
  }

  /// The row of a part, and those of its children. ``DiffExplanation/Limits`` bound the depth.
  private func rows(of part: DiffExplanation.Part, level: Int) -> HTML {
    let more: HTML? =
      part.more == 0
      ? nil
      : """
      <tr class="gap"><td></td><td class="level-\(min(level + 1, Self.mostLevels))">… \(HTML.count(part.more, "more part"))</td><td></td></tr>

      """
    return "\(row(of: part, level: level))\(part.children.map { rows(of: $0, level: level + 1) })\(more)"
  }

  private func row(of part: DiffExplanation.Part, level: Int) -> HTML {
    let numbers = part.nodes.map { "\($0.number)" as HTML }.joined(by: " ")
    let nodes: HTML? = part.nodes.isEmpty ? nil : " data-nodes=\"\(numbers)\""
    let value: HTML? = part.value.map {
      part.kind.isText
        ? " <bdi class=\"value\">\(HTML.quoted($0))</bdi>" : " <bdi class=\"value\"><code>\($0)</code></bdi>"
    }
    let waste: HTML? = part.isWaste ? " <span class=\"waste\">already on the page</span>" : nil
    let path: HTML? = part.path.isEmpty ? nil : "<code class=\"path\">\(part.path)</code>"
    return """
      <tr class="part kind-\(part.kind.rawValue)\(part.isWaste ? " unchanged" as HTML : nil)" data-slot="\(part.path)"\(nodes)>\
      <td class="number size">\(bar(part.bytes))\(HTML.bytes(part.bytes))</td>\
      <td class="level-\(min(level, Self.mostLevels))"><bdi class="summary">\(part.summary)</bdi>\(value)\(waste)</td>\
      <td>\(path)\(causes(of: part))</td></tr>

      """
  }

  /// The share of the whole update. The policy of the page forbids inline styles, so the bar is an
  /// image.
  private func bar(_ bytes: Int) -> HTML {
    let width = bytes * 100 / max(1, explanation.root.bytes)
    return """
      <svg class="bar" viewBox="0 0 100 10" width="50" height="10" preserveAspectRatio="none" aria-hidden="true">\
      <rect width="\(bytes > 0 ? max(1, width) : 0)" height="10"/></svg>
      """
  }

  private func causes(of part: DiffExplanation.Part) -> HTML? {
    if part.changes.isEmpty { return nil }
    let changes = part.changes.map { explanation.changeSet.changes[$0] }
    let main = showsBlanks ? changes : changes.filter { !$0.isSeldomOfInterest }
    let shown = main.isEmpty ? changes : main
    let links = shown.prefix(Self.linkedNodes).map { change -> HTML in
      """
      \(ChangeMark(change.op).html) <a class="node" data-node="\(change.node.number)" \
      href="\(link(change.node))">\(name(of: change))</a>
      """
    }
    let rest = shown.count - links.count + part.moreChanges
    let more: HTML? = rest == 0 ? nil : " and \(HTML.count(rest)) more"
    return " <span class=\"causes\"><span aria-hidden=\"true\">→</span> \(links.joined(by: ", "))\(more)</span>"
  }

  /// The changed element; for a text, the element around it.
  private func name(of change: Change) -> HTML {
    let name: DisplayName? =
      switch change {
      case .text(_, let parent, _, _): names.displayName(of: parent)
      case .attributes(_, let tag, _): .element(tag: tag, id: nil)
      case .add(let subtree, _): subtree.displayName
      case .remove(_, _, let name), .move(_, let name, _, _): name
      }
    return name.map { "\($0.description)" } ?? "\(change.node.number)"
  }
}
