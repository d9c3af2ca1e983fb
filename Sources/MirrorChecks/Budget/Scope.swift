internal import MarkupDocument

/// The diffs that one limit is about.
struct Scope {
  let diffs: [MeasuredDiff]
  let summary: DiffSummary

  /// - Parameter emptyAnswers: the latencies of events that were answered without a diff.
  init(_ diffs: [MeasuredDiff] = [], emptyAnswers: [Double] = []) {
    self.diffs = diffs
    summary = DiffSummary(diffs, emptyAnswers: emptyAnswers)
  }

  /// The value of a rule; `nil` if there is nothing to measure.
  func measured(_ rule: Rule, of measurement: Measurement) -> Double? {
    switch rule {
    case .bytes: diffs.isEmpty ? nil : Double(summary.largestBytes)
    case .nodes: diffs.isEmpty ? nil : Double(summary.mostNodes)
    case .waste: summary.waste
    case .idleRenders: summary.idleShare
    case .latencyP50: summary.latency(percentile: 50)
    case .latencyP95: summary.latency(percentile: 95)
    case .latencyP99: summary.latency(percentile: 99)
    case .resentLists: Double(summary.resentLists)
    case .lostIdentities: Double(summary.lostIdentities)
    case .duplicateIDs: Double(measurement.duplicateIDs.count)
    case .rejected: Double(measurement.rejectedFrames)
    case .clientThrows: Double(measurement.clientThrows.count)
    }
  }

  /// Where a limit is exceeded.
  func violation(of rule: Rule, limit: Double, in measurement: Measurement) -> Check.Violation {
    switch rule {
    case .bytes: violation(above: limit) { Double($0.bytes) }
    case .nodes: violation(above: limit) { Double($0.nodes) }
    case .latencyP50, .latencyP95, .latencyP99: violation(above: limit) { $0.latency ?? 0 }
    case .waste: wasteViolation(in: measurement)
    case .idleRenders: Check.Violation(largest { Double($0.idleRenders) })
    case .resentLists:
      findings(\.resentLists, text: \.description) { $0.source }
    case .lostIdentities:
      findings(\.lostIdentities, text: \.description) { _ in nil }
    case .duplicateIDs: violation(measurement.duplicateIDs)
    case .rejected: rejectionViolation(in: measurement)
    case .clientThrows: violation(measurement.clientThrows)
    }
  }

  /// The first of the diffs with the largest value.
  private func largest(_ value: (MeasuredDiff) -> Double) -> MeasuredDiff? {
    diffs.max { (value($0), $1.place.version) < (value($1), $0.place.version) }
  }

  private func violation(above limit: Double, _ value: (MeasuredDiff) -> Double) -> Check.Violation {
    var violation = Check.Violation(largest(value))
    violation.others = max(0, diffs.count { value($0) > limit + Check.tolerance } - 1)
    return violation
  }

  private func wasteViolation(in measurement: Measurement) -> Check.Violation {
    var violation = Check.Violation(largest { Double($0.wastedBytes) })
    violation.list(
      measurement.wastedSlots.map { slot in
        let place = slot.source.map { " (\($0.file):\($0.line))" } ?? ""
        return "slot \(slot.slot)\(place): \(Rule.bytes.text(Double(slot.bytes))) without effect"
      })
    violation.source = measurement.wastedSlots.first?.source
    return violation
  }

  private func findings<Finding>(
    _ findings: (MeasuredDiff) -> [Finding], text: (Finding) -> String, source: (Finding) -> SourceLocation?
  ) -> Check.Violation {
    let found = diffs.filter { !findings($0).isEmpty }
    var violation = Check.Violation(found.first)
    violation.others = max(0, found.count - 1)
    violation.list(found.flatMap { diff in findings(diff).map { "v\(diff.place.version): \(text($0))" } })
    violation.source = found.flatMap(findings).compactMap(source).first
    return violation
  }

  private func violation(_ faults: [Measurement.Fault]) -> Check.Violation {
    var violation = Check.Violation(place: faults.first?.place, cause: faults.first?.cause)
    violation.list(faults.map { "v\($0.place.version): \($0.text)" })
    return violation
  }

  private func rejectionViolation(in measurement: Measurement) -> Check.Violation {
    var violation = Check.Violation()
    violation.list(
      measurement.rejected.map { rejected in
        "frame \(rejected.frame)\(rejected.view.map { " of \($0)" } ?? ""): \(rejected.reason)"
      })
    violation.more = measurement.rejectedFrames - violation.details.count
    return violation
  }
}

extension Check.Violation {
  fileprivate init(_ diff: MeasuredDiff?) { self.init(place: diff?.place, cause: diff?.cause) }

  fileprivate mutating func list(_ details: [String]) {
    self.details = Array(details.prefix(Self.listedDetails))
    more = details.count - self.details.count
  }
}

extension ResentList: CustomStringConvertible {
  /// The list and what was sent of it.
  package var description: String {
    let place = source.map { " (\($0.file):\($0.line))" } ?? ""
    let name = "the list in slot \(slot.isEmpty ? "page" : slot)\(place)"
    return switch reason {
    case .shifted, .positional:
      "\(name) was sent again: \(entries) of \(Figures.count(count, "entry", "entries")) only moved"
    case .unchanged:
      "\(name) was sent whole: \(entries) of \(Figures.count(count, "entry", "entries")) had the same values"
    }
  }
}

extension LostIdentity: CustomStringConvertible {
  /// The element before and after.
  package var description: String {
    oldTag == newTag
      ? "<\(oldTag)#\(id)> was removed and added again" : "<\(oldTag)#\(id)> was removed, and <\(newTag)#\(id)> added"
  }
}

extension Measurement {
  /// All diffs.
  var scope: Scope { Scope(diffs, emptyAnswers: emptyAnswers.values.flatMap(\.self)) }

  /// The diffs of each cause.
  ///
  /// - Complexity: O(*n* log *n*) for *n* diffs.
  var scopes: [DiffCause: Scope] {
    let diffs = Dictionary(grouping: diffs, by: \.cause)
    return Dictionary(
      uniqueKeysWithValues: Set(diffs.keys).union(emptyAnswers.keys).map { cause in
        (cause, Scope(diffs[cause] ?? [], emptyAnswers: emptyAnswers[cause] ?? []))
      })
  }

  /// As ``scopes``, in the order of ``causes``.
  var scopesInOrder: [(cause: DiffCause, scope: Scope)] {
    scopes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
