package import MarkupDocument

/// A measured recording compared with a budget. `check` makes one for each recording.
package struct Check: Sendable {
  /// One limit with the measured value.
  package struct Result: Sendable {
    package var subject: Subject
    package var rule: BudgetRule
    package var limit: Double
    package var origin: Budget.Origin
    /// The measured value; `nil` if the recording has nothing to measure, such as no times.
    package var measured: Double?
    /// Whether every part of the recording has a limit of its own, so that this limit of the whole
    /// applies to no part.
    package var isReplaced = false
    /// `nil` if the limit is kept.
    package var violation: Violation?

    /// The name of the limit: `inc: bytes of a diff`, or `bytes of a diff` for the whole recording.
    package var title: String { subject.name.map { "\($0): \(rule.title)" } ?? rule.title }

    /// The key of the limit in the budget: `events.inc.bytes`.
    package var key: String { subject.key(of: rule) }

    /// `412 B`, or the reason why there is no value.
    package var measuredText: String { measured.map(rule.text) ?? (isReplaced ? "limited by part" : "not measured") }

    /// `at most 200 B`.
    package var limitText: String { "at most \(rule.text(limit))" }
  }

  /// Where a limit is exceeded.
  package struct Violation: Sendable, Hashable {
    /// The version that exceeds the limit most, or first; `nil` for a frame that made no version.
    package var viewVersion: ViewVersion?
    /// The cause of this version; `nil` for a mount.
    package var cause: DiffCause?
    /// The number of further diffs that exceed the limit.
    package var others = 0
    /// What was found, as sentences without a full stop; at most ``listedDetails``.
    package var details: [String] = []
    /// The number of findings that are not in ``details``.
    package var more = 0
    /// The line of the app, if it is known.
    package var source: SourceLocation?
    /// What the developer of the app can do.
    package var advice = ""

    static let listedDetails = 5
  }

  package let measurement: Measurement
  /// In the order of the budget's limits.
  package let results: [Result]

  package init(_ measurement: Measurement, within budget: Budget) {
    self.measurement = measurement
    // The rules of a subject have the same scope, unless parts are exempt.
    var scopes: [Subject: Scope] = [:]
    results = budget.ordered.compactMap { subject, rule, limit in
      limit.value.map { value in
        let whole = scopes[subject] ?? measurement.scope(of: subject)
        scopes[subject] = whole
        let exempt = budget.exempt(from: subject, rule, limit)
        let scope = exempt.isEmpty ? whole : measurement.scope(of: subject, without: exempt)
        let measured = scope.measured(rule, of: measurement)
        let isReplaced = measured == nil && whole.measured(rule, of: measurement) != nil
        let isExceeded = measured.map { $0 > value + Self.tolerance } ?? false
        return Result(
          subject: subject, rule: rule, limit: value, origin: limit.origin, measured: measured, isReplaced: isReplaced,
          violation: isExceeded ? scope.violation(of: rule, limit: value, in: measurement) : nil)
      }
    }
  }

  /// A value may exceed a limit by this, because shares such as 0.1 have no exact binary form.
  static let tolerance = 1e-9

  /// The limits that are exceeded.
  package var violations: [Result] { results.filter { $0.violation != nil } }
}

extension Budget {
  /// The parts that have a limit of their own, and are therefore exempt from a limit of the whole
  /// recording. None is exempt from a flag.
  fileprivate func exempt(from subject: Subject, _ rule: BudgetRule, _ limit: Limit) -> [Subject] {
    guard subject == .all, limit.origin != .flag, rule.parts == .replacing || rule.parts == .views else { return [] }
    return limits.filter { $0.key != .all && $0.value[rule] != nil }.map(\.key)
  }
}

/// The outcome of a run of `check`: the checked recordings, failures and warnings.
package struct CheckReport: Sendable {
  package var checks: [Check]
  /// What ends the run with an error besides limits that are exceeded, such as a step that has
  /// failed. Each begins with its place, if it has one: `steps.yml:2: …`.
  package var failures: [String]
  /// What is probably wrong with the budget.
  package var warnings: [String]

  /// - Parameters:
  ///   - checks: the recordings that could be read.
  ///   - budget: the budget with the limits of flags.
  ///   - name: the name of the budget's file; `nil` if there is no file and no limit as a flag.
  ///   - isStrict: whether each limit that could not be checked is a failure. Otherwise only a
  ///     limit whose subject occurs in no recording is mentioned, as a warning.
  ///   - failures: what has failed before the recordings were checked.
  package init(_ checks: [Check], within budget: Budget, of name: String?, isStrict: Bool, failures: [String] = []) {
    self.checks = checks
    let file = name ?? "the budget"
    let unknown = budget.unknownSubjects(in: checks.map(\.measurement))
    var gaps = unknown.map { "\(file): no recording has \($0.description), so its limits were not checked" }
    if isStrict, !checks.isEmpty, checks.allSatisfy(\.measurement.diffs.isEmpty) {
      // Without a diff, all other gaps have this cause, so only this one is reported.
      gaps = checks.map { "\($0.measurement.name): the recording has no diff, so nothing was checked" }
    } else if isStrict {
      if name == nil { gaps.append("there is no budget: write one with --update, or name it with --budget") }
      for check in checks where check.measurement.diffs.isEmpty {
        gaps.append("\(check.measurement.name): the recording has no diff, so nothing was checked")
      }
      let limited = budget.ordered.filter { $0.limit.value != nil && !unknown.contains($0.subject) }
      for (subject, rule, limit) in limited
      where !checks.contains(where: { $0.measurement.measures(rule, of: subject) }) {
        let place = if case .file = limit.origin { limit.origin.text(of: rule) } else { file }
        gaps.append("\(place): \(subject.key(of: rule)): no recording has a value of this limit\(rule.gapReason)")
      }
    }
    (self.failures, warnings) = isStrict ? (failures + gaps, []) : (failures, gaps)
  }

  /// Whether every limit is kept, and nothing has failed.
  package var isOK: Bool { failures.isEmpty && checks.allSatisfy(\.violations.isEmpty) }
}

extension BudgetRule {
  /// Why a recording may have no value.
  fileprivate var gapReason: String {
    unit == .milliseconds ? ", because it has no times or no frames of the client" : ""
  }
}
