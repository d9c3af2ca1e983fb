import Foundation
import RecordingFixtures

/// A folder with a copy of a built program and with scripts, which the program finds beside itself.
final class ProgramFolder {
  private let folder: URL

  /// - Parameters:
  ///   - scripts: the content of each script by its name.
  ///   - program: the name of a built program.
  init(_ scripts: [String: String], copying program: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "mirror-programs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let original = try Fixtures.program.deletingLastPathComponent().appending(path: program)
    try FileManager.default.copyItem(at: original, to: path(program))
    for (name, text) in scripts {
      try text.write(to: path(name), atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(name).path)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> URL { folder.appending(path: name) }
}
