internal import ArgumentParser
internal import CommandSupport
internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorChecks

/// `liveview-mirror compare`: compares two recordings of the same scenario.
struct CompareRecordings: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two recordings of the same scenario, such as those of two branches.",
    discussion: """
      Prints bytes, changed nodes, waste, re-renders and latency of all diffs and of each event, with the difference, and the first \
      version at which the pages differ, with both pages.

      BEFORE and AFTER are anything that 'liveview-mirror check' accepts: files, - for standard input, or addresses of a running mirror. Views are paired in \
      the order of their first mounts, because their ids differ between sessions.

      Exit codes: 0 the recordings were compared; 1 something has increased by more than --max-increase, or AFTER lacks an event; 64 wrong usage, 65 a recording has an error, 66 a file cannot \
      be read, 69 the mirror cannot be reached, 73 a file cannot be written, 77 the mirror needs a token.
      """)

  @Argument(help: "The recording before the change.", completion: .file())
  var before: String

  @Argument(help: "The recording after the change.", completion: .file())
  var after: String

  @OptionGroup var dialect: DialectOption

  @Option(
    help: ArgumentHelp(
      """
      Exit with 1 if a measure of all diffs or of an event has increased by more than this share, such as 10%, or if AFTER lacks an \
      event. Latencies do not count, since they depend on the machine.
      """, valueName: "share"))
  var maxIncrease: String?

  @Flag(help: "Also print an annotation of GitHub Actions for each increase and each error.")
  var github = false

  @Flag(help: "Print JSON instead of text.")
  var json = false

  @Option("Write Markdown, such as to $GITHUB_STEP_SUMMARY.", of: "file") var markdown: String?

  @OptionGroup var access: TokenOptions

  func validate() throws {
    if let maxIncrease, LimitText.share(maxIncrease, atMost: 1_000) == nil {
      throw invalid("--max-increase", maxIncrease, "must be a share, such as 10%, 150% or 0.1")
    }
    if json, github { throw ValidationError("--json and --github both use standard output: remove one") }
    if before == "-", after == "-" { throw ValidationError("standard input (-) can be compared once only") }
    if json, markdown == "-" { throw ValidationError("--markdown - and --json both use standard output: name a file") }
  }

  func run() throws {
    let token = try RecordingSource.token(for: [before, after], access)
    let source = { RecordingSource(name: $0, token: token) }
    var comparison: Comparison
    do throws(CommandFailure) {
      comparison = Comparison(
        try source(before).measured(dialect: dialect.value, keepsPages: true),
        try source(after).measured(dialect: dialect.value, keepsPages: true))
      if let maxIncrease, let share = LimitText.share(maxIncrease, atMost: 1_000) {
        comparison.limit(increasesTo: share)
      }
      Output.write(json ? ComparisonJSON.text(comparison) : ComparisonText(comparison, style: .ofOutput).text)
      comparison.failures.map(Terminal.line).forEach(Output.annotate)
      if let markdown { try OutputFile.write(ComparisonMarkdown.text(comparison), to: markdown) }
    } catch { throw loggedError(error.text, code: error.code) }
    if !comparison.failures.isEmpty { throw ExitCode.failure }
  }
}
