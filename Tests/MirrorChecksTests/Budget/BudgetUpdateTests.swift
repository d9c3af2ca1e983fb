import RecordingFixtures
import Testing

@testable import MirrorChecks

@Suite struct BudgetUpdateTests {
  @Test func `a new budget has the measured values with headroom`() throws {
    let budget = Budget.standard.updated(from: [try Session.shop.measured()])
    let text = BudgetWriter.text(budget, replacing: nil)
    #expect(text.hasPrefix("# The budget of the LiveViews' diffs: what “liveview-mirror check” permits.\n#\n"))
    #expect(
      text.dropFirst(BudgetWriter.comments.count) == """

        mount_bytes: 350
        bytes: 85
        nodes: 4
        diffs: 5
        total_bytes: 150
        waste: 16%
        idle_renders: 5%
        resent_lists: 1
        lost_identities: 0
        duplicate_ids: 1
        rejected: 0
        client_throws: 0
        version_skew: 0

        events:
          "add|item": {bytes: 85, nodes: 4, diffs: 2}
          inc: {bytes: 25, nodes: 2, diffs: 3}

        server_push: {bytes: 12, nodes: 2, diffs: 2}

        """)
  }

  @Test(arguments: [
    "1.0.18/03_todo", "1.2.10/08_form", "1.2.10/07_streams", "1.1.33/04_nested", "native-1.0.18/n02_todo",
  ])
  func `a recording passes on the budget that it has written, and fails if a value is lowered`(name: String) throws {
    let recording = try #require(Fixtures.recording(name))
    let measurement = try Recorder(name: name).measure(recording)
    let text = BudgetWriter.text(Budget.standard.updated(from: [measurement]), replacing: nil)
    let budget = try Budget(text)
    #expect(Check(measurement, within: budget).broken == [])
    // Each limit is lowered to just below the measured value.
    for result in Check(measurement, within: budget).results where result.measured ?? 0 > 0 {
      var lower = budget
      let limit = Budget.Limit((result.measured ?? 0) - 0.001, from: .flag)
      lower.limits[result.subject]?[result.rule] = limit
      let broken = Check(measurement, within: lower).results.filter { $0.violation != nil }
      #expect(broken.map(\.title) == [result.title])
    }
  }

  @Test func `an update keeps what it does not measure, and the first comments`() throws {
    let old = """
      # Ours

      # Two paragraphs
      bytes: 1 # lost
      latency_p95: 70ms
      duplicate_ids: any
      events:
        gone: {bytes: 7}
        inc: {nodes: 9, waste: 1%, latency_p99: 5ms}
      """
    var session = Session(#"{"0":"0","s":["<p id=\"a\">","</p><p id=\"a\"></p>"]}"#)
    session.push(#"{"0":"1"}"#)
    session.event("inc", after: 0, #"{"0":"1"}"#)
    let budget = try Budget(old).updated(from: [try session.measured()])
    #expect(
      BudgetWriter.text(budget, replacing: old) == """
        # Ours

        # Two paragraphs
        mount_bytes: 67
        bytes: 12
        nodes: 2
        diffs: 3
        total_bytes: 23
        waste: 22%
        idle_renders: 5%
        latency_p95: 70ms
        resent_lists: 0
        lost_identities: 0
        duplicate_ids: any
        rejected: 0
        client_throws: 0
        version_skew: 0

        events:
          gone: {bytes: 7}
          inc: {bytes: 12, nodes: 0, diffs: 2, waste: 39%, latency_p99: 5ms}

        server_push: {bytes: 12, nodes: 2, diffs: 2}

        """)
  }

  @Test func `the largest value of several recordings counts`() throws {
    var (small, large) = (Session(#"{"0":"0","s":["<p>","</p>"]}"#), Session(#"{"0":"0","s":["<p>","</p>"]}"#))
    small.event("inc", #"{"0":"1"}"#)
    large.event("inc", #"{"0":"0123456789"}"#)
    let measurements = [try small.measured(), try large.measured()]
    let budget = Budget.standard.updated(from: measurements)
    #expect(budget.limits[.all]?[.bytes]?.value == 23)
    #expect(measurements.allSatisfy { Check($0, within: budget).violations.isEmpty })
  }
}
