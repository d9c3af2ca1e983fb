import ArgumentParser

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
  static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #else
          Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }
}

enum Input {
  /// The bytes of a file, or of standard input for `-`; `nil` if it cannot be read.
  static func bytes(of name: String) -> [UInt8]? {
    let descriptor = name == "-" ? STDIN_FILENO : open(name, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { if name != "-" { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}

/// Writes an error to standard error.
///
/// - Returns: the exit code to throw.
func complaint(_ text: String, code: ExitCode) -> ExitCode {
  Output.error(text)
  return code
}
