public import ArgumentParser
import Benchmarking
import LiveViewMirror
import MirrorSupport

/// `MirrorBenchmarks run`, the default command: measures pages, and compares them with a baseline.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure pages in both pipelines, and compare with a baseline.",
    discussion: """
      Without names, every page is measured, then how the cost grows, stages by themselves, and memory. A FILE is a \
      recording, or a page with {"steps": [{"rendered": …}, {"diff": …}, …]}.
      """)

  @Argument(help: "Names of pages, or files.")
  var pages: [String] = []

  @Option(help: "Rounds of both pipelines in turn. Slow pages get fewer, at least three.")
  var rounds: Int?

  @Flag(help: "A look only: short samples, few rounds. Nothing to keep.")
  var quick = false

  @Option(help: "One pipeline alone: scoped or full.")
  var pipeline: UpdateOptions.Pipeline?

  @Flag(help: "Draw the pages as well: what evaluating the views that are told costs comes on top.")
  var views = false

  @Option(help: "Write everything that was measured as JSON.")
  var json: String?

  @Flag(help: "Print the tables as Markdown, as they stand in docs/performance.md.")
  var markdown = false

  @Flag(help: "Compare with the baseline, and end with 1 if something became worse.")
  var check = false

  @Flag(help: "Write the baseline.")
  var updateBaseline = false

  @Option(help: "The baseline's file.")
  var baseline = "docs/benchmarks/baseline.json"

  @Option(help: "How many times worse a ratio may be.")
  var tolerance = 1.5

  func validate() throws {
    if updateBaseline, !pages.isEmpty || pipeline != nil || quick || views {
      throw ValidationError("a baseline holds every page in both pipelines, without views, measured at length")
    }
    if check, pipeline != nil {
      throw ValidationError("--check compares ratios of the two pipelines: it needs both")
    }
    if tolerance < 1 { throw ValidationError("a tolerance is 1 or more: what was measured before is no fault") }
  }

  func run() throws {
    var limits = quick ? MeasurementLimits.quick : MeasurementLimits()
    if let rounds { limits.rounds = rounds }
    var report = BenchmarkReport(machine: .here)
    let names = pages.isEmpty ? Workload.names : pages
    for name in names {
      Output.progress("\(name) …")
      let pipelines = pipeline.map { [$0] } ?? [.full, .scoped]
      let page = PageMeasurement(
        workload: try Workload.named(name), pipelines: pipelines, limits: limits, drawsPage: views)
      report.pages.append(page.run())
    }
    report.findGrowth()
    if pages.isEmpty {
      Output.progress("stages …")
      report.throughput = try StageMeasurement(limits: limits).run()
      Output.progress("memory …")
      report.memory = MemoryChild.results(of: pipeline)
    }
    Output.progress("")

    print(markdown ? report.markdown : report.text)
    if let json { try File.write(try ReportJSON.encode(report), to: json) }
    let now = Baseline(report)
    if check { try compare(now) }
    if updateBaseline {
      try File.write(try ReportJSON.encode(now), to: baseline)
      print("\(baseline) is written.")
    }
  }

  private func compare(_ now: Baseline) throws {
    guard let bytes = try? SystemFile.bytes(of: baseline) else {
      throw ValidationError("cannot read the baseline \(baseline)")
    }
    let before = try ReportJSON.decode(Baseline.self, from: bytes)
    let compared = now.pages.keys.count { before.pages[$0] != nil }
    guard compared > 0 else { throw ValidationError("none of these pages is in the baseline \(baseline)") }
    let findings = before.regressions(in: now, tolerance: tolerance)
    if findings.isEmpty {
      print(
        "Of \(compared) of the \(before.pages.count) pages in \(baseline), nothing is more than "
          + "\(FormattedMeasurement.number(tolerance)) times worse.")
      return
    }
    print("Worse than in \(baseline) by more than \(FormattedMeasurement.number(tolerance)) times:")
    for finding in findings { print("  \(finding)") }
    throw ExitCode.failure
  }
}

extension UpdateOptions.Pipeline: ExpressibleByArgument {}
