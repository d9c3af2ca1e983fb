internal import ArgumentParser
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

      BEFORE and AFTER are what check accepts: files, - for standard input, or addresses of a running mirror. Views are paired in \
      the order of their first mounts, because their ids differ between sessions.

      Exit codes: 0 the recordings were compared, whatever the result; 64 wrong usage, 65 a recording has an error, 66 a file cannot \
      be read, 69 the mirror cannot be reached, 73 a file cannot be written, 77 the mirror needs a token.
      """)

  @Argument(help: "The recording before the change.", completion: .file())
  var before: String

  @Argument(help: "The recording after the change.", completion: .file())
  var after: String

  @Option(help: "The dialect of pages that do not name one: \(Dialect.names).")
  var dialect = "html"

  @Flag(help: "Print JSON instead of text.")
  var json = false

  @Option(help: ArgumentHelp("Write Markdown, such as to $GITHUB_STEP_SUMMARY.", valueName: "file"))
  var markdown: String?

  @Option(help: ArgumentHelp("The token of the mirror [MIRROR_TOKEN].", valueName: "token"))
  var token: String?

  @Option(help: ArgumentHelp("A file that holds the token [MIRROR_TOKEN_FILE].", valueName: "file"))
  var tokenFile: String?

  func validate() throws {
    if Dialect(rawValue: dialect) == nil {
      throw ValidationError("--dialect: \"\(dialect)\" must be \(Dialect.names)")
    }
    if before == "-", after == "-" { throw ValidationError("standard input (-) can be compared once only") }
    if json, markdown == "-" { throw ValidationError("--markdown - and --json both use standard output: name a file") }
  }

  func run() throws {
    let needsToken = [before, after].contains(where: RecordingSource.isAddress)
    let token =
      needsToken
      ? try ServeSettings.ofMirror(token: token, tokenFile: tokenFile, environment: Environment.read()).token : nil
    let (old, new) = (try measured(before, token), try measured(after, token))
    let comparison = Comparison(old, new)
    Output.write(json ? ComparisonJSON.text(comparison) : ComparisonText(comparison, style: .ofOutput).text)
    if let markdown { try OutputFile.write(ComparisonMarkdown.text(comparison), to: markdown) }
  }

  private func measured(
    _ name: String, _ token: String?
  ) throws -> (recorder: Recorder, measurement: Measurement) {
    try RecordingSource(name: name, token: token).measured(
      dialect: Dialect(rawValue: dialect) ?? .html, keepsPages: true)
  }
}
