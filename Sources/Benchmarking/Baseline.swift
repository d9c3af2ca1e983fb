/// What a run is compared with: ratios only, which are about the same on any machine.
package struct Baseline: Sendable, Codable, Hashable {
  /// Everything is measured in units of this page's diff in the full pipeline, of the same run.
  package static let referencePage = "a_counter"

  package var pages: [String: Ratios]
  /// The log-log slopes by series.
  package var growth: [String: Slopes]

  package struct Ratios: Sendable, Codable, Hashable {
    /// How much faster scoped is than full.
    package var fullOverScoped: Double?
    package var scopedOverReference: Double?
    package var fullOverReference: Double?
    package var mountOverReference: Double?
    /// No ratio, and the same on every machine with the same library versions.
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
        scopedAllocations: page.scoped?.allocations.map(Self.rounded))
    }
    growth = report.growth.reduce(into: [:]) { growth, series in
      growth[series.series] = Slopes(full: series.full.map(Self.rounded), scoped: series.scoped.map(Self.rounded))
    }
  }

  /// Four digits: more would only make differences that nobody means.
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
  package struct Finding: Sendable, Hashable, CustomStringConvertible {
    package var page: String
    package var figure: String
    package var before: Double
    package var now: Double

    package var description: String {
      "\(page): \(figure) was \(Figures.number(before)) and is \(Figures.number(now))"
    }
  }

  /// A slope is a logarithm already: it may grow by so much, whatever it was.
  package static let slopeTolerance = 0.25
  /// So many allocations more are nothing, however few there were: a table that grows in the very diff that is counted.
  package static let allocationSlack = 8.0

  /// What became worse in a later run by more than `tolerance` times. What only one of the two knows is not compared.
  package func regressions(in now: Baseline, tolerance: Double = 1.5) -> [Finding] {
    var findings: [Finding] = []
    for (name, before) in pages.sorted(by: { $0.key < $1.key }) {
      guard let after = now.pages[name] else { continue }
      func compare(
        _ figure: String, _ value: KeyPath<Ratios, Double?>, lessIsWorse: Bool = false, slack: Double = 0
      ) {
        guard let before = before[keyPath: value], let after = after[keyPath: value] else { return }
        if lessIsWorse ? after * tolerance < before : after > before * tolerance + slack {
          findings.append(Finding(page: name, figure: figure, before: before, now: after))
        }
      }
      compare("full / scoped", \.fullOverScoped, lessIsWorse: true)
      compare("scoped / reference", \.scopedOverReference)
      compare("full / reference", \.fullOverReference)
      compare("mount / reference", \.mountOverReference)
      compare("allocations, scoped", \.scopedAllocations, slack: Self.allocationSlack)
    }
    for (series, before) in growth.sorted(by: { $0.key < $1.key }) {
      func compare(_ figure: String, _ before: Double?, _ after: Double?) {
        guard let before, let after, after > before + Self.slopeTolerance else { return }
        findings.append(Finding(page: "growth with \(series)", figure: figure, before: before, now: after))
      }
      compare("slope, full", before.full, now.growth[series]?.full)
      compare("slope, scoped", before.scoped, now.growth[series]?.scoped)
    }
    return findings
  }
}
