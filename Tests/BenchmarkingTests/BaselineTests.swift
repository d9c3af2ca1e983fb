import Benchmarking
import MirrorViews
import Testing

@Suite struct BaselineTests {
  /// Times are in microseconds. The counter in the full pipeline is the unit.
  private func report(
    counter: Double = 10, full: Double = 1000, scoped: Double = 5, mount: Double = 3000, allocations: Double = 20
  ) throws -> BenchmarkReport {
    func cost(_ microseconds: Double) throws -> BenchmarkReport.DiffCost {
      let time = try #require(Spread([microseconds * 1000]))
      return .init(time: time, allocations: allocations, changes: 1, fullReasons: [])
    }
    var report = BenchmarkReport(machine: .init(system: "", processor: "", cores: 2, isOptimised: true))
    for (name, full, scoped) in [
      ("a_counter", counter, 4), ("s_title_100", full / 100, scoped), ("s_title_10000", full, scoped),
    ] {
      var page = BenchmarkReport.PageResult(name: name, elements: 12, mountBytes: 100, diffBytes: 9, entries: 1)
      page.mount = Spread([mount * 1000])
      page.full = try cost(full)
      page.scoped = try cost(scoped)
      report.pages.append(page)
    }
    report.findGrowth()
    return report
  }

  @Test func `a baseline has ratios and slopes but no times`() throws {
    let baseline = Baseline(try report())
    let page = try #require(baseline.pages["s_title_10000"])
    #expect((page.fullOverScoped, page.fullOverReference, page.scopedOverReference) == (200, 100, 0.5))
    #expect((page.mountOverReference, page.scopedAllocations) == (300, 20))
    #expect(baseline.growth["title"]?.full == 1 && baseline.growth["title"]?.scoped == 0)
    #expect(baseline.growth["cell"] == nil)
  }

  @Test func `a baseline is unchanged after it is written and read`() throws {
    let baseline = Baseline(try report())
    let file = try ReportJSON.encode(baseline)
    #expect(try ReportJSON.decode(Baseline.self, from: file) == baseline)
    let text = String(decoding: file, as: UTF8.self)
    #expect(text.contains("\"s_title_10000\" : {") && text.contains("\"full_over_scoped\" : 200"))
  }

  @Test func `a machine that is three times slower is not a regression`() throws {
    let slower = try report(counter: 30, full: 3000, scoped: 5 * 3, mount: 9000)
    let findings = Baseline(try report()).regressions(in: Baseline(slower))
    // The scoped time of the counter did not increase, which counts as an improvement.
    #expect(findings.filter { $0.page != "a_counter" } == [])
  }

  @Test func `a slower scoped pipeline is found by both ratios unless it is within the tolerance`() throws {
    let before = Baseline(try report())
    let after = Baseline(try report(scoped: 10))
    #expect(
      before.regressions(in: after).map(\.description) == [
        "s_title_100: full / scoped was 2.00 and is 1.00", "s_title_100: scoped / reference was 0.500 and is 1.00",
        "s_title_10000: full / scoped was 200 and is 100", "s_title_10000: scoped / reference was 0.500 and is 1.00",
      ])
    #expect(before.regressions(in: after, tolerance: 2.5) == [])
    #expect(after.regressions(in: before) == [])
  }

  @Test func `a slope may grow by a quarter, allocations by a few`() throws {
    var before = Baseline(try report())
    var after = before
    after.growth["title"]?.scoped = 0.24
    #expect(before.regressions(in: after) == [])
    after.growth["title"]?.scoped = 0.26
    #expect(before.regressions(in: after).map(\.figure) == ["slope, scoped"])
    after = before
    after.pages["a_counter"]?.scopedAllocations = 38
    #expect(before.regressions(in: after) == [])
    after.pages["a_counter"]?.scopedAllocations = 39
    #expect(before.regressions(in: after).map(\.figure) == ["allocations, scoped"])
    // Pages that only one of the runs has are not compared.
    before.pages["a_counter"] = nil
    #expect(before.regressions(in: after) == [])
  }

  @Test func `the report lists pages whose diffs were not scoped`() throws {
    var report = try report()
    report.pages[1].scoped?.fullReasons = ["a <table> began"]
    report.pages[2].scoped?.fullReasons = ["a <table> began"]
    report.pages[2].pipelinesDiffer = true
    let notes = report.text.split(separator: "\n").filter { $0.hasPrefix("!") }
    #expect(
      notes == [
        "! s_title_100, s_title_10000: the scoped pipeline used a full update: a <table> began",
        "! s_title_10000: the pipelines made different changes",
      ])
  }
}
