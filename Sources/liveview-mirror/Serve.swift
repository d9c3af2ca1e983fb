import ArgumentParser
import CLibrary
import CommandSupport
import LiveViewMirror
import Logging
import MicroHTTP
import MirrorInspector

/// `liveview-mirror serve`: reads the settings, and serves until a signal arrives. ``Demo`` and
/// ``ImportFiles`` also start a mirror, by the same two functions: `run` and `serve`.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take diffs by POST and serve the inspector.",
    discussion: """
      By default only this machine can reach it. Views are kept in memory and lost when the program ends, unless --journal names a database. Ctrl-C or \
      SIGTERM ends it after the running requests; a second signal ends it at once.

      Every option is also an environment variable, named in brackets; the option wins. The log, on standard error, \
      begins with every setting and what set it.
      """)

  @OptionGroup(title: "Settings") var flags: ServeFlags

  func run() throws { try Self.run(flags) { settings, log in try Self.serve(settings, log: log) } }

  /// Reads the settings, prepares the process for a server, and calls `body`.
  ///
  /// - Parameters:
  ///   - flags: the flags of the command.
  ///   - defaults: values for environment variables that are not set.
  ///   - body: starts the server.
  /// - Throws: the exit code, after a message was printed for each setting that is wrong.
  static func run(
    _ flags: ServeFlags, defaults: [String: String] = [:], _ body: (ServeSettings, ServerLog) throws -> Void
  ) throws {
    let environment = Environment.read().merging(defaults) { $0.isEmpty ? $1 : $0 }
    let settings: ServeSettings
    do throws(SettingsError) {
      settings = try ServeSettings(
        flag: flags.text(of:), environment: environment, file: Input.bytes(of:), memory: MachineMemory.bytes)
    } catch {
      for problem in error.problems { Output.error(problem) }
      throw ExitCode.usage
    }
    Heap.shareAmongThreads()
    Heap.returnUnused()
    // A closed pipe of standard output or error must not end the server.
    signal(SIGPIPE, SIG_IGN)
    let log = ServerLog(
      logger: Logger(label: "liveview-mirror") { _ in
        LineLogHandler(level: settings.logLevel, format: settings.logFormat, sink: .standardError)
      }, warnings: Environment.warnings(about: environment.keys))
    try body(settings, log)
  }
}
