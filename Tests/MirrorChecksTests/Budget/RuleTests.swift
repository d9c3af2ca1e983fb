import MarkupDocument
import RecordingFixtures
import Testing

@testable import MirrorChecks

/// Each rule has a recording that violates it and one that does not.
@Suite struct RuleTests {
  private static let counter = #"{"0":"0","1":"x","s":["<p>","</p><b class=\"","\"></b>"]}"#
  private static let list =
    #"{"0":{"s":["<li>","</li>"],"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2}},"s":["<ul>","</ul>"]}"#

  private func check(_ session: Session, _ yaml: String) throws -> Check {
    Check(try session.measured(), within: try Budget(yaml))
  }

  @Test func `bytes are those of the largest diff`() throws {
    var session = Session(Self.counter)
    session.event("inc", #"{"0":"1"}"#)
    session.event("inc", #"{"0":"10"}"#)
    #expect(try check(session, "bytes: 10").broken == [])
    let broken = try check(session, "bytes: 9")
    #expect(broken.broken == ["bytes of a diff"])
    let violation = try #require(broken.violations.first?.violation)
    #expect(violation.viewVersion == ViewVersion(view: "lv:phx-1", epoch: 1, version: 2))
    #expect((violation.cause, violation.others) == (.event("inc"), 0))
    #expect(try check(session, "bytes: 8").violations.first?.violation?.others == 1)
  }

  @Test func `nodes are the changes of the diff with the most`() throws {
    var session = Session(Self.counter)
    session.event("inc", #"{"0":"1"}"#)
    session.event("both", #"{"0":"2","1":"y"}"#)
    #expect(try check(session, "nodes: 2").broken == [])
    #expect(try check(session, "nodes: 1").broken == ["changed nodes of a diff"])
  }

  @Test func `waste is the share of the bytes that the page already had`() throws {
    var session = Session(Self.counter)
    session.event("inc", #"{"0":"1","1":"x"}"#)
    // 3 of 17 bytes.
    #expect(try check(session, "waste: 18%").broken == [])
    let broken = try check(session, "waste: 0.17")
    #expect(broken.broken == ["bytes without effect"])
    #expect(broken.violations.first?.measuredText == "17.6 %")
    #expect(broken.violations.first?.violation?.details == ["slot 1: 3 B without effect"])
  }

  @Test func `idle renders are the share of evaluations with the same result`() throws {
    // A native page in which a signal reaches a view that does not show it.
    let recording = try #require(Fixtures.recording("native-1.0.18/n01_counter"))
    let measurement = try Recorder(name: "n01", dialect: .native).measure(recording)
    #expect(measurement.summary().idleRenders == 4)
    #expect(measurement.summary().renders == 21)
    #expect(Check(measurement, within: try Budget("idle_renders: 20%")).broken == [])
    #expect(Check(measurement, within: try Budget("idle_renders: 19%")).broken == ["idle re-renders"])
    var session = Session(Self.counter)
    session.event("inc", #"{"0":"1"}"#)
    #expect(try check(session, "idle_renders: 0%").broken == [])
  }

  @Test func `latency percentiles include events without a diff`() throws {
    var session = Session(Self.counter)
    session.event("inc", after: 10, #"{"0":"1"}"#)
    session.event("noop", after: 30, nil)
    session.event("inc", after: 20, #"{"0":"2"}"#)
    #expect(
      try check(session, "{latency_p50: 20ms, latency_p95: 30ms, latency_p99: 30ms}").broken == [])
    #expect(
      try check(session, "{latency_p50: 19ms, latency_p95: 29ms, latency_p99: 29ms}").broken == [
        "latency, 50th percentile", "latency, 95th percentile", "latency, 99th percentile",
      ])
    #expect(
      try check(session, "events: {inc: {latency_p99: 19ms}, noop: {latency_p50: 30ms}}").broken == [
        "inc: latency, 99th percentile"
      ])
  }

  @Test func `a list without keys is sent again after an insertion`() throws {
    var session = Session(Self.list)
    session.event("add", #"{"0":{"k":{"0":{"0":"n"},"1":{"0":"a"},"2":{"0":"b"},"kc":3}}}"#)
    let broken = try check(session, "bytes: 100")
    #expect(broken.broken == ["lists sent again"])
    #expect(
      broken.violations.first?.violation?.details == [
        "v1: the list in slot 0 was sent again: 2 of 3 entries only moved"
      ])
    var keyed = Session(Self.list)
    keyed.event("add", #"{"0":{"k":{"0":{"0":"n"},"1":0,"2":1,"kc":3,"km":true}}}"#)
    #expect(try check(keyed, "bytes: 100").broken == [])
  }

  @Test func `an update at which the client stops is a fault`() throws {
    // The client of 1.2.8 and later throws at a move without `km`.
    var session = Session(Self.list, version: "1.2.10")
    session.event("swap", #"{"0":{"k":{"0":1,"1":0,"kc":2}}}"#)
    let broken = try check(session, "bytes: 100")
    #expect(broken.broken == ["client errors"])
    let violation = try #require(broken.violations.first?.violation)
    #expect((violation.viewVersion?.version, violation.cause) == (1, .event("swap")))
    #expect(violation.details.first?.hasPrefix("v1: ") == true)
    #expect(try check(session, "client_throws: 1").broken == [])
  }

  @Test func `a list is sent whole if at least half of the entries had these values`() throws {
    var session = Session(Self.list)
    session.event("select", #"{"0":{"k":{"0":{"0":"a"},"1":{"0":"z"},"kc":2}}}"#)
    let broken = try check(session, "bytes: 100")
    #expect(
      broken.violations.first?.violation?.details == [
        "v1: the list in slot 0 was sent whole: 1 of 2 entries had the same values"
      ])
    #expect(try check(session, "resent_lists: 1").broken == [])
    // New values in every entry are no resend, and a part of an entry is not the whole of it.
    var changing = Session(Self.list)
    changing.event("refresh", #"{"0":{"k":{"0":{"0":"y"},"1":{"0":"z"},"kc":2}}}"#)
    #expect(try check(changing, "bytes: 100").broken == [])
    var partial = Session(
      #"{"0":{"s":["<li class=\"","\">","</li>"],"k":{"0":{"0":"","1":"a"},"1":{"0":"","1":"b"},"kc":2}},"s":["<ul>","</ul>"]}"#
    )
    partial.event("select", #"{"0":{"k":{"0":{"0":""},"1":{"0":"on"},"kc":2}}}"#)
    #expect(try check(partial, "bytes: 100").broken == [])
  }

  @Test func `lists of LiveView 1.0, which has no keys, are advised streams`() throws {
    func advice(_ before: String, _ after: String) throws -> String? {
      var session = Session(#"{"0":\#(before),"s":["<ul>","</ul>"]}"#)
      session.event("add", #"{"0":\#(after)}"#)
      return try check(session, "bytes: 999").violations.first?.violation?.advice
    }
    let old = try advice(#"{"d":[["a"],["b"]],"s":["<li>","</li>"]}"#, #"{"d":[["n"],["a"],["b"]]}"#)
    #expect(old?.hasPrefix("Use a stream, because comprehensions of LiveView 1.0 have no :key") == true)
    let keyed = try advice(
      #"{"s":["<li>","</li>"],"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2}}"#,
      #"{"k":{"0":{"0":"n"},"1":{"0":"a"},"2":{"0":"b"},"kc":3}}"#)
    #expect(keyed?.hasPrefix("Give each entry a :key") == true)
  }

  @Test func `an identity is lost if one diff removes and adds the same id`() throws {
    let page = #"{"0":"<i id=\"a\">1</i>","s":["<p>","</p>"]}"#
    var session = Session(page)
    session.event("swap", #"{"0":"<b id=\"a\">1</b>"}"#)
    let broken = try check(session, "bytes: 100")
    #expect(broken.broken == ["lost identities"])
    #expect(broken.violations.first?.violation?.details == ["v1: <i#a> was removed, and <b#a> added"])
    var kept = Session(page)
    kept.event("change", #"{"0":"<i id=\"a\" class=\"b\">2</i>"}"#)
    // Removed, and added by a later diff: the element was not on the page in between.
    kept.event("hide", #"{"0":""}"#)
    kept.event("show", #"{"0":"<b id=\"a\">1</b>"}"#)
    #expect(try check(kept, "bytes: 100").broken == [])
  }

  @Test func `an id on two elements is found once, in the first version that has it`() throws {
    var session = Session(#"{"0":"","s":["<p id=\"a\"></p>",""]}"#)
    session.event("add", #"{"0":"<b id=\"a\"></b>"}"#)
    session.event("add", #"{"0":"<b id=\"a\">1</b>"}"#)
    let broken = try check(session, "bytes: 100")
    #expect(broken.broken == ["duplicate ids"])
    #expect(broken.violations.first?.measured == 1)
    #expect(
      broken.violations.first?.violation?.details == [
        "v1: the id \"a\" is at p:nth-child(1) and at b:nth-child(2)"
      ])
    var unique = Session(#"{"0":"","s":["<p id=\"a\"></p>",""]}"#)
    unique.event("add", #"{"0":"<b id=\"b\"></b>"}"#)
    #expect(try check(unique, "bytes: 100").broken == [])
  }

  @Test func `a rejected frame is found with its reason`() throws {
    var session = Session(Self.counter)
    session.event("inc", #"{"7":"1"}"#)
    let broken = try check(session, "bytes: 100")
    #expect(broken.broken == ["rejected frames"])
    let detail = try #require(broken.violations.first?.violation?.details.first)
    #expect(
      detail.hasPrefix("frame 3 of lv:phx-1: line 4, at /frame/4/response/diff/7: this slot does not exist"),
      "\(detail)")
    #expect(try check(session, "rejected: 1").broken == [])
  }

  // MARK: - Which diffs a limit is about

  @Test func `the limit of an event replaces that of all diffs, for its diffs only`() throws {
    var session = Session(Self.counter)
    session.event("inc", #"{"0":"1"}"#)
    session.event("load", #"{"0":"0123456789"}"#)
    session.push(#"{"0":"0123456789"}"#)
    #expect(
      try check(session, "{bytes: 10, events: {load: {bytes: 18}}, server_push: {bytes: 17}}").broken == [
        "(server push): bytes of a diff"
      ])
    #expect(try check(session, "{bytes: 10, events: {load: {bytes: 18}}, server_push: {bytes: 18}}").broken == [])
    #expect(
      try check(session, "{bytes: 8, events: {load: {bytes: any}}, server_push: {bytes: any}}").broken == [
        "bytes of a diff"
      ])
  }

  @Test func `without a budget only the faults are checked`() throws {
    var session = Session(Self.counter)
    session.event("inc", #"{"0":"1"}"#)
    let check = Check(try session.measured(), within: .standard)
    #expect(
      check.results.map(\.rule) == [
        .resentLists, .lostIdentities, .duplicateIDs, .rejected, .clientThrows, .versionSkew,
      ])
    #expect(check.broken == [])
  }

  @Test func `a limit without anything to measure is neither kept nor exceeded`() throws {
    let session = Session(Self.counter)
    let result = try #require(try check(session, "latency_p95: 1ms").results.first)
    #expect((result.measured == nil, result.violation == nil) == (true, true))
    #expect(result.measuredText == "not measured")
  }

  @Test func `flags take precedence over the budget`() throws {
    var session = Session(Self.counter)
    session.event("inc", #"{"0":"1"}"#)
    let budget = try Budget("{bytes: 8, nodes: 0}").with([.bytes: 9, .nodes: Double?.none])
    #expect(Check(try session.measured(), within: budget).broken == [])
  }

  @Test func `an event that no recording has is noticed`() throws {
    var session = Session(Self.counter)
    session.event("inc", #"{"0":"1"}"#)
    let budget = try Budget("{events: {inc: {bytes: 9}, incr: {bytes: 9}}}")
    #expect(budget.unknownSubjects(in: [try session.measured()]) == [.cause(.event("incr"))])
  }
}
