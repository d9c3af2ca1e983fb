internal import CLibrary

/// Finds the files of this program and the other programs of this package. A command that starts
/// another one finds it with this type, and `serve` finds its folder `Public`.
public enum ProgramFile {
  /// The folder of the running program, with symbolic links resolved; `.` if it is not known.
  public static var folder: String {
    guard let path = realpath("/proc/self/exe", nil) ?? realpath(CommandLine.arguments[0], nil) else { return "." }
    defer { free(path) }
    let program = String(cString: path)
    return String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
  }

  /// The path of another program: beside this one, or in a folder of `PATH`.
  ///
  /// - Returns: `nil` if there is no such program.
  public static func path(of name: String) -> String? {
    let folders = getenv("PATH").map { String(cString: $0).split(separator: ":").map(String.init) } ?? []
    return ([folder] + folders).map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
