internal import ArgumentParser
internal import CLibrary
internal import CommandSupport
internal import MirrorSupport

/// Runs another program, and reads what it writes. ``LivePageOptions`` runs
/// `liveview-mirror-attach` with it.
enum ChildProgram {
  struct Outcome {
    var output: [UInt8]
    /// The lines of the program's standard error, which were also written to that of this program.
    var errors: [String]
    /// The exit code of the program.
    var code: Int32
  }

  /// Runs a program to its end. SIGINT and SIGTERM end it, and this program goes on, so that it can
  /// report what was read.
  static func run(_ program: String, _ arguments: [String]) throws(CommandFailure) -> Outcome {
    let child: ChildProcess
    do throws(SystemError) { child = try ChildProcess([program] + arguments, readsErrors: true) } catch {
      throw CommandFailure(text: "cannot start \(program): \(error)", code: .unavailable)
    }
    let signals = SignalPipe.catchSignals()
    let hasEnded = Guarded(false)
    WorkerThread {
      while let signal = signals?.next() {
        // After the program has ended, its process id may be that of another process. The signal
        // then ends this program.
        hasEnded.withLock { hasEnded in
          if hasEnded { exit(128 + signal) }
          kill(child.id, SIGTERM)
        }
      }
    }?.detach()
    let lines = Guarded<[UInt8]>([])
    let reader = WorkerThread {
      guard let errors = child.errors else { return }
      var part = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = read(errors, &part, part.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        Output.write(String(decoding: part[..<count], as: UTF8.self), to: STDERR_FILENO)
        lines.withLock { $0 += part[..<count] }
      }
    }
    let output = (try? SystemFile.bytes(from: child.output)) ?? []
    reader?.join()
    close(child.output)
    if let errors = child.errors { close(errors) }
    // The program may go on after it has closed its output, and can still be ended by a signal.
    var (ended, status) = (siginfo_t(), Int32(0))
    while waitid(P_PID, id_t(child.id), &ended, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    hasEnded.withLock { hasEnded in
      while waitpid(child.id, &status, 0) < 0, errno == EINTR {}
      hasEnded = true
    }
    // The low bits have the signal that has ended the program, and the next eight its exit code.
    let signal = status & 0x7F
    guard signal == 0 else {
      throw CommandFailure(text: "\(program) was ended by signal \(signal)", code: .unavailable)
    }
    let errors = String(decoding: lines.current, as: UTF8.self).split(separator: "\n").map {
      $0.hasPrefix(Output.prefix) ? String($0.dropFirst(Output.prefix.count)) : String($0)
    }
    return Outcome(output: output, errors: errors, code: (status >> 8) & 0xFF)
  }
}
