/// What samples of one quantity say: the middle one, and where the middle half of them lies.
///
/// Not the mean, and no standard deviation: times have a hard lower end and a long tail that belongs to the machine.
package struct Spread: Sendable, Codable, Hashable {
  package var median: Double
  package var lowerQuartile: Double
  package var upperQuartile: Double
  package var samples: Int

  /// `nil` without samples.
  package init?(_ samples: [Double]) {
    let sorted = samples.sorted()
    guard !sorted.isEmpty else { return nil }
    /// Between two samples where a quantile falls between them.
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

  /// Half the distance of the quartiles as a share of the median: how far a ratio of this quantity can be trusted.
  package var relative: Double { median == 0 ? 0 : (upperQuartile - lowerQuartile) / 2 / median }
}

/// How a cost grows with a size.
package enum Growth {
  /// The slope of the line through the logarithms: 0 where the size does not matter, 1 where the cost follows it.
  ///
  /// `nil` with fewer than two sizes, or where something is not above 0.
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
