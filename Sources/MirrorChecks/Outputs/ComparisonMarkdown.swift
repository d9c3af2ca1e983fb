internal import MirrorSupport

/// A comparison as Markdown for the summary of a pull request. `compare --markdown` writes it into
/// a file.
///
/// Names and markup of a recording are escaped or inside of a fence, so that they cannot become
/// Markdown.
package enum ComparisonMarkdown {
  package static func text(_ comparison: Comparison) -> String {
    var text = """
      ## LiveView diffs: \(Markdown.escaped(comparison.before.name)) → \(Markdown.escaped(comparison.after.name))

      | event | measure | before | after | difference | |
      |---|---|--:|--:|--:|--:|

      """
    for row in comparison.rows {
      for value in row.shownValues {
        text += """
          | \(Markdown.escaped(row.name)) | \(value.measure.title) | \(value.beforeText) | \(value.afterText) | \(value.differenceText) \
          | \(value.relativeText) |

          """
      }
    }
    for line in comparison.failures { text += "\n- ❌ \(Markdown.escaped(line))\n" }
    for line in comparison.unmatched { text += "\n- \(Markdown.escaped(line))\n" }
    guard let divergence = comparison.divergence else {
      return text + "\n✅ The pages of all versions that both have are the same.\n"
    }
    return text + "\n❌ The pages differ first at \(Markdown.escaped(divergence.title)):\n\n"
      + fenced(divergence.difference.lines.map(line))
  }

  private static func line(_ line: LineDifference.Line) -> String {
    switch line {
    case .both(let text): "  \(text)"
    case .before(let text): "- \(text)"
    case .after(let text): "+ \(text)"
    case .gap(let count): "  … \(Formatted.count(count, "line")) of both"
    }
  }

  /// A block of code. The fence is longer than every run of backquotes in the lines.
  private static func fenced(_ lines: [String]) -> String {
    let longest = lines.flatMap { $0.split { $0 != "`" } }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return ([fence + "diff"] + lines + [fence]).joined(separator: "\n") + "\n"
  }
}
