internal import ArgumentParser
internal import CommandSupport
internal import MarkupDocument
internal import MirrorSupport

/// A page of a running app that `check` opens, with the steps that it runs there.
struct LivePageOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Open this page of a running app, and run the steps of --steps.", valueName: "url"))
  var attach: String?

  @Option(
    help: ArgumentHelp("The steps: log_in, click, change, press, navigate, assert, …", valueName: "file"),
    completion: .file())
  var steps: String?

  @Option(help: ArgumentHelp("Keep the recording of the live page in this file.", valueName: "file"))
  var record: String?

  @OptionGroup var page: PageOptions

  func validate() throws {
    if attach != nil, steps == nil { throw ValidationError("--attach needs the steps to run: --steps FILE") }
    guard attach == nil else { return }
    var others = [steps.map { _ in "--steps" }, record.map { _ in "--record" }].compactMap(\.self)
    others += page.arguments.filter { $0.hasPrefix("--") }
    if !others.isEmpty {
      throw ValidationError("\(others.joined(separator: ", ")): these are about a live page; name it with --attach")
    }
  }

  /// What was recorded of the page.
  struct Recording {
    let name: String
    let dialect: Dialect
    let frames: [UInt8]
    /// Why the steps have failed, and the exit code; `nil` if all succeeded. The message was printed.
    let failure: (text: String, code: ExitCode)?
  }

  /// Runs the steps on the page, and writes the file of ``record``, also if a step has failed.
  ///
  /// - Returns: `nil` without a page.
  /// - Throws: the exit code, after a message, if the program cannot be run or the file cannot be written.
  func recorded() throws -> Recording? {
    guard let attach, let steps else { return nil }
    guard let program = ProgramFile.path(of: AttachOptions.program) else {
      throw complaint(Attach.missingProgram("check --attach"), code: .unavailable)
    }
    let run = try ChildProgram.run(program, [attach, "--steps", steps, "--record", "-"] + page.arguments)
    if let record, run.code == 0 || !run.output.isEmpty {
      try OutputFile.write(String(decoding: run.output, as: UTF8.self), to: record)
    }
    run.errors.forEach(Output.annotate)
    let failure = run.code == 0 ? nil : (run.errors.last ?? "\(steps): the steps have failed", ExitCode(run.code))
    return Recording(
      name: Self.withoutSecrets(attach), dialect: page.format == nil ? .html : .native, frames: run.output,
      failure: failure)
  }

  /// The address without a user, a password and parameters.
  static func withoutSecrets(_ url: String) -> String {
    var text = String(url.prefix { $0 != "?" && $0 != "#" })
    if let scheme = text.firstRange(of: "://") {
      let end = text[scheme.upperBound...].firstIndex(of: "/") ?? text.endIndex
      if let at = text[scheme.upperBound..<end].lastIndex(of: "@") { text.removeSubrange(scheme.upperBound...at) }
    }
    return text
  }
}
