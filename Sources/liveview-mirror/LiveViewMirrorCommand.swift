import ArgumentParser
import CLibrary
import CommandSupport
import MirrorSupport

/// The program, with a subcommand for each of its uses.
@main
struct LiveViewMirrorCommand: ParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "liveview-mirror",
    abstract: "Shows what a Phoenix LiveView's diffs do to its page.",
    discussion: """
      A LiveView sends its page once and then small diffs. The mirror applies them as a client does, and shows the tree, \
      the subscribers of every node, and what every diff changed.

      See it without an app:

        liveview-mirror demo

      Start it, feed it, and look at it on http://localhost:8080:

        liveview-mirror serve
        curl localhost:8080/views/counter/rendered -d '{"0":"0","s":["<p>","</p>"]}'
        curl localhost:8080/views/counter/diffs -d '{"0":"1"}'

      Or mirror a page of a running app:

        liveview-mirror attach http://localhost:4000/

      Or open recorded traffic, such as a HAR of a browser, in the inspector; or print what it changed, without a server:

        liveview-mirror import traffic.har
        liveview-mirror replay traffic.har

      Or hold it to a budget in CI:

        liveview-mirror check traffic.har
      """,
    version: version,
    subcommands: [
      Serve.self, Demo.self, Attach.self, Replay.self, ImportFiles.self, CheckRecordings.self, CompareRecordings.self,
      PushEvent.self,
      Healthcheck.self,
    ])

  static func main() {
    let names = configuration.subcommands.map { $0._commandName } + ["help"]
    if let name = CommandLine.arguments.dropFirst().first, !name.hasPrefix("-"), !names.contains(name) {
      let hint =
        name.mostSimilar(among: names).map { "did you mean “\($0)”?" }
        ?? "it must be one of \(names.joined(separator: ", "))"
      Output.error("“\(name.beginning(60))” is not a command: \(hint)")
      exit(withError: ExitCode.usage)
    }
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      // The message of an exit code was printed before it was thrown.
      if error is ExitCode || exitCode(for: error) != .usage { exit(withError: error) }
      for line in message(for: error).split(separator: "\n") { Output.error(String(line)) }
      let command = CommandLine.arguments.dropFirst().first { names.contains($0) }.map { " \($0)" } ?? ""
      Output.write("liveview-mirror\(command) --help lists the options\n", to: STDERR_FILENO)
      exit(withError: ExitCode.usage)
    }
  }
}
