import ArgumentParser
import Benchmarking
import LiveViewMirror
import MirrorSupport

/// Counts instructions on machines whose processor counters cannot be read, such as most containers
/// and virtual machines. `script/bench --instructions` runs it.
struct Instructions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Count the instructions of a diff with valgrind's callgrind.",
    discussion: """
      Runs a page's diffs twice under callgrind, once more often than the other time: the difference is the diffs, without \
      the program's start and the mount. Slow, and the same in every run.
      """)

  @Argument(help: "Names of pages. All that take less than minutes, if none are named.")
  var pages: [String] = []

  @Option(help: "One pipeline alone: scoped or full.")
  var pipeline: UpdateOptions.Pipeline?

  @Option(help: "This program without debug information, which some valgrinds cannot read. script/bench makes it.")
  var program: String?

  func run() throws {
    guard Child.output(of: ["--version"], program: "valgrind") != nil else {
      throw ValidationError("valgrind is not installed")
    }
    let pages = pages.isEmpty ? Self.usual : pages
    var rows: [[String]] = []
    for name in pages {
      let workload = try Workload.named(name)
      guard workload.isCycle else { throw ValidationError("\(name): its diffs do not go round") }
      let counts = try [UpdateOptions.Pipeline.full, .scoped].map { each -> Double? in
        guard pipeline == nil || pipeline == each else { return nil }
        Output.progress("\(name), \(each.rawValue) …")
        return try instructions(of: name, in: each, diffs: workload.diffs.count)
      }
      let ratio = counts[0].flatMap { full in counts[1].map { full / $0 } }
      let perEntry = counts[1].flatMap { scoped in workload.entries.map { scoped / $0 } }
      rows.append(
        [name] + counts.map { FormattedMeasurement.count($0.map { Int($0) }) } + [
          FormattedMeasurement.ratio(ratio), FormattedMeasurement.number(perEntry),
        ])
    }
    Output.progress("")
    print("Instructions of one diff, from its JSON text to the published and logged version.\n")
    print(TextTable.ofFigures(head: ["page", "full", "scoped", "×", "scoped/entry"], rows: rows).text())
  }

  private static let usual = [
    "a_counter", "b_table1k_cell", "c_table1k_delete", "d_table1k_reverse", "f_dashboard", "g_components", "h_static",
    "s_title_100", "s_title_1000", "s_title_3000",
  ]

  private func instructions(of name: String, in pipeline: UpdateOptions.Pipeline, diffs: Int) throws -> Double {
    // The first round also fills caches. Both runs include it, so the difference does not.
    let (few, many) = pipeline == .full ? (1, 3) : (2, 22)
    let less = try total(of: name, in: pipeline, cycles: few)
    let more = try total(of: name, in: pipeline, cycles: many)
    return (more - less) / Double((many - few) * diffs)
  }

  private func total(of name: String, in pipeline: UpdateOptions.Pipeline, cycles: Int) throws -> Double {
    let output = Child.output(
      of: [
        "--tool=callgrind", "--callgrind-out-file=/dev/null", program ?? Child.ownPath, "loop", name, "--pipeline",
        pipeline.rawValue, "--cycles", String(cycles),
      ], program: "valgrind", withErrors: true)
    // ==123== Collected : 456789
    let lines = output.map { String(decoding: $0, as: UTF8.self).split(separator: "\n") } ?? []
    let count = lines.first { $0.contains("Collected : ") }?.split(separator: " ").last.flatMap { Double($0) }
    guard let count else { throw BenchmarkError("valgrind counted nothing: \(lines.last ?? "it could not be run")") }
    return count
  }
}

/// The work that ``Instructions`` counts. A profiler can also be attached to it.
struct Loop: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Go round one page's diffs and print nothing: for profilers.")

  @Argument(help: "The name of a page, or a file.")
  var page: String

  @Option(help: "The pipeline: scoped or full.")
  var pipeline = UpdateOptions.Pipeline.scoped

  @Option(help: "How many times round.")
  var cycles = 1000

  func run() throws {
    let workload = try Workload.named(page)
    guard workload.isCycle else { throw ValidationError("\(page): its diffs do not go round") }
    let session = Session(workload, pipeline: pipeline)
    session.mount()
    for _ in 0..<cycles { session.playDiffs() }
  }
}
