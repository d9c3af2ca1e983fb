internal import MirrorSupport

/// Two recordings of the same scenario, such as those of two branches. `compare` makes one from two
/// recorders. Both recorders must have kept the pages, otherwise ``divergence`` is always `nil`.
package struct Comparison: Sendable {
  /// What the diffs with one cause cost in both recordings.
  package struct Row: Sendable, Hashable {
    /// The whole recording, or a cause.
    package var subject: Subject
    package var before: DiffSummary
    package var after: DiffSummary

    /// The name for readers.
    package var name: String { subject.name ?? "all diffs" }

    /// The cause of the diffs; `nil` for the row of all diffs.
    package var cause: DiffCause? { if case .cause(let cause) = subject { cause } else { nil } }

    /// The measures that at least one of the two recordings has.
    package var values: [Value] {
      Measure.allCases.compactMap { measure in
        let (before, after) = (measure.value(of: before), measure.value(of: after))
        return before == nil && after == nil ? nil : Value(measure: measure, before: before, after: after)
      }
    }

    /// The values that readers see. The row of the whole recording shows all values, and the row of
    /// a cause shows those that have changed. The row of a cause that only one recording has is
    /// limited to the number of diffs and the bytes.
    package var shownValues: [Value] {
      if cause == nil { return values }
      let isOnlyInOne = before.diffs == 0 || after.diffs == 0
      return values.filter { $0.hasChanged && (!isOnlyInOne || [.diffs, .bytes].contains($0.measure)) }
    }
  }

  /// One measure of both recordings.
  package struct Value: Sendable, Hashable {
    package var measure: Measure
    /// `nil` if the recording has nothing to measure.
    package var before: Double?
    package var after: Double?

    /// The difference; `nil` if one of the values is missing.
    package var difference: Double? {
      guard let before, let after else { return nil }
      return after - before
    }

    /// Whether the value has changed, as far as it is shown.
    package var hasChanged: Bool { beforeText != afterText }
    package var beforeText: String { before.map(measure.text) ?? "–" }
    package var afterText: String { after.map(measure.text) ?? "–" }

    /// `−88 B`, `+2`; `=` without a difference, and empty if one of the values is missing.
    package var differenceText: String {
      guard let difference else { return "" }
      if !hasChanged { return "=" }
      return (difference < 0 ? "−" : "+") + measure.text(difference.magnitude)
    }

    /// The difference relative to the value before: `−48 %`. Empty without a difference, and if the
    /// value before is 0.
    package var relativeText: String {
      guard let difference, let before, before > 0, hasChanged else { return "" }
      return (difference < 0 ? "−" : "+") + Formatted.grouped((difference.magnitude / before * 100)) + " %"
    }
  }

  /// What is compared. Smaller values are better, except for the number of diffs.
  package enum Measure: String, Sendable, Hashable, CaseIterable {
    case mountBytes = "mount_bytes"
    case diffs
    case bytes
    case nodes
    case waste
    case idleRenders = "idle_renders"
    case latencyP50 = "latency_p50"
    case latencyP95 = "latency_p95"

    /// A few words for readers.
    package var title: String {
      switch self {
      case .mountBytes: "largest mount"
      case .diffs: "diffs"
      case .bytes: "bytes"
      case .nodes: "changed nodes"
      case .waste: "bytes without effect"
      case .idleRenders: "idle re-renders"
      case .latencyP50: "latency p50"
      case .latencyP95: "latency p95"
      }
    }

    func value(of summary: DiffSummary) -> Double? {
      switch self {
      case .mountBytes: summary.mounts > 0 ? Double(summary.largestMount) : nil
      case .diffs: Double(summary.diffs)
      case .bytes: Double(summary.bytes)
      case .nodes: Double(summary.nodes)
      case .waste: Double(summary.wastedBytes)
      case .idleRenders: Double(summary.idleRenders)
      case .latencyP50: summary.latency(percentile: 50)
      case .latencyP95: summary.latency(percentile: 95)
      }
    }

    func text(_ value: Double) -> String {
      switch self {
      case .diffs, .nodes, .idleRenders: Formatted.grouped(value)
      case .mountBytes, .bytes, .waste: Formatted.bytes(Int(value))
      case .latencyP50, .latencyP95: "\(Formatted.tenths(value)) ms"
      }
    }
  }

  /// Sets ``failures``, with which `compare --max-increase` fails: the values that have increased
  /// by more than a share, such as `bytes of inc: 51 B → 90 B (+76 %)`, and the causes that have
  /// diffs only in the recording before. Latencies are not compared, because they depend on the
  /// machine.
  ///
  /// - Parameter share: such as 0.1 for 10 %.
  package mutating func limit(increasesTo share: Double) {
    if let all = rows.first, all.before.diffs > 0, all.after.diffs == 0 {
      failures = ["\(after.name) has no diff"]
      return
    }
    failures = rows.flatMap { row in
      if row.before.diffs > 0, row.after.diffs == 0 { return ["\(after.name) has no diff of \(row.name)"] }
      // An event that is new has no value before. Its diffs count only in the row of all diffs.
      if row.cause != nil, row.before.diffs == 0 { return [] }
      return row.values.compactMap { value in
        guard value.measure != .latencyP50, value.measure != .latencyP95, let before = value.before,
          let after = value.after, after > before * (1 + share) + Check.tolerance
        else { return nil }
        let relative = value.relativeText.isEmpty ? "" : " (\(value.relativeText))"
        return "\(value.measure.title) of \(row.name): \(value.beforeText) → \(value.afterText)\(relative)"
      }
    }
  }

  /// The increases and missing diffs that ``limit(increasesTo:)`` has found; empty before the call.
  package private(set) var failures: [String] = []
  package let before: Measurement
  package let after: Measurement
  /// The whole recording first, then each cause that at least one of the recordings has.
  package let rows: [Row]
  /// `nil` if all versions that both recordings have show the same pages.
  package let divergence: Divergence?
  /// The views, mounts and diffs that only one of the recordings has, as sentences.
  package let unmatched: [String]

  /// - Parameters:
  ///   - before: the measurement before the change, with the recorder that has kept its pages.
  ///   - after: the measurement after the change, with its recorder.
  package init(
    _ before: (recorder: Recorder, measurement: Measurement), _ after: (recorder: Recorder, measurement: Measurement)
  ) {
    (self.before, self.after) = (before.measurement, after.measurement)
    let (old, new) = (before.measurement, after.measurement)
    let subjects = [Subject.all] + Set(old.causes).union(new.causes).sorted().map(Subject.cause)
    rows = subjects.map { Row(subject: $0, before: old.scope(of: $0).summary, after: new.scope(of: $0).summary) }
    let alignment = Alignment(before.recorder.playbacks, after.recorder.playbacks)
    divergence = alignment.divergence
    unmatched = alignment.unmatched
  }
}
