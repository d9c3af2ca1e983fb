import ArgumentParser
import CLibrary
import CommandSupport
import MirrorChecks
import MirrorSupport

/// Standard output and error, without a buffer: programs that start this one wait for its first
/// line. Every command prints with it.
enum Output {
  static func line(_ text: String) { write(text + "\n") }

  /// Writes to standard output. If that fails, for example because a disk is full, the program
  /// ends: a file with a part of the output must not look like a whole one. A reader that has
  /// ended, such as `head`, is no failure.
  static func write(_ text: String) {
    guard !StandardStream.write(text, to: STDOUT_FILENO), errno != EPIPE else { return }
    error("cannot write to standard output: \(SystemError.last)")
    exit(ExitCode.cannotWrite.rawValue)
  }

  /// The beginning of each error.
  static let prefix = "liveview-mirror: "

  /// Whether errors are also annotations of GitHub Actions, on standard output.
  private static let annotates = CommandLine.arguments.contains("--github")

  /// Writes an error to standard error, and with `--github` an annotation too.
  @Sendable static func error(_ text: String) {
    write("\(prefix)\(text)\n", to: STDERR_FILENO)
    annotate(text)
  }

  /// Writes the annotation of an error that was printed already.
  static func annotate(_ text: String) { if annotates { write(GitHubAnnotations.error(text)) } }

  /// - Parameter descriptor: `STDOUT_FILENO` or `STDERR_FILENO`.
  static func write(_ text: String, to descriptor: Int32) { StandardStream.write(text, to: descriptor) }
}

/// Reads the files that commands name.
enum Input {
  /// The bytes of a file, or of standard input for `-`.
  static func read(_ name: String) throws(SystemError) -> [UInt8] {
    try name == "-" ? SystemFile.bytes(from: STDIN_FILENO) : SystemFile.bytes(of: name)
  }

  /// The bytes of a file; `nil` if it cannot be read.
  static func bytes(of name: String) -> [UInt8]? { try? read(name) }
}

/// Why a part of a command has failed, with the exit code of the program.
struct CommandFailure: Error {
  let text: String
  let code: ExitCode
}

extension [CommandFailure] {
  /// Prints a failure, after which the command goes on.
  mutating func note(_ failure: CommandFailure) {
    Output.error(failure.text)
    append(failure)
  }
}

/// Writes an error to standard error.
///
/// - Returns: the exit code to throw.
func loggedError(_ text: String, code: ExitCode) -> ExitCode {
  Output.error(text)
  return code
}
