internal import ArgumentParser
internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorChecks
internal import MirrorSupport

/// `liveview-mirror check`: holds recordings to a budget.
struct CheckRecordings: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Hold the diffs of a recording to a budget, for CI.",
    discussion: """
      FILE is a recording that replay accepts: a HAR, an export of this program, frames. It may be the address of a running mirror or \
      of one of its views, whose export is then requested.

      The budget is mirror.yml of the current folder, or the file of --budget. The flags are limits of all diffs. Without a budget, the \
      faults are checked: resent lists, lost identities, duplicate ids and rejected frames.

        bytes: 4096
        waste: 10%
        latency_p95: 200ms
        events:
          inc: {bytes: 200, nodes: 5}

      With --attach and --steps, a page of a running app is opened without a browser, and the steps are run on it. The frames of the \
      page are the recording:

        - click: "#inc"
        - assert: "#count"
          text: "1"

      Exit codes: 0 all limits are kept, 1 a limit is exceeded or a step has failed, 64 wrong usage, 65 a recording, the budget or the \
      steps have an error, 66 a file or page cannot be read, 69 the mirror or the app cannot be reached, 73 a file cannot be written, \
      76 the app does not speak the channel protocol, 77 the mirror needs a token or the app refuses the join.
      """)

  @Argument(
    help: ArgumentHelp("The recordings: files, - for standard input, or addresses.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Option(help: ArgumentHelp("The budget (default: mirror.yml, if it exists).", valueName: "file"), completion: .file())
  var budget: String?

  @Flag(help: "Write the budget from the measurement, with headroom, instead of checking.")
  var update = false

  @Option(help: "The dialect of pages that do not name one: \(Dialect.names).")
  var dialect = "html"

  @OptionGroup(title: "A live page") var live: LivePageOptions

  @OptionGroup(title: "Limits of all diffs") var limits: BudgetFlags

  @OptionGroup(title: "Output") var outputs: CheckOutputs

  @Option(help: ArgumentHelp("The token of the mirror [MIRROR_TOKEN].", valueName: "token"))
  var token: String?

  @Option(help: ArgumentHelp("A file that holds the token [MIRROR_TOKEN_FILE].", valueName: "file"))
  var tokenFile: String?

  static let usualBudget = "mirror.yml"

  func validate() throws {
    if Dialect(rawValue: dialect) == nil {
      throw ValidationError("--dialect: \"\(dialect)\" must be \(Dialect.names)")
    }
    if files.isEmpty, live.attach == nil {
      throw ValidationError("name a recording, or a live page with --attach and --steps")
    }
    if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("standard input (-) can be checked once only") }
    if update, !limits.given.isEmpty {
      throw ValidationError(
        "\(limits.given.joined(separator: ", ")): --update writes limits from the measurement; remove one of both")
    }
    if update, !outputs.given.isEmpty {
      throw ValidationError(
        "\(outputs.given.joined(separator: ", ")): --update writes the budget and checks nothing; remove one of both")
    }
  }

  func run() throws {
    let name = budget ?? Self.usualBudget
    let file = try BudgetFile(name, isRequired: budget != nil && !update)
    let measurements = try self.measurements()
    if update { return try write(file.budget.updated(from: measurements), replacing: file, measurements.count) }
    let budget = file.budget.with(limits.limits)
    let warnings = budget.unknownCauses(in: measurements).map { cause in
      let what =
        cause.event.map { "the event \u{201C}\(Terminal.line($0))\u{201D}" } ?? "a diff that the server has pushed"
      return "\(name): no recording has \(what), so its limits were not checked"
    }
    let checks = measurements.map { Check($0, within: budget) }
    try outputs.write(checks, warnings: warnings)
    if checks.contains(where: { !$0.violations.isEmpty }) { throw ExitCode.failure }
  }

  /// Reads all recordings, also after one that cannot be read, so that one run reports everything that is wrong.
  private func measurements() throws -> [Measurement] {
    let needsToken = files.contains(where: RecordingSource.isAddress)
    let token =
      needsToken
      ? try ServeSettings.ofMirror(token: token, tokenFile: tokenFile, environment: Environment.read()).token : nil
    var (measurements, failure): ([Measurement], ExitCode?) = ([], nil)
    if let page = try live.recorded() {
      do throws(RecordingError) {
        measurements.append(try Recorder(name: page.name, dialect: page.dialect).measure(page.frames))
      } catch { throw complaint(Terminal.line(error.description), code: .badInput) }
    }
    for file in files {
      do {
        let source = RecordingSource(name: file, token: token)
        measurements.append(try source.measured(dialect: Dialect(rawValue: dialect) ?? .html).measurement)
      } catch let code as ExitCode { failure = failure ?? code }
    }
    if let failure { throw failure }
    return measurements
  }

  private func write(_ budget: Budget, replacing file: BudgetFile, _ recordings: Int) throws {
    try OutputFile.write(BudgetWriter.text(budget, replacing: file.text), to: file.name)
    Output.line("wrote \(file.name) from \(Figures.count(recordings, "recording"))")
  }
}

/// The budget of a command.
struct BudgetFile {
  let name: String
  /// The content; `nil` if there is no file.
  let text: String?
  let budget: Budget

  /// - Parameter isRequired: whether a file that does not exist is an error. Otherwise the standard budget is used.
  /// - Throws: the exit code, after a message for each problem.
  init(_ name: String, isRequired: Bool) throws {
    self.name = name
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try Input.read(name) } catch {
      if !isRequired, error == .noSuchFile {
        (text, budget) = (nil, .standard)
        return
      }
      throw complaint("cannot read \(name): \(error)", code: .noInput)
    }
    text = String(decoding: bytes, as: UTF8.self)
    do throws(YAMLProblems) { budget = try BudgetReader.read(bytes, name: name) } catch {
      error.lines.forEach(Output.error)
      throw ExitCode.badInput
    }
  }
}
