import Testing

@testable import MirrorChecks

@Suite struct DiffSummaryTests {
  @Test(arguments: [
    (1, [7], 7.0), (50, [1, 2], 1), (51, [1, 2], 2), (50, [1, 2, 3], 2), (95, Array(1...100), 95),
    (99, Array(1...100), 99),
    (95, Array(1...20), 19), (96, Array(1...20), 20), (100, [3, 1, 2], 3),
  ])
  func `percentiles are by the nearest rank`(percent: Int, values: [Int], expected: Double) {
    let summary = DiffSummary(
      [MeasuredDiff](), emptyAnswers: values.map { EmptyAnswer(cause: .serverPush, latency: Double($0)) })
    #expect(summary.latency(percentile: percent) == expected)
  }

  @Test func `without diffs there are no shares and no percentiles`() {
    let summary = DiffSummary([MeasuredDiff]())
    #expect(summary.waste == nil)
    #expect(summary.idleShare == nil)
    #expect(summary.latency(percentile: 95) == nil)
  }
}
