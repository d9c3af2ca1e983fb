internal import ArgumentParser
internal import CLibrary
internal import CommandSupport
internal import Dispatch
internal import MirrorSupport

/// A mirror that this program starts and ends: `liveview-mirror serve`. ``AttachCommand`` starts
/// one if `--mirror` names no running mirror.
final class OwnMirror: Sendable {
  /// Arrives when the process has ended.
  let termination = Arrival<Termination>()
  private let process: pid_t
  /// The read end of a pipe from its standard output.
  private let output: Int32
  /// Whether the process is not reaped yet. Signals are sent while the lock of this value is held,
  /// so that none reaches another process with the same id.
  private let isRunning = Guarded(true)

  private init(_ child: ChildProcess) { (process, output) = (child.id, child.output) }

  /// Starts a mirror.
  ///
  /// - Parameter arguments: the arguments of `serve`.
  /// - Throws: the exit code, after a message was printed.
  static func start(_ arguments: [String]) throws(ExitCode) -> OwnMirror {
    guard let program = ProgramFile.path(of: "liveview-mirror") else {
      Console.note(
        "cannot find liveview-mirror beside this program or in PATH; \u{201C}script/build\u{201D}, in the folder of the mirror's "
          + "source, builds it; or name a running mirror with --mirror")
      throw .unavailable
    }
    do throws(SystemError) {
      let mirror = OwnMirror(try ChildProcess([program, "serve"] + arguments))
      mirror.watch()
      return mirror
    } catch {
      Console.note("cannot start \(program): \(error)")
      throw .unavailable
    }
  }

  /// Waits until the mirror listens. To be called only once, because this method closes the pipe.
  ///
  /// - Returns: the address in the first line of its output, such as `http://127.0.0.1:8080`; `nil`
  ///   if the mirror ends before it listens.
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
