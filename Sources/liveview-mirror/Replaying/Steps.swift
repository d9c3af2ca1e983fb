import CLibrary
import CommandSupport
import MirrorSupport

/// Waits for the Enter key between the updates of `replay --step`. ``Replay`` calls
/// ``wait(played:of:)`` before each update.
final class Steps {
  private let input: Int32
  private let showsPrompt = isatty(STDERR_FILENO) == 1
  private var isFirst = true
  private var isAtEnd = false

  /// - Parameter file: the replayed file. If it is standard input, the keys are read from the
  ///   terminal of the process.
  /// - Throws: the exit code, after a message, if the process has no terminal.
  init(file: String) throws {
    input = file == "-" ? open("/dev/tty", O_RDONLY | O_CLOEXEC) : STDIN_FILENO
    if input < 0 {
      throw loggedError(
        "--step cannot read the Enter key: the file is standard input, and the process has no terminal. Name the file, or remove --step",
        code: .noInput)
    }
  }

  deinit { if input != STDIN_FILENO { close(input) } }

  /// Waits for the key, except before the first update and after the end of the input.
  func wait(played: Int, of count: Int) {
    if isFirst {
      isFirst = false
      return
    }
    if isAtEnd { return }
    if showsPrompt {
      Output.write(
        "\(played) of \(Formatted.count(count, "frame")). Enter: next update, Ctrl-D: the rest ", to: STDERR_FILENO)
    }
    isAtEnd = !readLine()
    // If a line was read, the terminal has echoed its line end, so the prompt is in the line above.
    if showsPrompt { Output.write(isAtEnd ? "\r\u{1B}[K" : "\u{1B}[A\u{1B}[K", to: STDERR_FILENO) }
  }

  /// - Returns: whether a line was read before the end of the input.
  private func readLine() -> Bool {
    var byte: UInt8 = 0
    while true {
      let count = read(input, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      if byte == UInt8(ascii: "\n") { return true }
    }
  }
}
