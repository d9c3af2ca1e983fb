/// The median and the quartiles of samples of one quantity. Each measurement of `MirrorBenchmarks`
/// summarizes its samples in a `Spread`.
///
/// The mean and the standard deviation are not used, because times have a fixed minimum and a long
/// tail that the machine causes.
package struct Spread: Sendable, Codable, Hashable {
  package var median: Double
  package var lowerQuartile: Double
  package var upperQuartile: Double
  package var samples: Int

  /// `nil` without samples.
  package init?(_ samples: [Double]) {
    let sorted = samples.sorted()
    guard !sorted.isEmpty else { return nil }
    /// A quantile that falls between two samples is interpolated.
    func quantile(_ share: Double) -> Double {
      let place = share * Double(sorted.count - 1)
      let below = Int(place)
      let above = min(below + 1, sorted.count - 1)
      return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
    }
    median = quantile(0.5)
    lowerQuartile = quantile(0.25)
    upperQuartile = quantile(0.75)
    self.samples = sorted.count
  }

  /// Half the interquartile range, divided by the median: the relative uncertainty of the quantity,
  /// which reports show as `±` percent. 0 if the median is 0.
  package var relative: Double { median == 0 ? 0 : (upperQuartile - lowerQuartile) / 2 / median }
}

/// How a cost grows with a size. `BenchmarkReport` computes it from the costs of pages with
/// different numbers of rows.
package enum Growth {
  /// The slope of the regression line through the logarithms: 0 if the size has no effect, 1 if the
  /// cost is proportional to it.
  ///
  /// - Returns: `nil` with fewer than two sizes, or if a size or cost is not positive.
  package static func slope(_ points: [(size: Double, cost: Double)]) -> Double? {
    guard points.allSatisfy({ $0.size > 0 && $0.cost > 0 }) else { return nil }
    let logs = points.map { (x: naturalLogarithm($0.size), y: naturalLogarithm($0.cost)) }
    let count = Double(logs.count)
    let middle = (
      x: logs.reduce(0) { $0 + $1.x } / count,
      y: logs.reduce(0) { $0 + $1.y } / count
    )
    let width = logs.reduce(0) { $0 + ($1.x - middle.x) * ($1.x - middle.x) }
    guard width > 0 else { return nil }
    return logs.reduce(0) { $0 + ($1.x - middle.x) * ($1.y - middle.y) } / width
  }
}
