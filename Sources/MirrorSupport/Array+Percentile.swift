extension [Double] {
  /// A percentile of ascending numbers by the nearest-rank method: the smallest number such that
  /// at least `percent` % of all numbers are not larger than it. `CostTotals` and `DiffSummary`
  /// call it for latencies, which they keep sorted.
  ///
  /// - Parameter percent: from 1 to 100.
  /// - Returns: `nil` for an empty array.
  package func percentile(_ percent: Int) -> Double? {
    if isEmpty { return nil }
    let rank = (count * percent + 99) / 100
    return self[Swift.max(1, Swift.min(rank, count)) - 1]
  }
}
