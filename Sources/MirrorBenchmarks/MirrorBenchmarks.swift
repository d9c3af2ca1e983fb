import ArgumentParser

/// Measures the update process in both pipelines, scoped and full. `script/bench` builds and runs
/// it.
@main
struct MirrorBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "MirrorBenchmarks",
    abstract: "Measures what a diff costs in either pipeline.",
    discussion: """
      Read ratios, between lines of one run: a machine's own speed and what else it does are in every time. \
      docs/performance.md explains how it is measured. script/bench builds this for release and runs it.
      """,
    subcommands: [Run.self, Memory.self, Publish.self, Instructions.self, Loop.self, List.self],
    defaultSubcommand: Run.self)
}

struct List: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Print the names of the pages.")

  func run() throws {
    for page in Workload.names { print(page) }
  }
}
