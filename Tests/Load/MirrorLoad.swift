import ArgumentParser

/// Load tests and attacks, run as a separate program against the built mirror.
@main
struct MirrorLoad: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "What the server holds under load; docs/performance.md explains the figures.",
    subcommands: [
      Streams.self, Memory.self, Faults.self, Fuzz.self, Bodies.self, Latency.self, Readers.self, JournalLoad.self,
      MirrorsLoad.self,
      Victim.self, Burner.self,
    ])
}

/// Options of all subcommands.
struct LoadOptions: ParsableArguments {
  @Option(help: "The mirror's program.") var program = ".build/release/liveview-mirror"
  @Option(help: "More arguments for its `serve`, separated by spaces.") var serve = ""
  @Flag(help: "Scaled down, for CI.") var quick = false

  var arguments: [String] { serve.split(separator: " ").map(String.init) }
}
