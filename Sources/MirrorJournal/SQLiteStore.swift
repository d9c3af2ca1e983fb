internal import GRDB
package import LiveViewMirror
internal import MirrorSupport

/// A journal in a SQLite database (`--journal mirror.sqlite`), one file with a write-ahead log
/// (WAL) beside it. ``JournalLocation/open()`` makes it for a ``Journal``.
///
/// A transaction survives the end of the process as soon as ``write(_:)`` returns, also with kill
/// -9. After a power failure, the last transactions may be missing; the database is still
/// consistent.
package final class SQLiteStore: JournalStore {
  private let pool: DatabasePool
  private let path: String
  /// Held while the store is open, so that no other process writes to it.
  private let lock: FileLock
  private let identity: SQLiteIdentity

  /// Opens a database, or creates it.
  ///
  /// - Parameter path: the path of the file. Its folder must exist.
  /// - Throws: `JournalError` of the kind `unusable`, with what to do.
  package init(path: String) throws(JournalError) {
    try SQLiteFile.check(path)
    let path = SQLiteFile.realPath(of: path)
    self.path = path
    lock = try FileLock(path: path + "-lock", of: path)
    do {
      var configuration = Configuration()
      configuration.maximumReaderCount = 4
      configuration.label = "journal"
      // Another program may read or write the file for a moment, such as sqlite3.
      configuration.busyMode = .timeout(5)
      pool = try DatabasePool(path: path, configuration: configuration)
      try pool.writeWithoutTransaction { db in
        try SQLiteSchema.identify(db)
        try db.execute(sql: "PRAGMA wal_autocheckpoint = \(Self.pagesOfLog)")
      }
      let migrator = SQLiteSchema.migrator
      if try pool.read(migrator.hasBeenSuperseded) {
        throw JournalError(
          .unusable,
          "the journal \(path) was written by a newer version of liveview-mirror: use that version, or another file")
      }
      try migrator.migrate(pool)
    } catch {
      throw Self.error(error, .unusable, path)
    }
    identity = SQLiteIdentity(of: path)
  }

  /// A checkpoint copies the write-ahead log to the database when the log has this many pages, 16
  /// MB. The journal's thread waits for the disk during a checkpoint. The log contains the same
  /// pages of the tables many times, and a checkpoint copies each page once, so fewer checkpoints
  /// copy less.
  private static let pagesOfLog = 4_000

  // MARK: - Writing

  package func write(_ group: JournalGroup) throws(JournalError) -> Set<String> {
    do {
      try pool.writeWithoutTransaction { db in
        let writer = SQLiteWriter(db)
        try writer.inTransaction {
          for (id, view) in group.views { try writer.write(view, of: id) }
          for (key, row) in group.pages { try writer.write(page: key, row) }
          // The identity of the file is checked just before the commit. If the check fails, the
          // transaction is rolled back.
          try checkIdentity()
        }
      }
    } catch {
      throw Self.error(error, .unavailable, path)
    }
    return []
  }

  /// - Throws: if the path no longer has a file, or has another file.
  private func checkIdentity() throws(JournalError) {
    guard SQLiteIdentity(of: path) != identity else { return }
    throw JournalError(
      .unavailable,
      """
      the file of the journal \(path), or its write-ahead log (\(path)-wal), was removed or replaced while the mirror runs: move it back, or \
      start the mirror again with the new file
      """)
  }

  package func probe() throws(JournalError) {
    try checkIdentity()
    do {
      try pool.write { db in
        // The probe needs new pages of the file, as the next entries do, so it fails on a full
        // disk.
        try db.execute(sql: "CREATE TABLE probe(data); INSERT INTO probe VALUES (zeroblob(65536)); DROP TABLE probe")
      }
    } catch {
      throw Self.error(error, .unavailable, path)
    }
  }

  // MARK: - Reading

  package func views() throws(JournalError) -> [StoredRow] {
    try reading { db in
      try Row.fetchAll(db, sql: "SELECT id, data, 1000 * removed_at AS time FROM view").map {
        StoredRow(id: $0["id"], bytes: $0.bytes("data"), removedAt: $0["time"])
      }
    }
  }

  package func row(of id: String) throws(JournalError) -> StoredRow? {
    try reading { db in
      try Self.row(of: id, in: db).map { StoredRow(id: id, bytes: $0.bytes("data")) }
    }
  }

  package func view(_ id: String, after number: Int) throws(JournalError) -> StoredView? {
    try reading { db in
      guard let view = try Self.row(of: id, in: db) else { return nil }
      return StoredView(
        row: view.bytes("data"), snapshot: nil, entries: try Self.entries(of: view["key"], after: number, in: db))
    }
  }

  package func view(_ id: String) throws(JournalError) -> StoredView? {
    try reading { db in
      guard let view = try Self.row(of: id, in: db) else { return nil }
      let key: Int64 = view["key"]
      let entries = try Self.entries(of: key, after: 0, in: db)
      let snapshot = try Row.fetchOne(
        db,
        sql: """
          SELECT number, data FROM snapshot WHERE view = :view AND (:first IS NULL OR number = :first - 1)
          ORDER BY number DESC LIMIT 1
          """, arguments: ["view": key, "first": entries.first?.number])
      return StoredView(
        row: view.bytes("data"),
        snapshot: snapshot.map { StoredView.Snapshot(number: $0["number"], bytes: $0.bytes("data")) }, entries: entries)
    }
  }

  private static func row(of id: String, in db: Database) throws -> Row? {
    try Row.fetchOne(db, sql: "SELECT key, data FROM view WHERE id = ?", arguments: [id])
  }

  private static func entries(of key: Int64, after number: Int, in db: Database) throws -> [StoredView.EncodedEntry] {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT number, data FROM entry WHERE view = ? AND number > ? ORDER BY number", arguments: [key, number])
    return try Array(rows.map { StoredView.EncodedEntry(number: $0["number"], bytes: $0.bytes("data")) })
  }

  package func pages() throws(JournalError) -> [(id: String, row: [UInt8])] {
    try reading { db in
      try Row.fetchAll(db, sql: "SELECT key, data FROM page").map { ($0["key"], $0.bytes("data")) }
    }
  }

  package func close() {
    // After the checkpoint, the whole database is in one file, which can be copied.
    _ = try? pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
    try? pool.close()
    lock.release()
  }

  private func reading<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws(JournalError) -> Value {
    do { return try pool.read(body) } catch { throw Self.error(error, .unavailable, path) }
  }

  // MARK: - Errors

  /// - Parameter kind: the kind of the error, unless SQLite's error is about the database itself.
  private static func error(_ error: any Error, _ kind: JournalError.Kind, _ path: String) -> JournalError {
    if let error = error as? JournalError { return error }
    guard let error = error as? DatabaseError else { return JournalError(kind, "the journal \(path): \(error)") }
    return switch error.resultCode {
    case .SQLITE_NOTADB:
      JournalError(.unusable, "\(path) is not a SQLite database: name another file, or move this one away")
    case .SQLITE_CORRUPT:
      JournalError(
        .damaged,
        "the journal \(path) is damaged (\(error.message ?? "malformed")): restore a copy of it, or use another file")
    case .SQLITE_FULL:
      JournalError(
        kind,
        "the disk of the journal \(path) is full: free some space"
          + (kind == .unavailable ? "; the mirror tries again by itself" : " and start again"))
    case .SQLITE_READONLY, .SQLITE_PERM:
      JournalError(kind, "the journal \(path) cannot be written: the file, its folder or the disk is read-only")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      JournalError(kind, "another program writes to the journal \(path): close it, or end its transaction")
    case .SQLITE_CANTOPEN:
      JournalError(kind, "the journal \(path) cannot be opened: check that its folder exists and can be written")
    default:
      JournalError(kind, "the journal \(path) reports an error of SQLite: \(error.message ?? "\(error.resultCode)")")
    }
  }
}

extension Row {
  fileprivate func bytes(_ column: String) -> [UInt8] {
    (try? withUnsafeData(named: column) { $0.map(Array.init) }).flatMap { $0 } ?? []
  }
}
