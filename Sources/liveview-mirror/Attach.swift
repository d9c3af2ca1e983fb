import ArgumentParser
import CLibrary
import CommandSupport
import MirrorSupport

/// `liveview-mirror attach`: executes the program `liveview-mirror-attach` with the same arguments.
/// That program replaces this one in the same process.
struct Attach: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: AttachOptions.abstract, discussion: AttachOptions.discussion, version: LiveViewMirrorCommand.version)

  @OptionGroup var options: AttachOptions

  /// The error if the program is not found, with the remedy.
  static func missingProgram(_ command: String) -> String {
    "\(command) needs the program \(AttachOptions.program), which is neither beside this one nor in PATH; it is in the archive "
      + "of the mirror, and “script/build \(AttachOptions.program)”, in the folder of the mirror's source, builds it"
  }

  func run() throws {
    guard let path = ProgramFile.path(of: AttachOptions.program) else {
      throw loggedError(Self.missingProgram("attach"), code: .unavailable)
    }
    var words = ([path] + CommandLine.arguments.drop { $0 != "attach" }.dropFirst()).map { strdup($0) }
    words.append(nil)
    execv(path, words)
    throw loggedError("cannot start \(path): \(SystemError.last)", code: .unavailable)
  }
}
