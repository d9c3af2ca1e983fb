internal import ArgumentParser
internal import CLibrary
internal import MirrorSupport

/// Runs another program and reads its standard output.
enum ChildProgram {
  /// - Returns: the standard output.
  /// - Throws: the exit code of the program, which has printed the reason, or that of a system error after a message.
  static func output(of program: String, _ arguments: [String]) throws -> [UInt8] {
    let child: ChildProcess
    do throws(SystemError) { child = try ChildProcess([program] + arguments) } catch {
      throw complaint("cannot start \(program): \(error)", code: .unavailable)
    }
    defer { close(child.output) }
    let output = (try? SystemFile.bytes(from: child.output)) ?? []
    var status: Int32 = 0
    while waitpid(child.id, &status, 0) < 0, errno == EINTR {}
    // The low bits have the signal that has ended the program, and the next eight its exit code.
    let signal = status & 0x7F
    guard signal == 0 else { throw complaint("\(program) was ended by signal \(signal)", code: .unavailable) }
    let exit = (status >> 8) & 0xFF
    guard exit == 0 else { throw ExitCode(exit) }
    return output
  }
}
