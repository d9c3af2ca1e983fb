import Testing

@testable import liveview_mirror

@Suite struct RecordedPaceTests {
  private let now = ContinuousClock.now

  @Test func `frames keep their distances divided by the speed`() {
    var pace = RecordedPace(speed: 2)
    #expect(pace.wait(before: 1_000, part: 0, now: now) == nil)
    #expect(pace.wait(before: 1_500, part: 0, now: now) == .milliseconds(250))
    #expect(pace.wait(before: 3_000, part: 0, now: now + .milliseconds(250)) == .milliseconds(750))
  }

  @Test func `late frames and frames without a time do not wait`() {
    var pace = RecordedPace(speed: 1)
    #expect(pace.wait(before: nil, part: 0, now: now) == nil)
    #expect(pace.wait(before: 1_000, part: 0, now: now) == nil)
    #expect(pace.wait(before: nil, part: 0, now: now) == nil)
    #expect(pace.wait(before: 900, part: 0, now: now) == nil)
    #expect(pace.wait(before: 1_100, part: 0, now: now + .seconds(1)) == nil)
  }

  @Test func `each part begins at once`() {
    var pace = RecordedPace(speed: 1)
    #expect(pace.wait(before: 1_000, part: 0, now: now) == nil)
    #expect(pace.wait(before: 9_000, part: 1, now: now) == nil)
    #expect(pace.wait(before: 9_001, part: 1, now: now) == .milliseconds(1))
  }

  @Test func `a wait is bounded`() {
    var pace = RecordedPace(speed: .leastNonzeroMagnitude)
    #expect(pace.wait(before: 0, part: 0, now: now) == nil)
    #expect(pace.wait(before: 253_402_300_799_999, part: 0, now: now) == .seconds(366 * 24 * 3_600))
  }
}
