/// The figures that a later run is compared with: only ratios, which are similar on all machines.
/// The command `run --check` of `MirrorBenchmarks` compares a run with
/// `docs/benchmarks/baseline.json`.
package struct Baseline: Sendable, Codable, Hashable {
  /// The figures `…OverReference` are times divided by the time of one diff of this page in the
  /// full pipeline of the same run.
  package static let referencePage = "a_counter"

  package var pages: [String: Ratios]
  /// The log-log slopes by series.
  package var growth: [String: Slopes]

  package struct Ratios: Sendable, Codable, Hashable {
    /// How many times faster a scoped update is than a full one.
    package var fullOverScoped: Double?
    package var scopedOverReference: Double?
    package var fullOverReference: Double?
    package var mountOverReference: Double?
    package var fullOverParse: Double?
    package var mountOverParse: Double?
    /// Not a ratio, but equal on all machines with the same library versions.
    package var scopedAllocations: Double?
  }

  package struct Slopes: Sendable, Codable, Hashable {
    package var full: Double?
    package var scoped: Double?
  }

  package init(_ report: BenchmarkReport) {
    let reference = report.pages.first { $0.name == Self.referencePage }?.full?.time.median
    func inReferences(_ time: Double?) -> Double? {
      guard let time, let reference, reference > 0 else { return nil }
      return Self.rounded(time / reference)
    }
    pages = report.pages.reduce(into: [:]) { pages, page in
      pages[page.name] = Ratios(
        fullOverScoped: page.ratio.map(Self.rounded), scopedOverReference: inReferences(page.scoped?.time.median),
        fullOverReference: inReferences(page.full?.time.median), mountOverReference: inReferences(page.mount?.median),
        fullOverParse: page.fullOverParse.map(Self.rounded), mountOverParse: page.mountOverParse.map(Self.rounded),
        scopedAllocations: page.scoped?.allocations.map(Self.rounded))
    }
    growth = report.growth.reduce(into: [:]) { growth, series in
      growth[series.series] = Slopes(full: series.full.map(Self.rounded), scoped: series.scoped.map(Self.rounded))
    }
  }

  /// Rounded to four significant digits, because the times vary by more than that between runs.
  private static func rounded(_ value: Double) -> Double {
    guard value.isFinite, value != 0 else { return 0 }
    var scale = 1.0
    while value.magnitude * scale < 1000, scale < 1e9 { scale *= 10 }
    return (value * scale).rounded() / scale
  }
}

// MARK: - Comparing

extension Baseline {
  /// One figure that became worse.
  package struct Regression: Sendable, Hashable, CustomStringConvertible {
    package var page: String
    package var figure: String
    package var before: Double
    package var now: Double

    package var description: String {
      "\(page): \(figure) was \(FormattedMeasurement.number(before)) and is \(FormattedMeasurement.number(now))"
    }
  }

  // A slope is already a logarithm: the permitted increase does not depend on its value.
  package static let slopeTolerance = 0.25
  // A few more allocations are permitted in any case: a table may grow during the counted diff.
  package static let allocationSlack = 8.0

  /// The figures of `now` that are worse than in this baseline: ratios by more than the factor
  /// `tolerance`, slopes by more than ``slopeTolerance``. Pages that only one of the two runs has
  /// are not compared.
  package func regressions(in now: Baseline, tolerance: Double = 1.5) -> [Regression] {
    var findings: [Regression] = []
    for (name, before) in pages.sorted(by: { $0.key < $1.key }) {
      guard let after = now.pages[name] else { continue }
      func compare(
        _ figure: String, _ value: KeyPath<Ratios, Double?>, lessIsWorse: Bool = false, slack: Double = 0
      ) {
        guard let before = before[keyPath: value], let after = after[keyPath: value] else { return }
        if lessIsWorse ? after * tolerance < before : after > before * tolerance + slack {
          findings.append(Regression(page: name, figure: figure, before: before, now: after))
        }
      }
      compare("full / scoped", \.fullOverScoped, lessIsWorse: true)
      compare("scoped / reference", \.scopedOverReference)
      compare("full / reference", \.fullOverReference)
      compare("mount / reference", \.mountOverReference)
      compare("full / parse", \.fullOverParse)
      compare("mount / parse", \.mountOverParse)
      compare("allocations, scoped", \.scopedAllocations, slack: Self.allocationSlack)
    }
    for (series, before) in growth.sorted(by: { $0.key < $1.key }) {
      func compare(_ figure: String, _ before: Double?, _ after: Double?) {
        guard let before, let after, after > before + Self.slopeTolerance else { return }
        findings.append(Regression(page: "growth with \(series)", figure: figure, before: before, now: after))
      }
      compare("slope, full", before.full, now.growth[series]?.full)
      compare("slope, scoped", before.scoped, now.growth[series]?.scoped)
    }
    return findings
  }
}
