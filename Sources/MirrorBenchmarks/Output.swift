import CLibrary
import MirrorSupport

/// The standard output and the progress line of the benchmark's commands.
enum Output {
  static func write(_ bytes: [UInt8]) {
    StandardStream.write(String(decoding: bytes, as: UTF8.self), to: STDOUT_FILENO)
  }

  /// Shows the current measurement on a line that the next call overwrites. Has no effect if
  /// standard error is not a terminal.
  static func progress(_ text: String) {
    if isatty(STDERR_FILENO) == 1 { StandardStream.write("\r\u{1B}[K\(text)", to: STDERR_FILENO) }
  }
}
