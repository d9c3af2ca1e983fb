import ArgumentParser
import Benchmarking
import LiveViewMirror
import MirrorSupport

/// Measures one page in a separate process, so that all resident memory belongs to it. ``Run``
/// starts it for some pages by ``MemoryChild``.
struct Memory: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the memory of one page, in this process.",
    discussion: """
      Prints what is resident before the mount, after it with an observer on every element, and at most in the mount and \
      one round of diffs; and what every further version adds, its log included. The benchmark starts itself with it, once for every page.
      """)

  @Argument(help: "The name of a page, or a file.")
  var page: String

  @Option(help: "The pipeline: scoped or full.")
  var pipeline = UpdateOptions.Pipeline.scoped

  @Option(help: "How many versions to make after the mount.")
  var versions = 10_000

  @Option(help: "Make no more versions after so many seconds.")
  var seconds = 20

  @Option(help: "Keep so many versions in the log, and let the oldest go; all, without it.")
  var kept: Int?

  @Flag(help: "Draw the page as well: its log says which views every version evaluated.")
  var views = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let workload = try Workload.named(page)
    let session = Session(workload, pipeline: pipeline, drawsPage: views, keeping: kept)
    let before = ProcessMemory.used
    let knowsPeak = ProcessMemory.forgetPeak()
    session.mount()
    let mounted = ProcessMemory.used

    // The first diffs fill caches that later versions share.
    if workload.isCycle { session.playDiffs() }
    let peak = knowsPeak ? ProcessMemory.peak : nil
    let first = ProcessMemory.used
    var made = 0
    let diffs = workload.diffs.count
    let end = Clock.now + UInt64(max(0, seconds)) * 1_000_000_000
    while workload.isCycle, diffs > 0, made < versions, Clock.now < end {
      session.playDiffs()
      made += diffs
    }
    let result = BenchmarkReport.MemoryResult(
      page: workload.name, pipeline: pipeline.rawValue, before: before, mounted: mounted,
      peak: peak, versions: made,
      bytesPerVersion: made == 0 ? 0 : Double(ProcessMemory.used - first) / Double(made))
    if json {
      Output.write(try ReportJSON.encode(result))
    } else {
      var report = BenchmarkReport(machine: .here)
      report.memory = [result]
      print(report.text)
    }
  }
}

/// Starts this program again to measure one page.
enum MemoryChild {
  /// A large page in both pipelines, and small ones.
  ///
  /// The full pipeline makes few versions, because it is slow and each version adds the same
  /// memory.
  static func results(of pipeline: UpdateOptions.Pipeline?) -> [BenchmarkReport.MemoryResult] {
    let plan: [(page: String, pipeline: UpdateOptions.Pipeline, versions: Int)] = [
      ("a_counter", .scoped, 10_000), ("f_dashboard", .scoped, 10_000), ("e_table10k_cell", .scoped, 10_000),
      ("e_table10k_cell", .full, 20),
    ]
    return plan.filter { pipeline == nil || $0.pipeline == pipeline }.compactMap { page, pipeline, versions in
      let output = Child.output(
        of: ["memory", page, "--pipeline", pipeline.rawValue, "--versions", String(versions), "--json"])
      return output.flatMap { try? ReportJSON.decode(BenchmarkReport.MemoryResult.self, from: $0) }
    }
  }
}
