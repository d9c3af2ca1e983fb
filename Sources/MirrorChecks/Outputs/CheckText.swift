internal import LiveViewMirror
internal import MirrorSupport

/// A check as text for a terminal:
///
///     session.har  1 view, 48 diffs, 3 events
///
///                  diffs   bytes  largest  nodes   waste  idle    p95
///       all diffs     48  12,345    1,234    123  12.5 %   3 %  12 ms
///       inc           12   2,208      412     24     0 %   0 %   9 ms
///
///       ✗ inc: bytes of a diff  412 B  at most 200 B  mirror.yml:9
///           v7 of lv:phx-F1 (inc), and 2 more diffs
///         → Assign only what changed, …
///       ✓ duplicate ids             0  at most 0
///
/// `check` prints it without `--json`.
package struct CheckText {
  private let check: Check
  private let style: TextStyle

  /// The number of causes that have a row.
  private static let listedCauses = 20

  package init(_ check: Check, style: TextStyle) { (self.check, self.style) = (check, style) }

  /// With a line feed at the end.
  package var text: String { "\(heading)\n\n\(figures)\n\(limits)" }

  /// The last lines about a run: each exceeded limit with its key in the budget, each other
  /// failure, and a summary.
  package static func conclusion(_ report: CheckReport, style: TextStyle) -> String {
    let checks = report.checks
    let results = checks.flatMap(\.results)
    let (broken, limits) = (results.count { $0.violation != nil }, results.count)
    let unmeasured = results.count { $0.measured == nil && !$0.isReplaced }
    let files = checks.count == 1 ? "" : " in \(checks.count) recordings"
    if !report.isOK {
      let exceeded = broken > 0 ? ["\(broken) of \(Formatted.count(limits, "limit")) exceeded\(files)"] : []
      let failed = report.failures.isEmpty ? [] : [Formatted.count(report.failures.count, "failure")]
      let reasons = report.failures.map { "  \(Terminal.line($0))\n" }.joined()
      return failures(of: checks, style) + reasons + (reasons.isEmpty ? "" : "\n")
        + style.red("✗ \((exceeded + failed).joined(separator: ", "))") + "\n"
    }
    if checks.allSatisfy(\.measurement.diffs.isEmpty) {
      return style.dim("– No diff to check\(files): only mounts, or nothing, were recorded") + "\n"
    }
    if unmeasured > 0 {
      let kept = Formatted.count(limits - unmeasured, "limit")
      return style.green("✓ \(kept) kept\(files)") + style.dim(", \(unmeasured) not measured") + "\n"
    }
    if limits == 0 { return style.dim("– No limit to check\(files)") + "\n" }
    return style.green("✓ \(limits == 1 ? "The limit is" : "All \(limits) limits are") kept\(files)") + "\n"
  }

  /// A line for each exceeded limit: its key, the values, the recording if there are several, and
  /// where the limit is stated.
  private static func failures(of checks: [Check], _ style: TextStyle) -> String {
    var table = TextTable(rightColumns: [1])
    for check in checks {
      for result in check.violations {
        table.add([
          .init(text: Terminal.line(result.key)), .init(text: result.measuredText), .init(text: result.limitText),
          .init(text: Terminal.line(result.origin.text(of: result.rule)), paint: style.dim),
          .init(text: checks.count > 1 ? Terminal.line(check.measurement.name) : "", paint: style.dim),
        ])
      }
    }
    return checks.contains { !$0.violations.isEmpty } ? table.text(indent: "  ") + "\n" : ""
  }

  private var heading: String {
    let measurement = check.measurement
    let events = measurement.causes.count { $0 != .serverPush }
    return style.bold(Terminal.line(measurement.name))
      + style.dim(
        "  \(Formatted.count(measurement.views.count, "view")), \(Formatted.count(measurement.diffs.count, "diff")), "
          + Formatted.count(events, "event"))
  }

  // MARK: - Figures

  private var figures: String {
    var table = TextTable(rightColumns: Set(1...7))
    table.add(["", "diffs", "bytes", "largest", "nodes", "waste", "idle", "p95"], style.dim)
    table.add(row("all diffs", check.measurement.summary()))
    let causes = check.measurement.scopesOfCauses
    for (cause, scope) in causes.prefix(Self.listedCauses) {
      table.add(row(Terminal.line(cause.name), scope.summary))
    }
    let more = causes.count - Self.listedCauses
    return table.text(indent: "  ") + (more > 0 ? style.dim("  and \(Formatted.count(more, "more event"))\n") : "")
  }

  private func row(_ name: String, _ summary: DiffSummary) -> [String] {
    [Self.shortened(name)] + summary.cells { Formatted.grouped($0) }
  }

  // MARK: - Limits

  private var limits: String {
    var table = TextTable(rightColumns: [1])
    for result in check.results {
      let isBroken = result.violation != nil
      let isMeasured = result.measured != nil
      let sign = isBroken ? "✗" : isMeasured ? "✓" : "–"
      let paint = isBroken ? style.red : isMeasured ? style.green : style.dim
      table.add([
        .init(
          text: "\(sign) \(title(of: result))",
          paint: isBroken ? paint : { paint(String($0.prefix(1))) + $0.dropFirst() }),
        .init(text: result.measuredText, paint: isBroken ? style.bold : isMeasured ? { $0 } : style.dim),
        .init(text: result.limitText),
        .init(text: Terminal.line(result.origin.text(of: result.rule)), paint: style.dim),
      ])
    }
    let lines = table.text(indent: "  ").split(separator: "\n", omittingEmptySubsequences: false)
    // The advice about a rule is given once.
    var advised: Set<BudgetRule> = []
    return zip(check.results, lines).map { result, line in
      guard let violation = result.violation else { return "\(line)\n" }
      let isFirst = advised.insert(result.rule).inserted
      return "\(line)\n" + explanation(of: violation, isFirst ? violation.advice : nil)
    }.joined()
  }

  private func title(of result: Check.Result) -> String {
    guard let name = result.subject.name else { return result.rule.title }
    return "\(Self.shortened(Terminal.line(name))): \(result.rule.title)"
  }

  /// Names of events can be long. A row should fit into a terminal.
  static func shortened(_ name: String) -> String { name.count > 24 ? name.prefix(23) + "…" : name }

  private func explanation(of violation: Check.Violation, _ advice: String?) -> String {
    let indent = "      "
    var text = violation.placeText.map { style.wrapped(Terminal.line($0), after: indent) } ?? ""
    for detail in violation.details { text += style.wrapped(Terminal.line(detail), after: indent) }
    if violation.more > 0 { text += "\(indent)and \(Formatted.grouped(violation.more)) more\n" }
    return text + (advice.map { style.wrapped($0, after: "    → ", style.dim) } ?? "")
  }
}

