internal import ArgumentParser
internal import CLibrary
internal import CommandSupport
internal import MirrorChecks
internal import MirrorSupport

/// Files that a command writes. `check` and `compare` write their reports with it.
enum OutputFile {
  /// Replaces the content of a file. `-` is standard output. The text is appended to the file of
  /// `GITHUB_STEP_SUMMARY`, because a step of a GitHub workflow may write several summaries.
  static func write(_ text: String, to name: String) throws(CommandFailure) {
    if name == "-" { return Output.write(text) }
    let isSummary = getenv("GITHUB_STEP_SUMMARY").map { String(cString: $0) } == name
    let descriptor = open(name, O_WRONLY | O_CREAT | (isSummary ? O_APPEND : O_TRUNC) | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(name) }
    defer { close(descriptor) }
    guard StandardStream.write(text, to: descriptor) else { throw failure(name) }
  }

  private static func failure(_ name: String) -> CommandFailure {
    CommandFailure(text: "cannot write \(name): \(SystemError.last)", code: .cannotWrite)
  }
}

extension TextStyle {
  /// The style of standard output: coloured if it is a terminal that shows colours, and `NO_COLOR`
  /// is not set.
  static var ofOutput: TextStyle {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    guard isatty(STDOUT_FILENO) == 1 else { return .plain }
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return TextStyle(
      isColoured: variable("NO_COLOR").isEmpty && variable("TERM") != "dumb", columns: isKnown ? Int(size.ws_col) : 80)
  }
}
