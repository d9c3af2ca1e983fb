import Testing

@testable import liveview_mirror

@Suite struct LogThrottleTests {
  @Test func `a limited number of lines passes per second, and dropped ones are counted`() {
    var throttle = LogThrottle()
    let start = ContinuousClock.now
    for _ in 0..<LogThrottle.most {
      #expect(throttle.take(at: start) == (true, 0))
    }
    for _ in 0..<7 { #expect(throttle.take(at: start.advanced(by: .milliseconds(999))) == (false, 0)) }
    #expect(throttle.take(at: start.advanced(by: .seconds(1))) == (true, 7))
    #expect(throttle.take(at: start.advanced(by: .seconds(3))) == (true, 0))
  }
}
