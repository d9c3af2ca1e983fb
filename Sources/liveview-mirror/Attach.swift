import ArgumentParser
import CLibrary
import MirrorSupport

/// Executes the program `liveview-mirror-attach`, as git does with `git-…` for its subcommands. Only that program depends on
/// swift-nio.
struct Attach: ParsableCommand {
  static let program = "liveview-mirror-attach"

  static let configuration = CommandConfiguration(
    abstract: "Join the LiveViews of a page without a browser, and mirror them.",
    discussion: """
      Executes the program \(program), which is a product of its own. "liveview-mirror attach --help" shows its options.
      """)

  @Argument(parsing: .captureForPassthrough, help: "The URLs and the options of \(program).")
  var arguments: [String] = []

  /// What to do if the program is not found.
  static func missingProgram(_ command: String) -> String {
    "\(command) needs the program \(program), which is neither beside this one nor in PATH; it is in the archive of the mirror, "
      + "and \u{201C}script/build \(program)\u{201D}, in the folder of the mirror's source, builds it"
  }

  func run() throws {
    guard let path = ProgramFile.path(of: Self.program) else {
      throw complaint(Self.missingProgram("attach"), code: .unavailable)
    }
    var words = ([path] + arguments).map { strdup($0) }
    words.append(nil)
    execv(path, words)
    throw complaint("cannot start \(path): \(SystemError.last)", code: .unavailable)
  }
}
