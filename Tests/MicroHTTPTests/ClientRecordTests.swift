import Testing

@testable import MicroHTTP

/// The verdicts about connections whose sockets have no counters, as on some systems.
@Suite struct ClientRecordTests {
  @Test func `a stream without unsent bytes does not expire, however long the time between two checks`() {
    let start = ContinuousClock.now
    var record = ClientRecord(number: 1, at: start)
    func judge(after time: Duration, hasUnsent: Bool) -> ClientRecord.Verdict {
      record.judge(
        Client.Progress(number: 1, phase: .streaming), received: 0, socket: { nil }, hasUnsent: hasUnsent,
        at: start + time, limits: TimeLimits(stalled: .seconds(10)))
    }
    #expect(judge(after: .zero, hasUnsent: false) == .healthy)
    #expect(judge(after: .seconds(3_600), hasUnsent: false) == .healthy)
    #expect(judge(after: .seconds(3_609), hasUnsent: true) == .healthy)
    #expect(judge(after: .seconds(3_611), hasUnsent: true) == .expired)
  }
}
