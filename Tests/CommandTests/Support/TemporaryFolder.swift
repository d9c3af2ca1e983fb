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

  func run(_ arguments: String...) throws -> Command.Result { try Command.run(arguments: arguments, in: folder) }
}
