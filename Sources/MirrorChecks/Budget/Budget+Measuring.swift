extension Budget {
  /// A budget with the measured values of some recordings, plus headroom, as limits. A limit stays
  /// as it is if no recording contains its subject or has a value for its rule, or if the limit is
  /// `any`. `check --update` writes the result into the file of the budget.
  ///
  /// - Parameters:
  ///   - measurements: the recordings. The measured value is the largest of all recordings.
  ///   - withLatencies: whether limits of latencies are written. Latencies depend on the machine,
  ///     so by default their limits stay as they are.
  package func updated(from measurements: [Measurement], withLatencies: Bool = false) -> Budget {
    var budget = self
    let causes = measurements.reduce(into: Set<DiffCause>()) { $0.formUnion($1.causes) }
    let rules = BudgetRule.allCases.filter { withLatencies || $0.unit != .milliseconds }
    let origins = measurements.reduce(into: Set<Subject>()) { $0.formUnion($1.mounts.compactMap(\.origin.subject)) }
    // A single limit follows the largest mount, and the mounts of other views could grow up to it.
    // So with several views, each view gets its own limit. The loop below replaces the 0.
    if origins.count > 1 {
      for origin in origins where budget.limits[origin]?[.mountBytes] == nil {
        budget.limits[origin, default: [:]][.mountBytes] = Limit(0, from: .flag)
      }
    }
    for subject in Set(budget.limits.keys).union(causes.map(Subject.cause)).union([.all]) {
      let scopes = measurements.filter { subject == .all || $0.has(subject) }.map { ($0, $0.scope(of: subject)) }
      for rule in rules where subject.permits(rule) {
        let old = budget.limits[subject]?[rule]
        let isOfEvent = !subject.isPartOfPages && BudgetRule.updatedPerCause.contains(rule)
        guard subject == .all || isOfEvent || old != nil else { continue }
        budget.limits[subject, default: [:]][rule] = updated(old, rule, scopes)
      }
    }
    return budget
  }

  private func updated(_ old: Limit?, _ rule: BudgetRule, _ scopes: [(Measurement, Scope)]) -> Limit? {
    if let old, old.value == nil { return old }
    let measured = scopes.compactMap { $1.measured(rule, of: $0) }.max()
    return measured.map { Limit(rule.withHeadroom($0), from: .flag) } ?? old
  }

  /// The limits that permit more than those of another budget, as `events.inc.bytes: 200 → 250`.
  package func loosened(since old: Budget) -> [String] {
    ordered.compactMap { subject, rule, limit in
      guard let before = old.limits[subject]?[rule], let least = before.value,
        limit.value.map({ $0 > least + Check.tolerance }) ?? true
      else { return nil }
      return "\(subject.key(of: rule)): \(LimitText.text(before, of: rule)) → \(LimitText.text(limit, of: rule))"
    }
  }
}

extension ViewOrigin {
  /// How the budget refers to a view: its module, or else its page, without the ids in the path;
  /// `nil` if both are unknown.
  fileprivate var subject: Subject? {
    if let module { return .module(module) }
    return page.map { path in
      let parts = path.split(separator: "/").map { $0.contains(where: \.isNumber) ? "*" : String($0) }
      return .page("/" + parts.joined(separator: "/"))
    }
  }
}

extension BudgetRule {
  /// The rules that an update writes for each event. Shares and percentiles of a single event vary
  /// too much between two recordings.
  fileprivate static let updatedPerCause: [BudgetRule] = [.bytes, .nodes, .diffs]

  /// The limit for a measured value. The headroom is 25 % for bytes, nodes and diffs, 5 percentage
  /// points for a share, and 50 % but at least 10 ms for a latency. A count of faults has no
  /// headroom.
  ///
  /// - Returns: at least `measured`.
  func withHeadroom(_ measured: Double) -> Double {
    switch unit {
    case .bytes: Self.roundedUp(measured * 1.25)
    case .count: isFault ? measured : Self.roundedUp(measured * 1.25)
    case .share: min(1, (measured * 100 + 5).rounded(.up) / 100)
    case .milliseconds: Self.roundedUp(max(measured * 1.5, measured + 10))
    }
  }

  /// Rounded up to two digits.
  private static func roundedUp(_ value: Double) -> Double {
    var unit = 1.0
    while value / unit >= 100 { unit *= 10 }
    return (value / unit).rounded(.up) * unit
  }
}
