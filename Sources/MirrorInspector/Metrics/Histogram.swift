/// How often something took how long, in buckets: what Prometheus makes quantiles of.
struct Histogram: Sendable {
  /// The upper bounds of all buckets but the last one, in nanoseconds, ascending.
  let bounds: [Int]
  /// How many fell into each bucket, and, at the end, how many were longer than every bound.
  private(set) var counts: [Int]
  /// All of them together, in nanoseconds.
  private(set) var sum = 0

  init(bounds: [Int]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  var count: Int { counts.reduce(0, +) }

  /// - Complexity: O(*bounds*); most are short, so it is looked for from the shortest on.
  mutating func add(nanoseconds: Int) {
    var bucket = 0
    while bucket < bounds.count, nanoseconds > bounds[bucket] { bucket += 1 }
    counts[bucket] += 1
    sum += nanoseconds
  }

  /// From 100 µs, where an answer that was made from memory is, to where a person has left.
  static let ofRequests = Histogram(
    bounds: [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000]
      .map { $0 * 1_000 })

  /// From 5 µs, which a scoped update takes, to the largest pages.
  static let ofUpdates = Histogram(
    bounds: [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 250_000, 1_000_000].map { $0 * 1_000 })
}

extension Duration {
  var nanoseconds: Int { Int(attoseconds / 1_000_000_000) }
}
