internal import ArgumentParser

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Runs another program and reads its standard output.
enum ChildProgram {
  /// - Returns: the standard output.
  /// - Throws: the exit code of the program, which has printed the reason, or that of a system error after a message.
  static func output(of program: String, _ arguments: [String]) throws -> [UInt8] {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw failure(program, errno) }
    defer { close(ends[0]) }
    var process: pid_t = 0
    let code = spawn(&process, [program] + arguments, outputTo: ends)
    close(ends[1])
    guard code == 0 else { throw failure(program, code) }
    let output = readAll(ends[0])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    // The low bits have the signal that has ended the program, and the next eight its exit code.
    let signal = status & 0x7F
    guard signal == 0 else { throw complaint("\(program) was ended by signal \(signal)", code: .unavailable) }
    let exit = (status >> 8) & 0xFF
    guard exit == 0 else { throw ExitCode(exit) }
    return output
  }

  private static func failure(_ program: String, _ code: Int32) -> ExitCode {
    complaint("cannot start \(program): \(String(cString: strerror(code)))", code: .unavailable)
  }

  /// - Returns: an error number of the system, or 0.
  private static func spawn(_ process: inout pid_t, _ command: [String], outputTo ends: [Int32]) -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    var words = command.map { strdup($0) }
    defer { words.forEach { free($0) } }
    words.append(nil)
    return posix_spawn(&process, command[0], &actions, nil, words, environ)
  }

  private static func readAll(_ descriptor: Int32) -> [UInt8] {
    var (bytes, chunk): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return bytes }
      bytes += chunk[..<count]
    }
  }
}
