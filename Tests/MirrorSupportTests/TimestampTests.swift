import Foundation
import MirrorSupport
import Testing

@Suite struct TimestampTests {
  @Test(
    arguments: [
      0, 951_782_399_999, 951_782_400_000, 951_868_800_000, 1_709_164_800_000, 1_735_689_599_999, 4_107_542_400_000, -1,
      1_795_000_000_123,
    ] as [Int64]) func `a timestamp is formatted as in RFC 3339`(time: Int64)
  {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    // Half a millisecond is added, because Foundation truncates the imprecise `Double`.
    let date = Date(timeIntervalSince1970: (Double(time) + 0.5) / 1_000)
    #expect(Timestamp.text(time) == date.formatted(style))
  }
}
