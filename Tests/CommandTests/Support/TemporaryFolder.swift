import Foundation

/// A folder with files, in which a test runs the program.
final class TemporaryFolder {
  private let folder: URL

  init(_ files: [String: String]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files { try write(name, text) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func write(_ name: String, _ text: String) throws {
    try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
  }

  func text(_ name: String) throws -> String { try String(contentsOf: folder.appending(path: name), encoding: .utf8) }

  var path: String { folder.path }

  func link(_ name: String, to file: URL) throws {
    try FileManager.default.createSymbolicLink(at: folder.appending(path: name), withDestinationURL: file)
  }

  /// Runs a script, which ends at the first command that fails.
  ///
  /// - Parameter path: a folder whose programs are found first.
  func shell(_ script: String, environment: [String: String], path: String) throws -> Command.Result {
    var environment = environment
    environment["PATH"] = "\(path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    return try Command.shell(script, environment: environment, in: folder)
  }

  func run(_ arguments: String...) throws -> Command.Result { try Command.run(arguments: arguments, in: folder) }
}
