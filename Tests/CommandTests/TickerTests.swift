import MicroHTTP
import MirrorSupport
import Testing

@testable import liveview_mirror

@Suite struct TickerTests {
  @Test func `a ticker runs until it is stopped`() {
    let count = Guarded(0)
    let ticker = Ticker(every: .milliseconds(1)) { count.change { $0 += 1 } }
    #expect(count.wait(until: .now + .seconds(60)) { $0 >= 3 })
    ticker.stop()
    let last = count.withLock { $0 }
    ticker.stop()
    #expect(!count.wait(until: .now + .milliseconds(20)) { $0 > last })
  }

  @Test(arguments: [(5, 1), (30, 3), (3_600, 60), (86_400, 60)])
  func `expired views are searched ten times in the expiry time`(expiry: Int, interval: Int) {
    #expect(Ticker.interval(forExpiry: .seconds(expiry)) == .seconds(interval))
  }
}
