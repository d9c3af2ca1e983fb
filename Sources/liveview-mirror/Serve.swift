import ArgumentParser
import LiveViewMirror
import Logging
import MicroHTTP
import MirrorInspector

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take diffs by POST and serve the inspector.",
    discussion: """
      Listens on this machine alone unless told otherwise. Views live in memory: they are gone when the program ends, \
      which Ctrl-C or SIGTERM asks for; requests that have begun are finished first, and a second signal ends it at once.

      Every option is an environment variable as well, named in brackets; the option wins. The log, on standard error, \
      begins with what was set and by whom.
      """)

  @OptionGroup(title: "Settings") var flags: ServeFlags

  func run() throws {
    let environment = Environment.read()
    let settings: ServeSettings
    do throws(SettingsError) {
      settings = try ServeSettings(flag: flags.text(of:), environment: environment, file: Input.bytes(of:))
    } catch {
      for problem in error.problems { Output.error(problem) }
      throw ExitCode.usage
    }
    Heap.shareAmongThreads()
    Heap.returnUnused()
    // Nobody who stops reading what is printed may end the server.
    signal(SIGPIPE, SIG_IGN)
    let log = ServerLog(
      logger: Logger(label: "liveview-mirror") { _ in
        LineLogHandler(level: settings.logLevel, format: settings.logFormat, sink: .standardError)
      })
    for warning in Environment.warnings(about: environment.keys) { log.logger.warning("\(warning)") }
    log.note(settings)
    try serve(settings, log: log)
  }
}
