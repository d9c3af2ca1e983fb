/// Limits for what recordings may do: for all diffs, and for the diffs with one cause.
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
    /// Without a budget, the faults of ``Rule/isFault`` are not permitted.
    case standard
  }

  /// The limits of all diffs.
  package var all: [Rule: Limit]
  /// The limits of the diffs with one cause.
  package var causes: [DiffCause: [Rule: Limit]] = [:]

  /// The budget without a file: no faults.
  package static let standard = Budget(
    all: Dictionary(uniqueKeysWithValues: Rule.allCases.filter(\.isFault).map { ($0, Limit(0, from: .standard)) }))

  /// The budget with limits of flags, which take precedence for all diffs. `nil` permits any value.
  package func with(_ limits: [Rule: Double?]) -> Budget {
    var budget = self
    for (rule, value) in limits { budget.all[rule] = Limit(value, from: .flag) }
    return budget
  }

  /// The limits in the order in which they are reported: all diffs, events by name, server pushes; rules in the order of ``Rule``.
  package var limits: [(cause: DiffCause?, rule: Rule, limit: Limit)] {
    func rules(of cause: DiffCause?, _ limits: [Rule: Limit]) -> [(cause: DiffCause?, rule: Rule, limit: Limit)] {
      Rule.allCases.compactMap { rule in limits[rule].map { (cause, rule, $0) } }
    }
    return rules(of: nil, all) + causes.sorted { $0.key < $1.key }.flatMap { rules(of: $0.key, $0.value) }
  }

  /// The limited causes that occur in no recording: nearly always a typing error in the name of an event.
  package func unknownCauses(in measurements: [Measurement]) -> [DiffCause] {
    let known = measurements.reduce(into: Set<DiffCause>()) { $0.formUnion($1.causes) }
    return causes.keys.filter { !known.contains($0) }.sorted()
  }
}

extension Budget.Origin {
  /// `mirror.yml:3`, `--bytes`, or empty for the standard budget.
  package func text(of rule: Rule) -> String {
    switch self {
    case .file(let name, let line): "\(name):\(line)"
    case .flag: rule.flag
    case .standard: ""
    }
  }
}
