internal import ArgumentParser
internal import CommandSupport
internal import MarkupDocument
internal import MirrorSupport

/// A page of a running app that `check` opens, with the steps that it runs there.
struct LivePageOptions: ParsableArguments {
  @Option("Open this page of a running app, and run the steps of --steps.", of: "url") var attach: String?

  @Option("The steps: log_in, click, change, press, navigate, assert, …", of: "file", completion: .file())
  var steps: String?

  @Option("Keep the recording of the live page in this file.", of: "file") var record: String?

  @OptionGroup var page: PageOptions

  func validate() throws {
    if record == "-" { throw ValidationError("--record - and the report both use standard output: name a file") }
    if attach != nil, steps == nil { throw ValidationError("--attach needs the steps to run: --steps FILE") }
    guard attach == nil else { return }
    var others = [steps.map { _ in "--steps" }, record.map { _ in "--record" }].compactMap(\.self)
    others += page.arguments.filter { $0.hasPrefix("--") }
    if !others.isEmpty {
      throw ValidationError("\(others.joined(separator: ", ")): these are about a live page; name it with --attach")
    }
  }

  /// The recording of the page. ``CheckRecordings`` measures its frames.
  struct Recording {
    let name: String
    let dialect: Dialect
    let frames: [UInt8]
  }

  /// Runs the steps on the page, and writes the file of ``record``, also if a step has failed.
  ///
  /// - Parameter failures: the list to which this method adds what has failed. The messages are
  ///   printed before it returns.
  /// - Returns: `nil` without a page, or if the steps could not be run.
  func recorded(_ failures: inout [CommandFailure]) -> Recording? {
    guard let attach, let steps else { return nil }
    guard let program = ProgramFile.path(of: AttachOptions.program) else {
      failures.note(CommandFailure(text: Attach.missingProgram("check --attach"), code: .unavailable))
      return nil
    }
    let run: ChildProgram.Outcome
    do throws(CommandFailure) {
      run = try ChildProgram.run(program, [attach, "--steps", steps, "--record", "-"] + page.arguments)
    } catch {
      failures.note(error)
      return nil
    }
    if run.code != 0 {
      // The program has already printed its errors, so only annotations are added.
      run.errors.forEach(Output.annotate)
      let texts = run.errors.isEmpty ? ["\(steps): the steps have failed"] : run.errors
      failures += texts.map { CommandFailure(text: $0, code: ExitCode(run.code)) }
    }
    if let record, run.code == 0 || !run.output.isEmpty {
      do throws(CommandFailure) { try OutputFile.write(String(decoding: run.output, as: UTF8.self), to: record) } catch
      {
        failures.note(error)
      }
    }
    return Recording(
      name: Self.withoutSecrets(attach), dialect: page.format == nil ? .html : .native, frames: run.output)
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
