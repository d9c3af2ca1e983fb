internal import MirrorSupport

/// Checks as Markdown for the summary of a pull request or of a run. `check --markdown` writes it.
package enum CheckMarkdown {
  package static func text(_ report: CheckReport) -> String {
    let broken = report.checks.reduce(0) { $0 + $1.violations.count }
    let limits = report.checks.reduce(0) { $0 + $1.results.count }
    let state =
      broken > 0
      ? "❌ \(broken) of \(Formatted.count(limits, "limit")) exceeded"
      : report.isOK
        ? "✅ \(Formatted.count(limits, "limit")) kept" : "❌ \(Formatted.count(report.failures.count, "failure"))"
    var text = "## LiveView diffs: \(state)\n"
    for failure in report.failures { text += "\n> ❌ \(Markdown.escaped(failure))\n" }
    for check in report.checks { text += sectionText(check) }
    for warning in report.warnings { text += "\n> ⚠️ \(Markdown.escaped(warning))\n" }
    return text
  }

  private static func sectionText(_ check: Check) -> String {
    let measurement = check.measurement
    var text = """

      ### \(Markdown.escaped(measurement.name))

      | event | diffs | bytes | largest | nodes | waste | idle re-renders | p95 |
      |---|--:|--:|--:|--:|--:|--:|--:|

      """
    text += rowText("all diffs", measurement.summary())
    for (cause, scope) in measurement.scopesOfCauses {
      text += rowText(Markdown.escaped(cause.name), scope.summary)
    }
    text += """

      | | limit | measured | permitted |
      |---|---|--:|--:|

      """
    for result in check.results {
      let sign = result.violation != nil ? "❌" : result.measured == nil ? "–" : "✅"
      text += "| \(sign) | \(Markdown.escaped(result.title)) | \(result.measuredText) | \(result.limitText) |\n"
    }
    for result in check.violations {
      guard let violation = result.violation else { continue }
      text += "\n**\(Markdown.escaped(result.title))**: \(result.measuredText), \(result.limitText)\n\n"
      for line in violation.lines(of: result) { text += "- \(Markdown.escaped(line))\n" }
    }
    return text
  }

  private static func rowText(_ name: String, _ summary: DiffSummary) -> String {
    "| \(([name] + summary.cells(Formatted.bytes)).joined(separator: " | ")) |\n"
  }
}

/// Text in Markdown.
enum Markdown {
  /// Escapes text so that it is shown as it is, on one line, also in the cell of a table.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "|", "#", "~", "!", "@": "\\\(scalar)"
      case "<": "&lt;"
      case ">": "&gt;"
      case "&": "&amp;"
      case "\n", "\r", "\t": " "
      case _ where scalar.isUnseen: "\u{FFFD}"
      default: String(scalar)
      }
    }.joined()
  }
}
