import Testing

@testable import MirrorChecks

@Suite struct FiguresTests {
  @Test(arguments: [(0, "0"), (7, "7"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_234, "−1,234")])
  func `whole numbers are grouped`(number: Int, text: String) {
    #expect(Figures.grouped(number) == text)
  }

  @Test(arguments: [(0.0, "0"), (12.0, "12"), (12.34, "12.3"), (1_234.56, "1,234.6"), (-0.25, "−0.3"), (0.04, "0")])
  func `times have at most a tenth`(number: Double, text: String) {
    #expect(Figures.tenths(number) == text)
  }

  @Test func `shares are percentages`() {
    #expect(Figures.percent(0.125) == "12.5 %")
    #expect(Figures.percent(1) == "100 %")
    #expect(Figures.percent(1.0 / 3) == "33.3 %")
  }
}
