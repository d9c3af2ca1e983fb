import CLibrary

/// Starts other processes, or this program again. Foundation's `Process` is not used, because it
/// would load all of Foundation into the measured memory. ``Instructions`` starts valgrind with it,
/// and ``MemoryChild`` starts this program.
enum Child {
  /// The path of this program.
  static var ownPath: String {
    guard let path = realpath("/proc/self/exe", nil) ?? realpath(CommandLine.arguments[0], nil) else {
      return CommandLine.arguments[0]
    }
    defer { free(path) }
    return String(cString: path)
  }

  /// Runs a program and waits for its end. Returns its output; `nil` if the program cannot be
  /// started or fails.
  static func output(of arguments: [String], program: String = ownPath, withErrors: Bool = false) -> [UInt8]? {
    let command = ([program] + arguments).map {
      "'"
        + $0.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: #"'\''"#) + "'"
    }.joined(separator: " ")
    guard let pipe = popen(command + (withErrors ? " 2>&1" : " 2>/dev/null"), "r") else { return nil }
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 { output.append(contentsOf: chunk[..<count]) }
    return pclose(pipe) == 0 ? output : nil
  }
}
