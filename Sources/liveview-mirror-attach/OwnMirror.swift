internal import ArgumentParser
internal import Dispatch
internal import MirrorSupport

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A mirror that this program starts and ends: `liveview-mirror serve`.
final class OwnMirror: Sendable {
  /// Arrives when the process has ended.
  let termination = Arrival<Termination>()
  private let process: pid_t
  /// The read end of a pipe from its standard output.
  private let output: Int32
  /// Whether the process is not reaped yet. Signals are sent with this lock, so that none reaches another process with the same id.
  private let isRunning = Guarded(true)

  private init(process: pid_t, output: Int32) { (self.process, self.output) = (process, output) }

  /// Starts a mirror.
  ///
  /// - Parameter arguments: of `serve`.
  /// - Throws: the exit code, after a message.
  static func start(_ arguments: [String]) throws(ExitCode) -> OwnMirror {
    guard let program = ProgramFile.path(of: "liveview-mirror") else {
      Console.note(
        "cannot find liveview-mirror beside this program or in PATH; build it with "
          + "\u{201C}swift build -c release --product liveview-mirror\u{201D}, or name a running mirror with --mirror")
      throw .unavailable
    }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      Console.note("cannot start \(program): \(String(cString: strerror(errno)))")
      throw .unavailable
    }
    var process: pid_t = 0
    let code = spawn(&process, [program, "serve"] + arguments, outputTo: ends)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      Console.note("cannot start \(program): \(String(cString: strerror(code)))")
      throw .unavailable
    }
    let mirror = OwnMirror(process: process, output: ends[0])
    mirror.watch()
    return mirror
  }

  /// Waits until the mirror listens.
  ///
  /// - Returns: the address in the first line of its output, such as `http://127.0.0.1:8080`; `nil` if it ends instead.
  func address() async -> String? {
    let line = await withCheckedContinuation { continuation in
      DispatchQueue(label: "own mirror's output").async { [output] in
        continuation.resume(returning: Self.firstLine(of: output))
        close(output)
      }
    }
    return line.firstRange(of: "listens on ").map { String(line[$0.upperBound...]) }
  }

  /// Sends SIGTERM to the mirror.
  func terminate() {
    isRunning.withLock { isRunning in
      if isRunning { kill(process, SIGTERM) }
    }
  }

  /// Ends the mirror and waits for it.
  func stop() async {
    terminate()
    _ = await termination.wait()
  }

  // MARK: - The process

  /// - Returns: an error number of the system, or 0.
  private static func spawn(_ process: inout pid_t, _ command: [String], outputTo ends: [Int32]) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    // A process inherits ignored and blocked signals: SIGPIPE, and what a thread of this program blocks.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (defaults, none) = (sigset_t(), sigset_t())
    sigemptyset(&defaults)
    sigemptyset(&none)
    for number in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var words = command.map { strdup($0) }
    defer { words.forEach { free($0) } }
    words.append(nil)
    // In the same process group: a terminal's Ctrl-C and its end reach both programs.
    return posix_spawn(&process, command[0], &actions, &attributes, words, environ)
  }

  /// Waits for the end of the process on a thread of its own.
  private func watch() {
    DispatchQueue(label: "own mirror's end").async { [self] in
      var information = siginfo_t()
      while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      let status = isRunning.withLock { isRunning in
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        isRunning = false
        return status
      }
      termination.set(Termination(status: status))
    }
  }

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

  // MARK: - Its end

  /// How a process has ended.
  enum Termination: Sendable, Hashable, CustomStringConvertible {
    case exit(Int32)
    case signal(Int32)

    /// - Parameter status: a status of `waitpid`.
    init(status: Int32) {
      let signal = status & 0x7F
      self = signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)
    }

    /// The exit code; that of a signal is 128 and its number, as in a shell.
    var code: ExitCode {
      switch self {
      case .exit(let code): ExitCode(code)
      case .signal(let number): ExitCode(128 + number)
      }
    }

    var description: String {
      switch self {
      case .exit(let code): "exit code \(code)"
      case .signal(let number): "signal \(number) (\(String(cString: strsignal(number))))"
      }
    }
  }
}
