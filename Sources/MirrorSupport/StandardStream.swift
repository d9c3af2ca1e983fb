internal import CLibrary

/// Writes to standard output and error without a buffer, because programs that start this program
/// wait for its lines. The programs of this package write their output with it.
public enum StandardStream {
  /// Writes a whole text, by several system calls if necessary. After an error, such as a closed
  /// stream, the rest is dropped.
  ///
  /// - Parameter descriptor: `STDOUT_FILENO`, `STDERR_FILENO`, or that of a file.
  /// - Returns: whether the whole text was written; otherwise `errno` has the reason.
  @discardableResult
  public static func write(_ text: String, to descriptor: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { CLibrary.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      rest = rest.dropFirst(written)
    }
    return true
  }
}
