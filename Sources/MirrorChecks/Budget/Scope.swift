internal import MarkupDocument
internal import MirrorSupport

/// The diffs, mounts and latencies that one limit is about. ``Check`` measures the limits of a
/// subject in it. ``summary`` also has the latencies of answers without a diff, which ``diffs``
/// does not contain.
struct Scope {
  let diffs: [MeasuredDiff]
  let mounts: [MeasuredMount]
  let summary: DiffSummary

  init(_ diffs: [MeasuredDiff], mounts: [MeasuredMount], emptyAnswers: [EmptyAnswer]) {
    (self.diffs, self.mounts) = (diffs, mounts)
    summary = DiffSummary(diffs, mounts: mounts, emptyAnswers: emptyAnswers)
  }

  /// The value of a rule; `nil` if there is nothing to measure.
  func measured(_ rule: BudgetRule, of measurement: Measurement) -> Double? {
    switch rule {
    case .mountBytes: mounts.isEmpty ? nil : Double(summary.largestMount)
    case .diffs: Double(summary.diffs)
    case .totalBytes: Double(summary.bytes)
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
    case .rejected: Double(measurement.rejectedFrameCount)
    case .clientThrows: Double(measurement.clientThrows.count)
    case .versionSkew: Double(measurement.versionSkews.count)
    }
  }

  /// Where a limit is exceeded.
  func violation(of rule: BudgetRule, limit: Double, in measurement: Measurement) -> Check.Violation {
    var violation = firstViolation(of: rule, limit: limit, in: measurement)
    violation.advice = rule.advice(
      isPositional: diffs.contains { $0.resentLists.contains { $0.reason == .positional } })
    return violation
  }

  private func firstViolation(of rule: BudgetRule, limit: Double, in measurement: Measurement) -> Check.Violation {
    switch rule {
    case .mountBytes: Check.Violation(viewVersion: mounts.max { $0.bytes < $1.bytes }?.viewVersion)
    case .diffs: Check.Violation()
    case .totalBytes: Check.Violation(largest { Double($0.bytes) })
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
    case .versionSkew: violation(measurement.versionSkews)
    }
  }

  /// The first of the diffs with the largest value.
  private func largest(_ value: (MeasuredDiff) -> Double) -> MeasuredDiff? {
    diffs.max { (value($0), $1.viewVersion.version) < (value($1), $0.viewVersion.version) }
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
        return "slot \(slot.slot)\(place): \(BudgetRule.bytes.text(Double(slot.bytes))) without effect"
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
    violation.list(found.flatMap { diff in findings(diff).map { "v\(diff.viewVersion.version): \(text($0))" } })
    violation.source = found.flatMap(findings).compactMap(source).first
    return violation
  }

  private func violation(_ faults: [Measurement.Fault]) -> Check.Violation {
    var violation = Check.Violation(viewVersion: faults.first?.viewVersion, cause: faults.first?.cause)
    violation.list(faults.map { "v\($0.viewVersion.version): \($0.text)" })
    return violation
  }

  private func rejectionViolation(in measurement: Measurement) -> Check.Violation {
    var violation = Check.Violation()
    violation.list(
      measurement.rejected.map { rejected in
        "frame \(rejected.frame)\(rejected.view.map { " of \($0)" } ?? ""): \(rejected.reason)"
      })
    violation.more = measurement.rejectedFrameCount - violation.details.count
    return violation
  }
}

extension Check.Violation {
  fileprivate init(_ diff: MeasuredDiff?) { self.init(viewVersion: diff?.viewVersion, cause: diff?.cause) }

  fileprivate mutating func list(_ details: [String]) {
    self.details = Array(details.prefix(Self.listedDetails))
    more = details.count - self.details.count
  }
}

extension MeasuredResentList: CustomStringConvertible {
  /// The list and what was sent of it.
  package var description: String {
    let place = source.map { " (\($0.file):\($0.line))" } ?? ""
    let name = "the list in slot \(slot.isEmpty ? "page" : slot)\(place)"
    return switch reason {
    case .shifted, .positional:
      "\(name) was sent again: \(entries) of \(Formatted.count(count, "entry")) only moved"
    case .unchanged:
      "\(name) was sent whole: \(entries) of \(Formatted.count(count, "entry")) had the same values"
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
  /// Whether the recording has a diff, mount or answer that belongs to a subject.
  func has(_ subject: Subject) -> Bool {
    diffs.contains(where: subject.includes) || mounts.contains { subject.includes($0.origin) }
      || emptyAnswers.contains { subject.includes($0) }
  }

  /// Whether the recording has a value for a limit of a subject. Exempt parts count too.
  func measures(_ rule: BudgetRule, of subject: Subject) -> Bool { scope(of: subject).measured(rule, of: self) != nil }

  /// The diffs, mounts and latencies that belong to a subject.
  ///
  /// - Parameter exempt: parts with a limit of their own. Their answers without a diff still count,
  ///   because no part is exempt from a limit of latencies.
  /// - Complexity: O(*n* · *e*) for *n* diffs and *e* exempt parts, and O(*l* log *l*) for *l*
  ///   latencies.
  func scope(of subject: Subject, without exempt: [Subject] = []) -> Scope {
    Scope(
      diffs.filter { diff in subject.includes(diff) && !exempt.contains { $0.includes(diff) } },
      mounts: mounts.filter { mount in subject.includes(mount.origin) && !exempt.contains { $0.includes(mount.origin) }
      },
      emptyAnswers: emptyAnswers.filter { subject.includes($0) })
  }

  /// The scopes of all causes, in the order of ``causes``.
  var scopesOfCauses: [(cause: DiffCause, scope: Scope)] {
    causes.map { ($0, scope(of: .cause($0))) }
  }
}
