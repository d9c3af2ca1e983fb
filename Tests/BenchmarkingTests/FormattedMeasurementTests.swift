import Benchmarking
import MirrorSupport
import Testing

@Suite struct FormattedMeasurementTests {
  @Test func `numbers have three significant digits`() {
    let numbers = [0, 0.01234, 0.5, 1.235, 12.34, 99.96, 123.4, 1234.5, 1_234_567, -2.5]
    #expect(
      numbers.map { FormattedMeasurement.number($0) }
        == ["0", "0.012", "0.500", "1.24", "12.3", "100.0", "123", "1,235", "1,234,567", "-2.50"])
    #expect(
      FormattedMeasurement.number(nil) == "–" && FormattedMeasurement.number(.infinity) == "–"
        && FormattedMeasurement.number(.nan) == "–")
  }

  @Test func `counts, shares, bytes and ratios have units`() {
    #expect([0, 999, 1000, -60_006].map { FormattedMeasurement.count($0) } == ["0", "999", "1,000", "-60,006"])
    #expect(FormattedMeasurement.percent(0.034) == "3%" && FormattedMeasurement.percent(nil) == "–")
    #expect([12, 1500, 2_697_373].map { FormattedMeasurement.bytes($0) } == ["12.0 B", "1.50 kB", "2.70 MB"])
    #expect(FormattedMeasurement.ratio(8250) == "×8,250" && FormattedMeasurement.ratio(nil) == "–")
  }

  @Test func `a table is aligned text or Markdown`() {
    let table = TextTable.ofFigures(head: ["page", "µs", "×"], rows: [["a", "1.50", "–"], ["long", "12,000", "×9"]])
    #expect(
      table.text() == """
        page      µs   ×
        a       1.50   –
        long  12,000  ×9

        """)
    #expect(
      table.markdown == """
        | page | µs | × |
        | --- | --: | --: |
        | a | 1.50 | – |
        | long | 12,000 | ×9 |

        """)
  }
}
