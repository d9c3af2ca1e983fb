internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument

/// ``SideBySide`` as a table: a column for the sign of the change, and one for each version.
/// ``ViewPage`` shows it under *Before and after*.
struct SideBySideTable {
  let sides: SideBySide
  /// The address of a node, for the number in its row; `nil` for no link.
  let link: (NodeRef) -> Link?

  /// Deeper lines are not indented further.
  private static let deepestIndent = 24

  var html: HTML {
    let words: HTML = sides.form == .markup ? "as markup" : "as tree"
    let rest: HTML? =
      sides.unshownChangeCount == 0
      ? nil
      : "<p class=\"note\">\(HTML.count(sides.unshownChangeCount, "more change")) not shown: the table is full.</p>\n"
    return """
      <table class="side-by-side \(sides.form.rawValue)">
      <caption>\(HTML.changes(sides.changes, ofBlanks: sides.blankChangeCount)) from version \(sides.from) to version \(sides.to), \(words)</caption>
      <thead><tr><th scope="col" class="sign"><span class="unseen">Change</span></th>\
      <th scope="col">Version \(sides.from)</th><th scope="col">Version \(sides.to)</th></tr></thead>
      <tbody>
      \(sides.rows.map(row))\
      </tbody>
      </table>
      \(rest)
      """
  }

  private func row(_ row: SideBySide.Row) -> HTML {
    if row.kind == .omitted {
      return """
        <tr class="gap"><td class="sign"></td><td>\(omitted(row.omittedBefore))</td><td>\(omitted(row.omittedAfter))</td></tr>

        """
    }
    let node: HTML? = row.node.map { " data-node=\"\($0.number)\"" }
    return """
      <tr class="\(row.kind.rawValue)"\(node)><td class="sign">\(sign(of: row))</td>\
      \(cell(row.before, row.elsewhere, in: sides.from))\(cell(row.after, row.elsewhere, in: sides.to))</tr>

      """
  }

  private func omitted(_ nodes: Int) -> HTML? { nodes == 0 ? nil : "… \(HTML.count(nodes, "node"))" }

  /// The signs, and the number of the node as a link. `nil` for unchanged lines, for end tags, and
  /// for the nodes below a moved node.
  private func sign(of row: SideBySide.Row) -> HTML? {
    let own = row.kind == .moved ? nil : ChangeMark(rawValue: row.kind.rawValue)
    let marks = [own, row.isMoved ? .moved : nil].compactMap { $0?.html }
    guard !row.isEnd, !marks.isEmpty, let node = row.node else { return nil }
    let number: HTML = link(node).map { "<a class=\"node\" href=\"\($0)\">\(node.number)</a>" } ?? "\(node.number)"
    return "\(marks) \(number)"
  }

  /// - Parameter elsewhere: the line of a moved node at its other place. It is shown if `line` is
  ///   `nil`.
  private func cell(_ line: SideBySide.Line?, _ elsewhere: SideBySide.Line?, in version: Int) -> HTML {
    guard let shown = line ?? elsewhere else { return "<td class=\"absent\"></td>" }
    let indent = String(repeating: "\u{A0}", count: 2 * min(shown.depth, Self.deepestIndent))
    let place: HTML? =
      line == nil ? " class=\"elsewhere\" title=\"Version \(version) has this node at another place\"" : nil
    return """
      <td\(place)><code>\(indent)<bdi>\(HTML.withVisibleBlanks(shown.text.unicodeScalars[...]))</bdi></code></td>
      """
  }
}
