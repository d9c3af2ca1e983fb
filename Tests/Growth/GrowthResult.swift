import Benchmarking
import CLibrary
import MirrorSupport

/// The growth of one case of an input.
struct GrowthResult {
  enum Outcome {
    /// Seconds of processor time.
    case took(Double)
    /// The seconds until the refusal, and its reason.
    case refused(Double, String)
    case failed(String)

    var seconds: Double? {
      switch self {
      case .took(let seconds), .refused(let seconds, _): seconds
      case .failed: nil
      }
    }

    /// Whether larger sizes are skipped.
    func isFinal(after patience: Double) -> Bool { seconds.map { $0 > patience } ?? true }
  }

  struct Point {
    var size: Int
    var outcome: Outcome

    /// Keeps the faster of two runs.
    mutating func merge(_ other: Point) {
      guard let theirs = other.outcome.seconds else {
        outcome = other.outcome
        return
      }
      if let mine = outcome.seconds, mine <= theirs { return }
      outcome = other.outcome
    }
  }

  var name: String
  var label: String
  var points: [Point]
  /// By the place of the size, where the pipelines alternated: the median ratio of scoped to full.
  var ratiosOfNeighbours: [Int: Double]

  /// The limits.
  struct Bounds {
    /// The steepest growth.
    var slope: Double
    /// The maximum ratio of a scoped to a full update.
    var detour: Double
    /// Cases that take at most this many seconds in their largest size may grow without limit. For
    /// example, a text of a megabyte is compared in one millisecond, and in a fiftieth of that if
    /// it is in a cache.
    var negligible: Double

    static let full = Bounds(slope: 1.2, detour: 1.5, negligible: 0.002)
    /// The limits for an eighth of the sizes. The smaller sizes take a millisecond and fit into
    /// caches, the larger ones do not, which adds up to 0.1 to a slope. Noise of a few hundred
    /// microseconds also changes a ratio.
    static let quick = Bounds(slope: 1.3, detour: 1.7, negligible: 0.0001)
  }

  /// Pipelines are compared only if they take at least this many seconds.
  static let comparable = 0.003

  // MARK: - Slopes

  /// The slope of the least-squares line through the logarithms of sizes and times; `nil` with
  /// fewer than three sizes.
  static func slope(of points: [Point]) -> Double? {
    let accepted = points.compactMap { point -> (x: Double, y: Double)? in
      guard case .took(let seconds) = point.outcome else { return nil }
      return (log(Double(point.size)), log(max(seconds, 1e-9)))
    }
    guard accepted.count > 2 else { return nil }
    let count = Double(accepted.count)
    let x = accepted.reduce(0) { $0 + $1.x } / count
    let y = accepted.reduce(0) { $0 + $1.y } / count
    let covariance = accepted.reduce(0) { $0 + ($1.x - x) * ($1.y - y) }
    return covariance / accepted.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
  }

  static func isFlat(_ points: [Point], within bounds: Bounds = .full) -> Bool {
    if let seconds = points.last?.outcome.seconds, seconds <= bounds.negligible { return true }
    return slope(of: points).map { $0 <= bounds.slope } ?? true
  }

  var slope: Double? { Self.slope(of: points) }

  // MARK: - Failures

  /// - Parameter others: all results, including those of the same input.
  func faults(among others: [GrowthResult], within bounds: Bounds) -> [String] {
    var faults: [String] = []
    if !Self.isFlat(points, within: bounds), !isBounded(among: others, within: bounds) {
      faults.append("grows too fast")
    }
    if case .failed(let reason)? = points.last?.outcome { faults.append(reason) }
    if points.count <= GrowthMeasurement.doublings, faults.isEmpty { faults.append("too slow for its larger sizes") }
    if let refusal = points.first(where: { if case .refused = $0.outcome { true } else { false } }),
      let seconds = refusal.outcome.seconds, let accepted = lastAccepted,
      // The limit is twice the time that the steepest permitted growth would give.
      seconds > 2 * accepted.seconds * pow(Double(refusal.size) / Double(accepted.size), bounds.slope)
    {
      faults.append("the refusal is slow")
    }
    if isDetour(among: others, within: bounds) { faults.append("slower than the full path") }
    return faults
  }

