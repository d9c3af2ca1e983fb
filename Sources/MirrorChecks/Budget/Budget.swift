/// Limits for recordings: for a recording as a whole, and for parts of it, such as the diffs of one
/// event. ``BudgetReader`` reads a budget from a file, and ``Check`` compares a measurement with
/// the budget. A subject must only have limits that ``Subject/permits(_:)`` permits.
package struct Budget: Sendable, Hashable {
  /// A limit, with the place that states it.
  package struct Limit: Sendable, Hashable {
    /// The largest permitted value, in the unit of the rule; `nil` permits any value.
    package var value: Double?
    package var origin: Origin

    package init(_ value: Double?, from origin: Origin) { (self.value, self.origin) = (value, origin) }
  }

  /// The place that states a limit.
  package enum Origin: Sendable, Hashable {
    /// A line of a file.
    case file(String, line: Int)
    /// A flag of the command.
    case flag
    /// The default budget, ``Budget/standard``: it permits none of the faults of
    /// ``BudgetRule/isFault``.
    case standard
  }

  package var limits: [Subject: [BudgetRule: Limit]]

  /// The budget without a file: no faults.
  package static let standard = Budget(
    limits: [
      .all: Dictionary(
        uniqueKeysWithValues: BudgetRule.allCases.filter(\.isFault).map { ($0, Limit(0, from: .standard)) })
    ])

  /// A copy of this budget, in which the limits of flags replace those for the whole recording. A
  /// limit of `nil` permits any value.
  package func with(_ limits: [BudgetRule: Double?]) -> Budget {
    var budget = self
    for (rule, value) in limits { budget.limits[.all, default: [:]][rule] = Limit(value, from: .flag) }
    return budget
  }

  /// The limits in the order in which they are reported: subjects in the order of ``Subject``,
  /// rules in that of ``BudgetRule``.
  package var ordered: [(subject: Subject, rule: BudgetRule, limit: Limit)] {
    limits.sorted { $0.key < $1.key }.flatMap { subject, limits in
      BudgetRule.allCases.compactMap { rule in limits[rule].map { (subject, rule, $0) } }
    }
  }

  /// The limited subjects that occur in no recording: nearly always a typing error, or an event
  /// that has another name now.
  package func unknownSubjects(in measurements: [Measurement]) -> [Subject] {
    limits.keys.filter { subject in subject != .all && !measurements.contains { $0.has(subject) } }.sorted()
  }
}

extension Budget.Origin {
  /// `mirror.yml:3`, `--bytes`, or empty for the standard budget.
  package func text(of rule: BudgetRule) -> String {
    switch self {
    case .file(let name, let line): "\(name):\(line)"
    case .flag: rule.flag
    case .standard: ""
    }
  }
}
