internal import MarkupDocument
internal import NodeObservation

/// Lines for a terminal: how many subscribers an update called, how many calls two other strategies
/// would have made, and which bodies were evaluated. An update notifies each node once; the numbers
/// after `change by change` are the calls if each change notified separately, with those of the two
/// other strategies in parentheses. `=` marks a body with the same result as before.
/// ``ChangeRecord/description`` contains these lines:
///
///       subscriber calls: 3 (one subject: 194, whole document: 97); change by change 3 (194, 194)
///       body of <li#row-9>: attribute `class`
///     = body of <p>: a signal, idle
extension ChangeRecord {
  /// The maximum number of views that are named. The others are counted.
  private static let namedEvaluations = 5

  /// Empty for a mount, which notifies no subscribers of changes, and for an update that had no
  /// effect.
  var isolationLines: [String] {
    guard version > 0, !changeSet.isEmpty || isolation.views?.evaluations.isEmpty == false else { return [] }
    return ["  \(isolation)"] + (isolation.views.map(Self.lines) ?? [])
  }

  private static func lines(of views: IsolationReport.Views) -> [String] {
    let lines = views.evaluations.prefix(namedEvaluations).map(\.line)
    let more = views.evaluations.count - lines.count
    if more == 0 { return lines }
    let forNothing = views.forNothing - views.evaluations.prefix(namedEvaluations).count { $0.isForNothing }
    return lines + ["  and \(more) more\(forNothing == 0 ? "" : ", \(forNothing) of them idle")"]
  }
}

extension Evaluation {
  /// The evaluation as a line. The names of elements and some reasons come from the page, so they
  /// are escaped: they must not move the cursor.
  fileprivate var line: String {
    let why = reasons.map { Terminal.line($0.description) }.joined(separator: ", ")
    return "\(isForNothing ? "=" : " ") body of \(Terminal.line(element)): \(why)\(isForNothing ? ", idle" : "")"
  }
}