  /// Whether this is a scoped update that is never slower than the full one, which is within the
  /// limits. Then the slope means nothing: small sizes may be much faster as scoped updates, while
  /// large ones take the full path.
  private func isBounded(among others: [GrowthResult], within bounds: Bounds) -> Bool {
    guard let full = full(among: others), Self.isFlat(full.points, within: bounds), full.points.count == points.count
    else { return false }
    return points.indices.allSatisfy { ratio(at: $0, to: full) <= bounds.detour }
  }

  private func full(among others: [GrowthResult]) -> GrowthResult? {
    label == "scoped" ? others.first { $0.name == name && $0.label == "full" } : nil
  }

  private func ratio(at place: Int, to full: GrowthResult) -> Double {
    guard let mine = points[place].outcome.seconds, let theirs = full.points[place].outcome.seconds else {
      return .infinity
    }
    return min(mine / max(theirs, 1e-9), ratiosOfNeighbours[place] ?? .infinity)
  }

  private var lastAccepted: (place: Int, size: Int, seconds: Double)? {
    points.indices.lazy.compactMap { place in
      if case .took(let seconds) = points[place].outcome { (place, points[place].size, seconds) } else { nil }
    }.last
  }

  func isDetour(among others: [GrowthResult], within bounds: Bounds = .full) -> Bool {
    detour(among: others).map { $0 > bounds.detour } ?? false
  }

  /// For a scoped result: the ratio to the full path at the largest size.
  func detour(among others: [GrowthResult]) -> Double? {
    guard let full = full(among: others), let mine = lastAccepted, mine.seconds > Self.comparable,
      full.points.indices.contains(mine.place), case .took = full.points[mine.place].outcome
    else { return nil }
    return ratio(at: mine.place, to: full)
  }

  /// The places of the sizes at which a scoped update seems slower than the full one, where that
  /// matters.
  func detours(among others: [GrowthResult], within bounds: Bounds = .full) -> [Int] {
    guard let full = full(among: others), let last = lastAccepted else { return [] }
    let isSteep = !Self.isFlat(points, within: bounds) && full.points.count == points.count
    if !isSteep { return isDetour(among: others, within: bounds) ? [last.place] : [] }
    return points.indices.filter { ratio(at: $0, to: full) > bounds.detour }
  }

  // MARK: - Text

  static let head = ["input", "case", "sizes", "processor time", "slope", "× full"]

  func cells(among others: [GrowthResult]) -> [String] {
    [
      name, label, "\(points[0].size)–\(points[points.count - 1].size)",
      [points[0], points[points.count - 1]].map { Self.text(of: $0.outcome) }.joined(separator: " → "),
      slope.map { Self.text(of: $0) } ?? "–", detour(among: others).map { Self.text(of: $0) } ?? "",
    ]
  }

  static func table(of results: [GrowthResult]) -> TextTable {
    .ofFigures(head: head, rows: results.map { $0.cells(among: results) })
  }

  private static func text(of outcome: Outcome) -> String {
    switch outcome {
    case .took(let seconds): text(ofMilliseconds: seconds * 1000)
    case .refused: "refused"
    case .failed: "failed"
    }
  }

  private static func text(ofMilliseconds milliseconds: Double) -> String {
    milliseconds < 10 ? "\(text(of: milliseconds)) ms" : "\(Int(milliseconds.rounded())) ms"
  }

  /// With two decimals.
  private static func text(of number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let sign = hundredths < 0 ? "-" : ""
    return "\(sign)\(abs(hundredths) / 100).\(abs(hundredths) % 100 / 10)\(abs(hundredths) % 10)"
  }
}
