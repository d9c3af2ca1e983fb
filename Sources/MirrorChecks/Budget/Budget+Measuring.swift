extension Budget {
  /// The budget that some recordings keep, with headroom. What the recordings do not measure keeps its limit: rules without a value,
  /// and events that they do not contain.
  ///
  /// - Parameter measurements: the recordings. The largest value of all is measured.
  package func updated(from measurements: [Measurement]) -> Budget {
    var budget = self
    let whole = measurements.map { ($0, $0.scope) }
    for rule in Rule.allCases { budget.all[rule] = updated(all[rule], rule, whole) }
    let scopes = measurements.map(\.scopes)
    for cause in scopes.reduce(into: Set<DiffCause>(), { $0.formUnion($1.keys) }) {
      let measured = zip(measurements, scopes).map { ($0, $1[cause] ?? Scope()) }
      for rule in Rule.updatedPerCause {
        let limit = updated(self.causes[cause]?[rule], rule, measured)
        budget.causes[cause, default: [:]][rule] = limit
      }
      // Other limits of the event are updated where the file has them.
      for (rule, limit) in self.causes[cause] ?? [:] where !Rule.updatedPerCause.contains(rule) {
        budget.causes[cause]?[rule] = updated(limit, rule, measured)
      }
    }
    return budget
  }

  private func updated(_ old: Limit?, _ rule: Rule, _ scopes: [(Measurement, Scope)]) -> Limit? {
    if let old, old.value == nil { return old }
    let measured = scopes.compactMap { $1.measured(rule, of: $0) }.max()
    return measured.map { Limit(rule.withHeadroom($0), from: .flag) } ?? old
  }
}

extension Rule {
  /// The rules that an update writes for each event. Shares and percentiles of a single event vary too much between two recordings.
  fileprivate static let updatedPerCause: [Rule] = [.bytes, .nodes]

  /// The limit for a measured value: a quarter more bytes and nodes, five points more of a share, half as much more latency but
  /// at least 10 ms. A count of faults has no headroom.
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
