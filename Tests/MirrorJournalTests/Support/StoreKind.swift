import Foundation
import LiveViewMirror
import MirrorJournal
import PostgresFixture
import Testing

/// The stores that the same tests run with.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, sqlite, postgres

  static let allCases: [StoreKind] = PostgresServer.isLeftOut ? [.memory, .sqlite] : [.memory, .sqlite, .postgres]

  var testDescription: String { rawValue }
}

/// A place for one journal, which can be opened again and again.
final class JournalPlace {
  let kind: StoreKind
  private let folder: URL
  private let memory = MemoryStore()
  /// The database on the tests' server.
  let database: String?

  var path: String { folder.appending(path: "mirror.sqlite").path }

  init(_ kind: StoreKind) throws {
    self.kind = kind
    database = kind == .postgres ? try PostgresServer.common().database() : nil
    folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
    if let database { try? PostgresServer.common().drop(database) }
  }

  func open() throws -> any JournalStore {
    switch kind {
    case .memory: memory
    case .sqlite: try SQLiteStore(path: path)
    case .postgres: try postgres(PostgresServer.common().url(database ?? ""))
    }
  }
}

/// Opens a store in PostgreSQL.
func postgres(_ url: String) throws -> PostgresStore {
  try PostgresStore(#require(PostgresAddress(url)))
}
