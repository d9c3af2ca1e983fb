internal import MicroHTTP

#if canImport(Darwin)
  internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif

/// Where the lines of the log go: standard error, a line at a time.
///
/// Who logs never waits for who reads. Where a pipe is full, or a terminal stands still, lines are left out and counted;
/// the next one that can be written says how many. A line is no longer than what a pipe that can take anything takes
/// at once (POSIX's `PIPE_BUF`), so there is no half of one.
final class LogSink: Sendable {
  private let descriptor: Int32
  private let state = Guarded(State())

  private struct State {
    var leftOut = 0
  }

  static let standardError = LogSink(descriptor: STDERR_FILENO)

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// How many lines were left out and not told of yet.
  var leftOut: Int { state.withLock { $0.leftOut } }

  /// - Parameters:
  ///   - line: with its end.
  ///   - note: the line that says how many were left out before.
  func write(_ line: String, note: (_ leftOut: Int) -> String) {
    state.withLock { state in
      if state.leftOut > 0 {
        guard put(note(state.leftOut)) else {
          state.leftOut += 1
          return
        }
        state.leftOut = 0
      }
      if !put(line) { state.leftOut += 1 }
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
      #if canImport(Darwin)
        let count = Darwin.write(descriptor, bytes, bytes.count)
      #else
        let count = Glibc.write(descriptor, bytes, bytes.count)
      #endif
      if count < 0, errno == EINTR { continue }
      return count == bytes.count
    }
  }

  #if canImport(Darwin)
    private static let longestLine = 512
  #else
    private static let longestLine = 4_096
  #endif
}
