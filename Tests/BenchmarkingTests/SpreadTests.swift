import Benchmarking
import Testing

@Suite struct SpreadTests {
  @Test func `the median and the quartiles are interpolated between samples`() throws {
    let five = try #require(Spread([50, 10, 40, 20, 30]))
    #expect((five.lowerQuartile, five.median, five.upperQuartile, five.samples) == (20, 30, 40, 5))
    let four = try #require(Spread([1, 2, 3, 4]))
    #expect((four.lowerQuartile, four.median, four.upperQuartile) == (1.75, 2.5, 3.25))
    let one = try #require(Spread([7]))
    #expect((one.lowerQuartile, one.median, one.upperQuartile, one.relative) == (7, 7, 7, 0))
    #expect(Spread([]) == nil)
  }

  @Test func `one slow sample hardly changes the median and the quartiles`() throws {
    let quiet = try #require(Spread([10, 11, 12, 13, 14]))
    let disturbed = try #require(Spread([10, 11, 12, 13, 9000]))
    #expect(quiet.median == disturbed.median)
    #expect(disturbed.upperQuartile == 13)
    #expect(quiet.relative == 1.0 / 12)
  }

  @Test(arguments: [0.0, 0.5, 1.0, 2.0, -1.0])
  func `the slope of a power function is its exponent`(exponent: Double) throws {
    // Powers of 4, whose square roots are exact.
    let points = (0..<6).map { step -> (size: Double, cost: Double) in
      let size = power(4, step)
      let whole = Int(exponent.magnitude)
      let cost = exponent == 0.5 ? power(2, step) : power(size, whole)
      return (size, 3 * (exponent < 0 ? 1 / cost : cost))
    }
    let slope = try #require(Growth.slope(points))
    #expect((slope - exponent).magnitude < 1e-9)
  }

  @Test func `one size or none has no slope`() {
    #expect(Growth.slope([]) == nil)
    #expect(Growth.slope([(10, 1)]) == nil)
    #expect(Growth.slope([(10, 1), (10, 2)]) == nil)
    #expect(Growth.slope([(10, 1), (20, 0)]) == nil)
  }

  private func power(_ base: Double, _ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { power, _ in power * base }
  }
}
