import Foundation

/// A folder for the SQLite journal of one program.
struct JournalFolder {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "mirror-load-\(UUID().uuidString)").path

  /// The arguments with which the program uses the journal.
  var arguments: [String] { ["--journal", folder + "/journal.sqlite"] }

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
