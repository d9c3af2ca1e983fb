import Testing

@testable import MirrorChecks

/// A regression under a budget that `--update` has written is not green.
@Suite struct CheckReportTests {
  /// A counter with two events and a push of the server.
  private func session(
    _ event: String = "inc", mount: String = "0", diff: String = #"{"0":"1"}"#, pushes: Int = 1
  ) -> Session {
    var session = Session(#"{"0":"\#(mount)","s":["<p>","</p>"]}"#)
    for _ in 0..<2 { session.event(event, diff) }
    for push in 0..<pushes { session.push(#"{"0":"\#(push)"}"#) }
    return session
  }

  /// The failures of a recording, and the keys of the limits that it exceeds, under the budget of
  /// ``session``.
  private func report(_ changed: Session, isStrict: Bool = true) throws -> CheckReport {
    let budget = try Budget(
      BudgetWriter.text(Budget.standard.updated(from: [try session().measured()]), replacing: nil))
    return CheckReport(
      [Check(try changed.measured(), within: budget)], within: budget, of: "mirror.yml", isStrict: isStrict)
  }

  private func exceeded(_ report: CheckReport) -> [String] { report.checks.flatMap(\.violations).map(\.key) }

  @Test func `the recording itself is kept by its budget, also if it is checked strictly`() throws {
    let report = try report(session())
    #expect(report.isOK && report.failures == [] && report.warnings == [])
  }

  @Test func `without the frames of the client, diffs three times as large fail`() throws {
    var changed = Session(#"{"0":"0","s":["<p>","</p>"]}"#)
    for _ in 0..<3 { changed.push(#"{"0":"111111111111111111111"}"#) }
    for isStrict in [true, false] {
      let report = try report(changed, isStrict: isStrict)
      #expect(exceeded(report).contains("server_push.bytes") && !report.isOK)
    }
    let small = try report(session(pushes: 1).withoutClient)
    #expect(small.failures == ["mirror.yml: no recording has the event “inc”, so its limits were not checked"])
  }

  @Test func `a mount that is 160 kB larger fails`() throws {
    let report = try report(session(mount: String(repeating: "0", count: 160_000)), isStrict: false)
    #expect(exceeded(report) == ["mount_bytes"])
  }

  @Test func `a view that is not the largest one has a limit of its own mount`() throws {
    func recording(_ small: String) throws -> Measurement {
      let large = Session(
        #"{"0":"\#(String(repeating: "x", count: 200_000))","s":["<p>","</p>"]}"#, topic: "lv:a",
        url: "http://localhost/products/7?page=2")
      let other = Session(#"{"0":"\#(small)","s":["<p>","</p>"]}"#, topic: "lv:b", url: "http://localhost/cart")
      return try Recorder(name: "two").measure(large.bytes + other.bytes)
    }
    let budget = try Budget(BudgetWriter.text(Budget.standard.updated(from: [try recording("0")]), replacing: nil))
    #expect(budget.limits.keys.sorted() == [.all, .page("/cart"), .page("/products/*")])
    let grown = Check(try recording(String(repeating: "0", count: 160_000)), within: budget)
    #expect(grown.violations.map(\.key) == ["pages./cart.mount_bytes"])
    #expect(Check(try recording("0"), within: budget).violations.isEmpty)
  }

  @Test func `a flag includes the parts that have limits of their own`() throws {
    let budget = try Budget("{bytes: 9, events: {inc: {bytes: 9}}, server_push: {bytes: 9}}")
    let measurement = try session().measured()
    let file = Check(measurement, within: budget)
    #expect(file.results.first?.measuredText == "limited by part")
    #expect(CheckText.conclusion(CheckReport([file]), style: .plain) == "✓ All 9 limits are kept\n")
    #expect(Check(measurement, within: budget.with([.bytes: 1])).violations.map(\.key) == ["bytes"])
  }

  @Test func `200 more pushes of the server fail`() throws {
    let report = try report(session(pushes: 201), isStrict: false)
    #expect(exceeded(report) == ["diffs", "total_bytes", "server_push.diffs"])
  }

  @Test func `an event with another name fails`() throws {
    let reports = [try report(session("incr")), try report(session("incr"), isStrict: false)]
    let text = "mirror.yml: no recording has the event “inc”, so its limits were not checked"
    #expect(reports.map(\.failures) == [[text], []])
    #expect(reports.map(\.warnings) == [[], [text]])
    #expect(reports.map(\.isOK) == [false, true])
  }

  @Test func `a missing budget fails`() throws {
    let check = Check(try session().measured(), within: .standard)
    let report = CheckReport([check], within: .standard, of: nil, isStrict: true)
    #expect(report.failures == ["there is no budget: write one with --update, or name it with --budget"])
    #expect(CheckReport([check], within: .standard, of: nil, isStrict: false).isOK)
  }

  @Test func `a recording without a diff fails`() throws {
    let report = try report(Session(#"{"0":"0","s":["<p>","</p>"]}"#))
    #expect(report.failures == ["session.ndjson: the recording has no diff, so nothing was checked"])
  }

  @Test func `a limit that no recording measures fails, and one that another recording measures does not`() throws {
    let budget = try Budget("{latency_p95: 1s, waste: any, events: {inc: {bytes: 9}}, server_push: {bytes: 9}}")
    func failures(_ sessions: Session...) throws -> [String] {
      let checks = try sessions.map { Check(try $0.measured(), within: budget) }
      return CheckReport(checks, within: budget, of: "mirror.yml", isStrict: true).failures
    }
    let reason = "no recording has a value of this limit, because it has no times or no frames of the client"
    #expect(try failures(session().withoutClient).contains("mirror.yml:1: latency_p95: \(reason)"))
    #expect(try failures(session().withoutClient, session()) == [])
  }

  @Test func `a view and a page may have limits of their own`() throws {
    let budget = try Budget(
      """
      mount_bytes: 1
      bytes: 1
      pages:
        /: {bytes: 9, mount_bytes: 99, diffs: 2}
        /products/*: {bytes: 9}
      """)
    let check = Check(try session().measured(), within: budget)
    #expect(check.violations.map(\.key) == ["pages./.diffs"])
    #expect(budget.unknownSubjects(in: [check.measurement]) == [.page("/products/*")])
    let shop = Check(try Session.shop.measured(), within: try Budget("views: {Shop: {total_bytes: 1B}}"))
    #expect(shop.broken.contains("Shop: bytes of all diffs"))
  }

  @Test(arguments: [
    ("/products/7", "/products/*", true), ("/products/7/edit", "/products/*", false), ("/", "/", true),
    ("/a", "/", false),
    ("/a/b", "/*/b", true), ("/a/", "/a", true),
  ])
  func `a star is one part of a path`(path: String, pattern: String, matches: Bool) {
    #expect(Subject.matches(path, pattern) == matches)
  }

  @Test func `an update says what it has loosened, and writes latencies only if asked`() throws {
    let old = try Budget("{bytes: 2, nodes: 99, latency_p95: 1ms, events: {inc: {bytes: 1}}}")
    let measured = [try session().measured()]
    #expect(old.updated(from: measured).loosened(since: old) == ["bytes: 2 → 12", "events.inc.bytes: 1 → 12"])
    #expect(
      old.updated(from: measured, withLatencies: true).loosened(since: old) == [
        "bytes: 2 → 12", "latency_p95: 1ms → 20ms", "events.inc.bytes: 1 → 12",
      ])
  }
}

extension Session {
  /// The same recording without the frames of the client.
  fileprivate var withoutClient: Session {
    var session = self
    session.removeSentFrames()
    return session
  }
}
