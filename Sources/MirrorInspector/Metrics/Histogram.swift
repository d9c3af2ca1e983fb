/// Durations, counted in buckets, from which Prometheus computes quantiles. ``RequestCounts`` has
/// one for each route, and ``UpdateCounts`` one for all updates.
struct Histogram: Sendable {
  /// The upper bounds of all buckets but the last, in nanoseconds, ascending.
  let bounds: [Int]
  /// The number of durations in each bucket; the last bucket has those above every bound.
  private(set) var counts: [Int]
  /// The sum of all durations in nanoseconds.
  private(set) var sum = 0

  init(bounds: [Int]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  var count: Int { counts.reduce(0, +) }

  /// - Complexity: O(*bounds*). A linear search from the shortest bound, because most durations are
  ///   short.
  mutating func add(nanoseconds: Int) {
    var bucket = 0
    while bucket < bounds.count, nanoseconds > bounds[bucket] { bucket += 1 }
    counts[bucket] += 1
    sum += nanoseconds
  }

  /// From 100 µs, the time of a cached response, to the time after which a user gives up.
  static let ofRequests = Histogram(
    bounds: [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000]
      .map { $0 * 1_000 })

  /// From 5 µs, the time of a scoped update, to the time of the largest pages.
  static let ofUpdates = Histogram(
    bounds: [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 250_000, 1_000_000].map { $0 * 1_000 })
}

extension Duration {
  var nanoseconds: Int { Int(attoseconds / 1_000_000_000) }
}
