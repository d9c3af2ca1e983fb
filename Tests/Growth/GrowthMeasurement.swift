import LiveViewMirror
import MirrorSupport

/// Measures one case of an input in five sizes.
struct GrowthMeasurement {
  struct Limits {
    /// The divisor of all sizes.
    var divisor: Int
    /// Each size is measured repeatedly for this many seconds or this many runs. The fastest run
    /// counts.
    var seconds: Double
    var runs: Int
    /// Sizes after a run of this many seconds are skipped.
    var patience: Double

    static func full(patience: Double) -> Limits { Limits(divisor: 1, seconds: 0.15, runs: 7, patience: patience) }
    static func quick(patience: Double) -> Limits { Limits(divisor: 8, seconds: 0.05, runs: 7, patience: patience) }
  }

  /// The number of attempts for a case that fails.
  static let rounds = 4

  static let doublings = 4

  let limits: Limits
  private(set) var points: [GrowthResult.Point] = []

  init(_ limits: Limits) { self.limits = limits }

  /// - Returns: the sizes, each with its minimum processor time.
  ///
  /// Other work on the machine can only add time. If the slope is too steep, all sizes are measured
  /// again, and the minimum of all rounds counts.
  mutating func run(_ size: Int, _ work: GrowthInput.Case) -> [GrowthResult.Point] {
    for _ in 0..<Self.rounds {
      runOnce(size, work)
      if GrowthResult.isFlat(points) { break }
    }
    return points
  }

  private mutating func runOnce(_ size: Int, _ work: GrowthInput.Case) {
    let isFirst = points.isEmpty
    for doubling in 0...Self.doublings {
      if !isFirst, doubling >= points.count { break }
      let point = measure(work, at: max(1, size / limits.divisor) << doubling)
      if isFirst { points.append(point) } else { points[doubling].merge(point) }
      if point.outcome.isFinal(after: limits.patience) { break }
    }
  }

  /// Measures a size once more.
  ///
  /// - Returns: the seconds of this time; `nil` if the input was not accepted.
  mutating func repeated(at place: Int, _ work: GrowthInput.Case) -> Double? {
    let outcome = Self.run(work, points[place].size)
    points[place].merge(.init(size: points[place].size, outcome: outcome))
    return if case .took(let seconds) = outcome { seconds } else { nil }
  }

  private func measure(_ work: GrowthInput.Case, at size: Int) -> GrowthResult.Point {
    var point = GrowthResult.Point(size: size, outcome: .failed("not measured"))
    var spent = 0.0
    for _ in 0..<limits.runs {
      let outcome = Self.run(work, size)
      point.merge(.init(size: size, outcome: outcome))
      spent += outcome.seconds ?? .infinity
      if spent >= limits.seconds { break }
    }
    return point
  }

  private static func run(_ work: GrowthInput.Case, _ size: Int) -> GrowthResult.Outcome {
    ProcessMemory.returnFreeHeap()
    var began: UInt64 = 0
    do {
      let work = try work.prepare(size)
      began = Clock.threadCPUTime
      try work()
      return .took(Double(Clock.threadCPUTime - began) / 1e9)
    } catch let error as UpdateError {
      return .refused(began == 0 ? 0 : Double(Clock.threadCPUTime - began) / 1e9, error.reason)
    } catch {
      return .failed("\(error)")
    }
  }
}

extension GrowthInput {
  func measure(_ limits: GrowthMeasurement.Limits) -> [GrowthResult] {
    var measurements = cases.map { _ in GrowthMeasurement(limits) }
    for (place, work) in cases.enumerated() { _ = measurements[place].run(size, work) }
    var ratios: [Int: Double] = [:]
    func results() -> [GrowthResult] {
      zip(cases, measurements).map {
        GrowthResult(name: name, label: $0.label, points: $1.points, ratiosOfNeighbours: ratios)
      }
    }
    // The speed of the machine may have changed between the two pipelines, so now they alternate.
    guard let scoped = cases.firstIndex(where: { $0.label == "scoped" }),
      let full = cases.firstIndex(where: { $0.label == "full" })
    else { return results() }
    for _ in 1..<GrowthMeasurement.rounds {
      let detours = results()[scoped].detours(among: results())
      if detours.isEmpty { break }
      for place in detours {
        let measured = (0..<limits.runs).compactMap { _ -> Double? in
          let mine = measurements[scoped].repeated(at: place, cases[scoped])
          let theirs = measurements[full].repeated(at: place, cases[full])
          guard let mine, let theirs, theirs > 0 else { return nil }
          return mine / theirs
        }
        if !measured.isEmpty { ratios[place] = min(ratios[place] ?? .infinity, measured.sorted()[measured.count / 2]) }
      }
    }
    return results()
  }
}