extension DiffSummary {
  /// The cells of a row: diffs, bytes, the largest diff, nodes, waste, idle re-renders, and the
  /// 95th percentile of the latencies.
  ///
  /// - Parameter size: the text of a number of bytes.
  func cells(_ size: (Int) -> String) -> [String] {
    [
      Formatted.grouped(diffs), size(bytes), size(largestBytes), Formatted.grouped(nodes),
      waste.map(Formatted.percent) ?? "–", idleShare.map(Formatted.percent) ?? "–",
      latency(percentile: 95).map { BudgetRule.latencyP95.text($0) } ?? "–",
    ]
  }
}

extension Check.Violation {
  /// `v7 of lv:phx-F1 (inc), and 2 more diffs`; `nil` without a version.
  var placeText: String? {
    viewVersion.map { $0.text(cause) + (others > 0 ? ", and \(Formatted.count(others, "more diff"))" : "") }
  }
}

extension ViewVersion {
  /// `v7 of lv:phx-F1 (inc)`, or `the mount of lv:phx-F1`; the number of the mount if it is not the
  /// first.
  func text(_ cause: DiffCause?) -> String {
    if version == 0 { return epoch == 1 ? "the mount of \(view)" : "mount \(epoch) of \(view)" }
    let mount = epoch == 1 ? "" : " after mount \(epoch)"
    return "v\(version) of \(view)\(mount)" + (cause.map { $0 == .serverPush ? " \($0.name)" : " (\($0.name))" } ?? "")
  }
}
