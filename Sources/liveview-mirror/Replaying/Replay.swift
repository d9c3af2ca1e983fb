import ArgumentParser
import LiveViewMirror
import MarkupDocument
import MirrorInspector

struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play a recording and print what each diff changed.",
    discussion: """
      FILE is a recording ({"steps": [{"frame": …, "sent": […]}, …]}), an array of channel frames, or one JSON text per line: a \
      frame [join_ref, ref, topic, event, payload], alone or as {"frame": …, "sent": true or false}, or {"rendered": …} and \
      {"diff": …}, with "view" if there are several views. The client's own frames (sent) say when and how views are joined.

      Every change is a line: ~ text or attributes, + added, - removed, ⇄ moved, ! a diagnostic.

      Exit codes: 0 everything was applied, 65 something was rejected, 66 the file cannot be read.
      """)

  @Argument(help: "The file, or - for standard input.")
  var file: String

  @Option(help: "The dialect of pages that do not name one: \(Dialect.names).")
  var dialect = "html"

  @Option(
    help: """
      What the elements of the views held when the views joined, if no frame of the client says so: dead (the dead render) or \
      empty.
      """)
  var container: String?

  @Flag(help: "Print each change set as one line of JSON, and each rejected input as {\"rejected\": …}.")
  var json = false

  @OptionGroup(title: "Updates") var updates: PipelineOptions

  func validate() throws {
    if Dialect(rawValue: dialect) == nil {
      throw ValidationError("--dialect: \"\(dialect)\" must be \(Dialect.names)")
    }
    if let container, ContainerContent(stating: container) == nil {
      throw ValidationError("--container: \"\(container)\" must be dead (the dead render) or empty")
    }
  }

  func run() throws {
    guard let input = Input.bytes(of: file) else { throw complaint("cannot read \(file)", code: .noInput) }
    let report: LiveViews.FramesReport
    do throws(UpdateError) {
      report = try LiveViews(options: updates.options).receive(
        frames: input, dialect: Dialect(rawValue: dialect) ?? .html,
        container: container.flatMap(ContainerContent.init(stating:))
      ) { outcome in
        switch outcome {
        case .applied(let record): Output.write(json ? record.jsonLine : record.text)
        case .ignored: break
        case .rejected(let rejected):
          if json { Output.write(rejected.jsonLine) }
          Output.error(String(outcome.text.dropLast()))
        }
      }
    } catch {
      throw complaint("\(file): \(error)", code: .badInput)
    }
    if report.staleFrames > 0 {
      Output.error("\(file): \(report.staleFrames) of \(report.frames) frames are of another join and were ignored")
    }
    if report.applied == 0, report.rejectedFrames == 0 {
      throw complaint("\(file): \(report.frames) frames, none of which has a page or a diff", code: .badInput)
    }
    if report.rejectedFrames > 0 { throw ExitCode.badInput }
  }
}
