import Foundation
import LiveViewMirror
import MirrorJournal
import Testing

/// The stores that the same tests run with.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, sqlite

  var testDescription: String { rawValue }
}

/// A place for one journal, which can be opened again and again.
final class JournalPlace {
  let kind: StoreKind
  private let folder: URL
  private let memory = MemoryStore()

  var path: String { folder.appending(path: "mirror.sqlite").path }

  init(_ kind: StoreKind) throws {
    self.kind = kind
    folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func open() throws -> any JournalStore {
    switch kind {
    case .memory: memory
    case .sqlite: try SQLiteStore(path: path)
    }
  }
}
