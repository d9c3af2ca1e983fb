import Testing

@testable import MirrorSupport

@Suite struct FormattedTests {
  @Test(arguments: [(0, "0"), (7, "7"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_234, "−1,234")])
  func `whole numbers are grouped`(number: Int, text: String) {
    #expect(Formatted.grouped(number) == text)
  }

  @Test(arguments: [(0.0, "0"), (12.0, "12"), (12.34, "12.3"), (1_234.56, "1,234.6"), (-0.25, "−0.3"), (0.04, "0")])
  func `times have at most a tenth`(number: Double, text: String) {
    #expect(Formatted.tenths(number) == text)
  }

  @Test func `numbers have their nouns and units`() {
    #expect([1, 2].map { Formatted.count($0, "entry") } == ["1 entry", "2 entries"])
    #expect([0, 1_200].map { Formatted.count($0, "key") } == ["0 keys", "1,200 keys"])
    #expect([1, 2].map { Formatted.count($0, "match") } == ["1 match", "2 matches"])
    #expect(Formatted.bytes(2_857) == "2,857 B" && Formatted.microseconds(606_801) == "606,801 µs")
    #expect(
      [0.5, 999, 1_000, 7_460, 90_000].map { Formatted.time(.milliseconds($0)) } == [
        "0.5 ms", "999 ms", "1 s", "7.5 s", "90 s",
      ])
  }

  @Test func `shares are percentages`() {
    #expect(Formatted.percent(0.125) == "12.5 %")
    #expect(Formatted.percent(1) == "100 %")
    #expect(Formatted.percent(1.0 / 3) == "33.3 %")
  }
}
