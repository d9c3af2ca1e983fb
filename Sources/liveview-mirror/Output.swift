import ArgumentParser
import MirrorSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Standard output and error, without a buffer: programs that start this one wait for its first line.
enum Output {
  static func line(_ text: String) { write(text + "\n") }

  static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

  @Sendable static func error(_ text: String) { write("liveview-mirror: \(text)\n", to: STDERR_FILENO) }

  /// - Parameter descriptor: `STDOUT_FILENO` or `STDERR_FILENO`.
  static func write(_ text: String, to descriptor: Int32) { StandardStream.write(text, to: descriptor) }
}

enum Input {
  /// Why a file cannot be read: the text of the system's error, such as `No such file or directory`.
  struct Failure: Error, Equatable, CustomStringConvertible {
    let description: String

    static let noSuchFile = Failure(code: ENOENT)

    init(code: Int32) { description = strerror(code).map { String(cString: $0) } ?? "error \(code)" }
  }

  /// The bytes of a file, or of standard input for `-`.
  static func read(_ name: String) throws(Failure) -> [UInt8] {
    let descriptor = name == "-" ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    defer { if name != "-" { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, &chunk, chunk.count)
      #else
        let count = Glibc.read(descriptor, &chunk, chunk.count)
      #endif
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(code: errno) }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// The bytes of a file; `nil` if it cannot be read.
  static func bytes(of name: String) -> [UInt8]? { try? read(name) }
}

/// Writes an error to standard error.
///
/// - Returns: the exit code to throw.
func complaint(_ text: String, code: ExitCode) -> ExitCode {
  Output.error(text)
  return code
}
