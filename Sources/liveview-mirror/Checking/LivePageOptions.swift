internal import ArgumentParser
internal import MarkupDocument
internal import MirrorSupport

/// A page of a running app that `check` opens, with the steps that it runs there.
struct LivePageOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Open this page of a running app, and run the steps of --steps.", valueName: "url"))
  var attach: String?

  @Option(help: ArgumentHelp("The steps: click, change, submit, wait_for, assert, …", valueName: "file"))
  var steps: String?

  @Option(help: ArgumentHelp("Keep the recording of the live page in this file.", valueName: "file"))
  var record: String?

  @Option(
    help: ArgumentHelp("A header of each request to the page's host. May be repeated.", valueName: "name: value"))
  var header: [String] = []

  @Option(help: ArgumentHelp("A cookie of each request to the page's host. May be repeated.", valueName: "name=value"))
  var cookie: [String] = []

  @Flag(help: "Accept certificates that no known authority has signed.")
  var insecureTls = false

  @Option(
    help: ArgumentHelp("Request the markup of LiveView Native in this format, such as swiftui.", valueName: "format"))
  var format: String?

  @Option(
    help: ArgumentHelp("The path of the LiveView socket (default: that of the page, or /live).", valueName: "path"))
  var socketPath: String?

  func validate() throws {
    if attach != nil, steps == nil { throw ValidationError("--attach needs the steps to run: --steps FILE") }
    guard attach == nil else { return }
    let others = [
      steps.map { _ in "--steps" }, record.map { _ in "--record" }, header.isEmpty ? nil : "--header",
      cookie.isEmpty ? nil : "--cookie", insecureTls ? "--insecure-tls" : nil, format.map { _ in "--format" },
      socketPath.map { _ in "--socket-path" },
    ].compactMap(\.self)
    if !others.isEmpty {
      throw ValidationError("\(others.joined(separator: ", ")): these are about a live page; name it with --attach")
    }
  }

  /// Runs the steps on the page.
  ///
  /// - Returns: the frames; `nil` without a page.
  /// - Throws: the exit code of the program that has run the steps, after its message.
  func recorded() throws -> (name: String, dialect: Dialect, frames: [UInt8])? {
    guard let attach, let steps else { return nil }
    guard let program = ProgramFile.path(of: Attach.program) else {
      throw complaint(Attach.missingProgram("check --attach"), code: .unavailable)
    }
    var arguments = [attach, "--steps", steps, "--record", "-"]
    for text in header { arguments += ["--header", text] }
    for text in cookie { arguments += ["--cookie", text] }
    if insecureTls { arguments.append("--insecure-tls") }
    if let format { arguments += ["--format", format] }
    if let socketPath { arguments += ["--socket-path", socketPath] }
    let frames = try ChildProgram.output(of: program, arguments)
    if let record { try OutputFile.write(String(decoding: frames, as: UTF8.self), to: record) }
    return (Self.withoutSecrets(attach), format == nil ? .html : .native, frames)
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
