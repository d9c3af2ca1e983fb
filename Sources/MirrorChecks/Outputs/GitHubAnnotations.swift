internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport

/// Checks as workflow commands of GitHub Actions, one line for each exceeded limit:
///
///     ::error file=lib/shop_live.ex,line=12,title=inc%3A bytes of a diff::412 B, at most 200 B (mirror.yml:9)%0A…
///
/// A command names the line of the app if the recording has HEEx's debug annotations, or else the
/// line of the budget. GitHub shows the message beside that line of a pull request, and in the
/// summary of the run. `check --github` prints them. `compare --github` only prints the lines of
/// ``error(_:)``.
package enum GitHubAnnotations {
  /// The lines about exceeded limits and warnings, each with a line feed. The report's failures are
  /// not among these: the commands write a line of ``error(_:)`` for each failure.
  package static func text(_ report: CheckReport) -> String {
    let errors = report.checks.flatMap { check in
      check.results.compactMap { result in
        result.violation.map { violation in
          let origin = result.origin.text(of: result.rule)
          let limit =
            "\(result.measuredText), \(result.limitText) (\([result.key, origin].filter { !$0.isEmpty }.joined(separator: " at ")))"
          let message = [limit, "recording: \(check.measurement.name)"] + violation.findings + [violation.advice]
          return command("error", place(of: result, violation), title: result.title, message)
        }
      }
    }
    let warnings = report.warnings.map { command("warning", [], title: "liveview-mirror", [$0]) }
    return (errors + warnings).joined()
  }

  /// The line about an error because of which `check` or `compare` itself failed. If the error
  /// begins with a place, such as `steps.yml:2: …`, GitHub shows the error at that place.
  package static func error(_ message: String) -> String {
    let parts = message.split(separator: ":", maxSplits: 3)
    var place: [(name: String, value: String)] = []
    if parts.count > 2, Int(parts[1]) != nil {
      place = [("file", String(parts[0])), ("line", String(parts[1]))]
      if Int(parts[2]) != nil { place.append(("col", String(parts[2]))) }
    }
    return command("error", place, title: "liveview-mirror", [message])
  }

  private static func place(
    of result: Check.Result, _ violation: Check.Violation
  ) -> [(name: String, value: String)] {
    if let source = violation.source { return [("file", source.file), ("line", String(source.line))] }
    if case .file(let name, let line) = result.origin { return [("file", name), ("line", String(line))] }
    return []
  }

  private static func command(
    _ name: String, _ place: [(name: String, value: String)], title: String, _ lines: [String]
  ) -> String {
    let properties = (place + [("title", title)]).map { "\($0.name)=\(escaped(property: Terminal.line($0.value)))" }
    // Control characters are escaped, because people also read the log in terminals.
    let message = lines.map(Terminal.line).joined(separator: "\n")
    return "::\(name) \(properties.joined(separator: ","))::\(escaped(data: message))\n"
  }

  /// Escapes a message as GitHub's own toolkit does.
  static func escaped(data text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: String(scalar)
      }
    }.joined()
  }

  /// Escapes the value of a property, in which a colon and a comma are separators.
  static func escaped(property text: String) -> String {
    escaped(data: text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
