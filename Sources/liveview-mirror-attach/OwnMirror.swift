internal import ArgumentParser
internal import MirrorSupport

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A mirror that this program starts and ends: `liveview-mirror serve`.
final class OwnMirror: Sendable {
  /// The address in the first line of its output, such as `http://127.0.0.1:8080`.
  let address: String
  private let process: pid_t

  private init(address: String, process: pid_t) { (self.address, self.process) = (address, process) }

  /// Starts a mirror and waits until it listens.
  ///
  /// - Parameter arguments: of `serve`.
  /// - Throws: the exit code, after a message. If the mirror itself has ended, its own message was printed.
  static func start(_ arguments: [String]) throws(ExitCode) -> OwnMirror {
    guard let program = ProgramFile.path(of: "liveview-mirror") else {
      Console.note(
        "cannot find liveview-mirror beside this program or in PATH; build it with "
          + "\u{201C}swift build -c release --product liveview-mirror\u{201D}, or name a running mirror with --mirror")
      throw .unavailable
    }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw .unavailable }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    defer { posix_spawn_file_actions_destroy(&actions) }
    var words = ([program, "serve"] + arguments).map { strdup($0) }
    defer { words.forEach { free($0) } }
    words.append(nil)
    var process: pid_t = 0
    // In the same process group: a terminal's Ctrl-C and its end reach both programs.
    let code = posix_spawn(&process, program, &actions, nil, words, environ)
    close(ends[1])
    defer { close(ends[0]) }
    guard code == 0 else {
      Console.note("cannot start \(program): \(String(cString: strerror(code)))")
      throw .unavailable
    }
    guard let address = address(in: firstLine(of: ends[0])) else { throw ExitCode(wait(for: process)) }
    return OwnMirror(address: address, process: process)
  }

  /// Ends the mirror and waits for it.
  func stop() {
    kill(process, SIGTERM)
    _ = Self.wait(for: process)
  }

  // MARK: - Parts

  private static func firstLine(of descriptor: Int32) -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1, byte != UInt8(ascii: "\n") else { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
  }

  private static func address(in line: String) -> String? {
    line.firstRange(of: "listens on ").map { String(line[$0.upperBound...]) }
  }

  /// - Returns: the exit code; that of a signal is 128 and its number.
  private static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }
}
