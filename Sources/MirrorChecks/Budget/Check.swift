package import MarkupDocument

/// A measured recording compared with a budget.
package struct Check: Sendable {
  /// One limit with the measured value.
  package struct Result: Sendable {
    /// The diffs that the limit is about; `nil` for all.
    package var cause: DiffCause?
    package var rule: Rule
    package var limit: Double
    package var origin: Budget.Origin
    /// The measured value; `nil` if the recording has nothing to measure, such as no times.
    package var measured: Double?
    /// `nil` if the limit is kept.
    package var violation: Violation?

    /// The name of the limit: `inc: bytes of a diff`, or `bytes of a diff` for all diffs.
    package var title: String { cause.map { "\($0.name): \(rule.title)" } ?? rule.title }

    /// `412 B`, or `not measured`.
    package var measuredText: String { measured.map(rule.text) ?? "not measured" }

    /// `at most 200 B`.
    package var limitText: String { "at most \(rule.text(limit))" }
  }

  /// Where a limit is exceeded.
  package struct Violation: Sendable, Hashable {
    /// The version that exceeds the limit most, or first; `nil` for a frame that made no version.
    package var place: VersionPlace?
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

    static let listedDetails = 5
  }

  package let measurement: Measurement
  /// In the order of the budget's limits.
  package let results: [Result]

  package init(_ measurement: Measurement, within budget: Budget) {
    self.measurement = measurement
    let scopes = Scopes(measurement, budget)
    results = budget.limits.compactMap { cause, rule, limit in
      limit.value.map { value in
        let scope = scopes.scope(of: rule, cause)
        let measured = scope.measured(rule, of: measurement)
        let isExceeded = measured.map { $0 > value + Self.tolerance } ?? false
        return Result(
          cause: cause, rule: rule, limit: value, origin: limit.origin, measured: measured,
          violation: isExceeded ? scope.violation(of: rule, limit: value, in: measurement) : nil)
      }
    }
  }

  /// Shares such as 0.1 have no exact binary form.
  static let tolerance = 1e-9

  /// The limits that are exceeded.
  package var violations: [Result] { results.filter { $0.violation != nil } }
}

/// The diffs that each limit of a budget is about.
private struct Scopes {
  let measurement: Measurement
  let budget: Budget
  private let whole: Scope
  private let causes: [DiffCause: Scope]

  init(_ measurement: Measurement, _ budget: Budget) {
    self.measurement = measurement
    self.budget = budget
    (whole, causes) = (measurement.scope, measurement.scopes)
  }

  /// - Parameter cause: `nil` for all diffs, without those whose cause has a limit of its own.
  func scope(of rule: Rule, _ cause: DiffCause?) -> Scope {
    if let cause { return causes[cause] ?? Scope() }
    let replaced = rule.isReplacedByCause ? budget.causes.filter { $0.value[rule] != nil } : [:]
    if replaced.isEmpty { return whole }
    return Scope(measurement.diffs.filter { replaced[$0.cause] == nil })
  }
}
