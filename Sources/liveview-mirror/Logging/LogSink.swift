@preconcurrency internal import CLibrary
internal import MicroHTTP
internal import MirrorSupport

/// Writes the lines of the log to standard error. ``LineLogHandler`` writes to it.
///
/// Logging never blocks. If the pipe is full or the terminal is stopped, lines are dropped and
/// counted; before the next line that can be written, a line with the count is written. A line has
/// at most `PIPE_BUF` bytes (POSIX), so a pipe takes it as a whole or not at all. A lock keeps the
/// lines of several threads apart, and guards the count of dropped lines.
final class LogSink: Sendable {
  private let descriptor: Int32
  private let state = Guarded(0)

  static let standardError = LogSink(descriptor: STDERR_FILENO)

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The number of dropped lines that no line has reported.
  var leftOut: Int { state.current }

  /// - Parameters:
  ///   - line: ends with a line feed.
  ///   - note: makes the line that reports dropped lines.
  func write(_ line: String, note: (_ leftOut: Int) -> String) {
    state.withLock { leftOut in
      if leftOut > 0 {
        guard put(note(leftOut)) else {
          leftOut += 1
          return
        }
        leftOut = 0
      }
      if !put(line) { leftOut += 1 }
    }
  }

  private func put(_ line: String) -> Bool {
    var bytes = Array(line.utf8)
    if bytes.count > Self.longestLine {
      bytes = Array(bytes.prefix(Self.longestLine - 1)) + [UInt8(ascii: "\n")]
    }
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&polled, 1, 0) > 0, polled.revents & Int16(POLLOUT) != 0 else { return false }
    while true {
      let count = CLibrary.write(descriptor, bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      return count == bytes.count
    }
  }

  // `PIPE_BUF` of the system.
  #if canImport(Darwin)
    private static let longestLine = 512
  #else
    private static let longestLine = 4_096
  #endif
}
