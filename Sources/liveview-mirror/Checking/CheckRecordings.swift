internal import ArgumentParser
internal import CommandSupport
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

      The budget is mirror.yml of the current folder, or the file of --budget. The flags are limits of the whole recording. Without a \
      budget, the faults are checked: resent lists, lost identities, duplicate ids, rejected frames, client errors and version skews.

        bytes: 4096
        waste: 10%
        latency_p95: 200ms
        events:
          inc: {bytes: 200, nodes: 5}
        views:
          ShopWeb.CartLive: {mount_bytes: 20KB}
        pages:
          /products/*: {total_bytes: 40KB}

      With --attach and --steps, a page of a running app is opened without a browser, and the steps are run on it. The frames of the \
      page are the recording:

        - click: "#inc"
        - assert: "#count"
          text: "1"

      Exit codes: 0 all limits are kept, 1 a limit is exceeded, a step has failed or --strict has found a gap, 64 wrong usage, 65 a recording, the budget or the \
      steps have an error, 66 a file or page cannot be read, 69 the mirror or the app cannot be reached, 73 a file cannot be written, \
      76 the app does not speak the channel protocol, 77 the mirror needs a token or the app refuses the join.
      """)

  @Argument(
    help: ArgumentHelp("The recordings: files, - for standard input, or addresses.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Option("The budget (default: mirror.yml, if it exists).", of: "file", completion: .file()) var budget: String?

  @Flag(help: "Write the budget from the measurement, with headroom, instead of checking.")
  var update = false

  @Flag(help: "With --update, also write limits of latencies, which depend on the machine.")
  var withLatencies = false

  @Flag(
    help: """
      Fail if there is no budget, a recording has no diff, a limit could not be measured, or a limited event, view or page is in no \
      recording. For CI.
      """)
  var strict = false

  @OptionGroup var dialect: DialectOption

  @OptionGroup(title: "A live page") var live: LivePageOptions

  @OptionGroup(title: "Limits of the whole recording") var limits: BudgetFlags

  @OptionGroup(title: "Output") var outputs: CheckOutputs

  @OptionGroup var access: TokenOptions

  static let usualBudget = "mirror.yml"

  func validate() throws {
    if files.isEmpty, live.attach == nil {
      throw ValidationError("name a recording, or a live page with --attach and --steps")
    }
    if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("standard input (-) can be checked once only") }
    if withLatencies, !update { throw ValidationError("--with-latencies chooses what --update writes: add --update") }
    if update, strict {
      throw ValidationError("--strict: --update writes the budget and checks nothing; remove one of both")
    }
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
    var failures: [CommandFailure] = []
    let measurements = try self.measurements(&failures)
    if update {
      if let failure = failures.first { throw failure.code }
      return try write(
        file.budget.updated(from: measurements, withLatencies: withLatencies), replacing: file, measurements)
    }
    let budget = file.budget.with(limits.limits)
    let report = CheckReport(
      measurements.map { Check($0, within: budget) }, within: budget,
      of: file.text != nil ? name : limits.given.isEmpty ? nil : "the flags", isStrict: strict,
      failures: failures.map(\.text))
    report.failures.dropFirst(failures.count).forEach(Output.annotate)
    let unwritten = outputs.write(report)
    if !report.isOK { throw failures.first?.code ?? .failure }
    if let failure = unwritten.first { throw failure.code }
  }

  /// Reads all recordings, also after one that cannot be read, so that one run reports everything
  /// that is wrong.
  ///
  /// - Parameter failures: receives what has failed. The messages are printed.
  private func measurements(_ failures: inout [CommandFailure]) throws -> [Measurement] {
    let token = try RecordingSource.token(for: files, access)
    var measurements: [Measurement] = []
    if let page = live.recorded(&failures) {
      do throws(RecordingError) {
        measurements.append(try Recorder(name: page.name, dialect: page.dialect).measure(page.frames))
      } catch {
        // Steps that fail early leave no view. Then their own failure was noted already.
        if failures.isEmpty { failures.note(CommandFailure(text: Terminal.line(error.description), code: .badInput)) }
      }
    }
    for file in files {
      do throws(CommandFailure) {
        measurements.append(try RecordingSource(name: file, token: token).measured(dialect: dialect.value).measurement)
      } catch { failures.note(error) }
    }
    return measurements
  }

  private func write(_ budget: Budget, replacing file: BudgetFile, _ measurements: [Measurement]) throws {
    do throws(CommandFailure) {
      try OutputFile.write(BudgetWriter.text(budget, replacing: file.text), to: file.name)
    } catch { throw loggedError(error.text, code: error.code) }
    Output.line("wrote \(file.name) from \(Formatted.count(measurements.count, "recording"))")
    let loosened = budget.loosened(since: file.budget)
    if !loosened.isEmpty { Output.line("it permits more than before:") }
    for line in loosened { Output.line("  \(Terminal.line(line))") }
    for measurement in measurements where !measurement.causes.contains(where: { $0 != .serverPush }) {
      Output.error("\(measurement.name): no frame of the client has an event, so the budget has no limits of events")
    }
  }
}

/// The budget of `check`, with the text of its file. ``CheckRecordings`` reads it once, before the
/// recordings.
struct BudgetFile {
  let name: String
  /// The content; `nil` if there is no file.
  let text: String?
  let budget: Budget

  /// - Parameter isRequired: whether a file that does not exist is an error. Otherwise the standard
  ///   budget is used.
  /// - Throws: the exit code, after a message for each problem.
  init(_ name: String, isRequired: Bool) throws {
    self.name = name
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try Input.read(name) } catch {
      if !isRequired, error == .noSuchFile {
        (text, budget) = (nil, .standard)
        return
      }
      throw loggedError("cannot read \(name): \(error)", code: .noInput)
    }
    text = String(decoding: bytes, as: UTF8.self)
    do throws(YAMLProblems) { budget = try BudgetReader.read(bytes, name: name) } catch {
      error.lines.forEach(Output.error)
      throw ExitCode.badInput
    }
  }
}
