import ArgumentParser
import CommandSupport
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorInspector
import MirrorSupport

/// `liveview-mirror replay`: plays recorded traffic in this process, and prints what each diff
/// changed.
struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play recorded traffic and print what each diff changed.",
    discussion: """
      FILE is one of these, recognised by its content:

        - a HAR of a browser, with WebSocket messages
        - rows copied from the messages table in the browser's developer tools
        - an export of this program (GET /views/{view}/export)
        - a recording: {"steps": [{"frame": …, "sent": […]}, …]}
        - an array of channel frames, or one JSON text per line: a frame [join_ref, ref, topic, event, payload], alone or as \
      {"at": ms, "sent": bool, "frame": …}; or {"rendered": …} and {"diff": …}, with "view" if there are several views

      The client's own frames (sent) say when and how views are joined, and which event a diff answers.

      Every change is a line: ~ text or attributes, + added, - removed, ⇄ moved, ! a diagnostic. If the file takes longer than a \
      moment and standard error is a terminal, it shows the progress.

      Exit codes: 0 everything was applied, 65 something was rejected or the file has no page, 66 the file cannot be read.
      """)

  @Argument(help: "The file, or - for standard input.", completion: .file())
  var file: String

  @OptionGroup var dialect: DialectOption

  @Option(
    help: """
      What the elements of the views held when the views joined, if no frame of the client says so: dead (the dead render) or \
      empty.
      """)
  var container: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Wait between the frames as long as when they were recorded: 1 is real time, 2 is twice as fast. By default, and for frames \
      without a time, there is no wait.
      """, valueName: "factor"))
  var speed: String?

  @Flag(
    help: """
      Wait for the Enter key before each update but the first. The end of the input (Ctrl-D) plays the rest. Reads /dev/tty if the \
      file is standard input.
      """)
  var step = false

  @Flag(help: "Print each change set as one line of JSON, and each rejected input as {\"rejected\": …}.")
  var json = false

  @OptionGroup(title: "Updates") var updates: PipelineOptions

  func validate() throws {
    if let container, ContainerContent(stating: container) == nil {
      throw invalid("--container", container, "must be dead (the dead render) or empty")
    }
    if let speed, factor == nil { throw invalid("--speed", speed, "must be a number > 0, such as 2") }
    if speed != nil, step { throw ValidationError("--speed and --step both decide when a frame is played: remove one") }
  }

  func run() throws {
    let input: [UInt8]
    do throws(SystemError) { input = try Input.read(file) } catch {
      throw loggedError("cannot read \(file): \(error)", code: .noInput)
    }
    let steps = try step ? Steps(file: file) : nil
    let views = LiveViews(options: updates.options.withAnalyses)
    let traffic: LiveViews.FileTraffic
    do throws(UpdateError) { traffic = try views.traffic(of: input) } catch {
      throw loggedError("\(file): \(error)", code: .badInput)
    }
    if speed != nil, !traffic.isTimed {
      throw loggedError(
        "\(file): no frame has a time, so --speed has no effect: remove it. A HAR, an export and the lines of a tap have times",
        code: .badInput)
    }
    var missing = MissingJoins()
    let report = play(traffic, to: views, steps: steps, &missing)
    missing.lines.forEach { Output.error("\(file): \($0)") }
    try finish(report, of: traffic)
  }

  /// The number of ``speed``; `nil` if it is not valid.
  private var factor: Double? { speed.flatMap { Double($0) }.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }

  private func play(
    _ traffic: LiveViews.FileTraffic, to views: LiveViews, steps: Steps?, _ missing: inout MissingJoins
  ) -> LiveViews.ImportReport {
    let output = ReplayOutput(frames: traffic.count, showsProgress: !step, isJSON: json)
    defer { output.finish() }
    var pace = factor.map { RecordedPace(speed: $0) }
    return views.feed(
      traffic, dialect: dialect.value,
      container: container.flatMap(ContainerContent.init(stating:))
    ) { frame in
      if let wait = pace?.wait(before: frame.at, part: frame.part, now: .now) { output.sleep(wait) }
      if frame.isUpdate { steps?.wait(played: output.frames, of: traffic.count) }
    } each: { outcome in
      switch outcome {
      case .applied(let record): output.write(json ? record.jsonLine : record.text)
      case .ignored: break
      case .rejected(let rejected):
        if json { output.write(rejected.jsonLine) }
        if !missing.note(rejected) { output.writeError(String(outcome.text.dropLast())) }
      }
      output.advance()
    }
  }

  private func finish(_ report: LiveViews.ImportReport, of traffic: LiveViews.FileTraffic) throws {
    let stale = report.frames.reduce(0) { $0 + $1.staleFrameCount }
    if stale > 0 {
      Output.error(
        "\(file): \(stale) of \(Formatted.count(traffic.count, "frame")) belong to another join and were ignored")
    }
    let rejected = report.frames.reduce(0) { $0 + $1.rejectedFrameCount }
    let applied = report.frames.reduce(0) { $0 + $1.applied }
    if rejected == 0, applied == 0 {
      throw loggedError(
        "\(file): \(Formatted.count(traffic.count, "frame")), none of which has a page or a diff: "
          + (traffic.refusal ?? "begin the capture before the page loads"),
        code: .badInput)
    }
    guard rejected > 0 else { return }
    throw loggedError(
      "\(file): \(Formatted.count(traffic.count, "frame")): \(applied) applied, \(rejected) rejected", code: .badInput)
  }
}
