import Foundation
import GRDB
import LiveViewMirror
import MirrorJournal
import PostgresFixture
import TestSupport
import Testing

/// The stores that the same tests run with.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, sqlite, postgres

  static let allCases: [StoreKind] = PostgresServer.isLeftOut ? [.memory, .sqlite] : [.memory, .sqlite, .postgres]

  var testDescription: String { rawValue }
}

/// Without PostgreSQL, the tests of all stores run with the others. This one is then named among
/// the skipped tests.
@Test(.enabled(if: !PostgresServer.isLeftOut, "\(PostgresServer.needed)"))
func `the tests of all stores run with PostgreSQL, too`() {
  #expect(StoreKind.allCases.contains(.postgres) && SharedKind.allCases.contains(.postgres))
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

  /// Makes removed views older.
  func removeEarlier(by days: Int) throws {
    switch kind {
    case .memory: break
    case .sqlite: try sqlite("UPDATE view SET removed_at = removed_at - \(days * 86_400)", in: path)
    case .postgres:
      let sql = "UPDATE liveview_mirror.view SET removed_at = removed_at - interval '\(days) days'"
      try PostgresServer.common().sql(sql, in: database ?? "")
    }
  }
}

/// Opens a store in PostgreSQL.
func postgres(_ url: String) throws -> PostgresStore {
  try PostgresStore(#require(PostgresAddress(url)))
}

/// Runs SQL on a SQLite database, as another program does.
func sqlite(_ sql: String, in path: String) throws {
  let database = try DatabaseQueue(path: path)
  try database.writeWithoutTransaction { try $0.execute(sql: sql) }
  try database.close()
}
