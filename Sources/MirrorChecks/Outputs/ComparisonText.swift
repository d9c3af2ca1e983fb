internal import LiveViewMirror
internal import MirrorSupport

/// A comparison as text for a terminal:
///
///     before.har → after.har
///
///                              before    after  difference
///       all diffs  diffs           12       12           =
///                  bytes      2,208 B  1,152 B    −1,056 B  −48 %
///       inc        bytes        184 B     96 B       −88 B  −48 %
///
///     The pages differ first at v7 of lv:phx-F1 (inc)
///
///         <p class="count">
///       -   "7"
///       +   "8"
///
/// The row of all diffs has a line for each measure. The row of an event has only the measures that
/// have changed. `compare` prints this text, unless it is called with `--json`.
package struct ComparisonText {
  private let comparison: Comparison
  private let style: TextStyle

  package init(_ comparison: Comparison, style: TextStyle) { (self.comparison, self.style) = (comparison, style) }

  /// With a line feed at the end.
  package var text: String {
    let heading =
      style.bold("\(Terminal.line(comparison.before.name)) → \(Terminal.line(comparison.after.name))") + "\n\n"
    return heading + table + "\n" + pages + failures
  }

  private var table: String {
    var table = TextTable(rightColumns: [2, 3, 4, 5])
    table.add(["", "", "before", "after", "difference", ""], style.dim)
    for row in comparison.rows {
      for (index, value) in row.shownValues.enumerated() { table.add(cells(value, index == 0 ? row.name : "")) }
    }
    let equal = comparison.rows.dropFirst().count(where: \.shownValues.isEmpty)
    return table.text(indent: "  ")
      + (equal > 0 ? style.dim("  \(Formatted.count(equal, "event")) without a difference\n") : "")
  }

  private func cells(_ value: Comparison.Value, _ name: String) -> [TextTable.Cell] {
    let difference = value.measure == .diffs ? 0 : value.difference ?? 0
    let paint = !value.hasChanged || difference == 0 ? style.dim : difference < 0 ? style.green : style.red
    let name = Terminal.line(name)
    return [
      .init(text: CheckText.shortened(name)), .init(text: value.measure.title),
      .init(text: value.beforeText), .init(text: value.afterText), .init(text: value.differenceText, paint: paint),
      .init(text: value.relativeText, paint: paint),
    ]
  }

  private var failures: String {
    if comparison.failures.isEmpty { return "" }
    let lines = comparison.failures.map { "  \(Terminal.line($0))\n" }.joined()
    return "\n\(lines)\n" + style.red("✗ \(Formatted.count(comparison.failures.count, "increase")) above the limit")
      + "\n"
  }

  private var pages: String {
    var text = comparison.unmatched.map { "  \(Terminal.line($0))\n" }.joined()
    if !text.isEmpty { text += "\n" }
    guard let divergence = comparison.divergence else {
      return text + style.green("✓ The pages of all versions that both have are the same") + "\n"
    }
    text += style.red("✗ The pages differ first at \(Terminal.line(divergence.title))") + "\n\n"
    return text + lines(divergence.difference)
  }

  private func lines(_ difference: LineDifference) -> String {
    difference.lines.map { line in
      switch line {
      case .both(let text): "    \(shortened(text))\n"
      case .before(let text): style.red("  - \(shortened(text))") + "\n"
      case .after(let text): style.green("  + \(shortened(text))") + "\n"
      case .gap(let count): style.dim("    … \(Formatted.count(count, "line")) of both") + "\n"
      }
    }.joined()
  }

  private func shortened(_ text: String) -> String {
    let line = Terminal.line(text)
    let room = style.columns - 4
    return line.count > room ? line.prefix(room - 1) + "…" : line
  }
}

extension Divergence {
  /// The version before the change, such as `v7 of lv:phx-F1 (inc)`.
  package var title: String { before.text(cause) }
}
