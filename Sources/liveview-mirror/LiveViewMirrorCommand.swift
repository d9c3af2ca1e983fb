import ArgumentParser

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
}

/// Exit codes beyond 0, from sysexits.h.
extension ExitCode {
  /// A flag or a variable has a wrong value. ArgumentParser uses the same code for wrong flags.
  static let usage = ExitCode(64)
  /// The input was read and something in it was rejected.
  static let badInput = ExitCode(65)
  /// The input could not be opened.
  static let noInput = ExitCode(66)
  /// The address or port cannot be used, or there is no mirror.
  static let unavailable = ExitCode(69)
  /// A file cannot be written.
  static let cannotWrite = ExitCode(73)
  /// A LiveView did not answer: there is no carrier, or no answer came in time. The command may succeed later.
  static let noAnswer = ExitCode(75)
  /// The mirror needs a token.
  static let notPermitted = ExitCode(77)
}
