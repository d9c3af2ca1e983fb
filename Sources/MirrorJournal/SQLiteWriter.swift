internal import Foundation
internal import GRDB
internal import LiveViewMirror

/// Writes a `JournalGroup`, changes of views and pages that are stored in one transaction.
/// ``SQLiteStore/write(_:)`` makes a writer for each group.
///
/// The functions that write must be called within ``inTransaction(_:)``, so that a failure leaves
/// nothing of the group.
struct SQLiteWriter {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// Does the same as GRDB's `Database.inTransaction`, but with cached statements. GRDB would
  /// compile `BEGIN` and `COMMIT` each time.
  func inTransaction(_ body: () throws -> Void) throws {
    try run("BEGIN IMMEDIATE", [])
    do {
      try body()
      try run("COMMIT", [])
    } catch {
      if db.isInsideTransaction { try? db.rollback() }
      throw error
    }
  }

  func write(_ view: JournalGroup.View, of id: String) throws {
    if view.isReplaced {
      try run("DELETE FROM view WHERE id = ?", [id])
      try run(Self.deleteRemoved, [])
    }
    if let row = view.row {
      try run(
        "INSERT INTO view(id, data) VALUES (?, ?) ON CONFLICT(id) DO UPDATE SET data = excluded.data, removed_at = NULL",
        [id, Data(row)])
    }
    if view.isRemoved { try run("UPDATE view SET removed_at = strftime('%s', 'now') WHERE id = ?", [id]) }
    guard !view.entries.isEmpty || !view.snapshots.isEmpty || view.unneeded > 0 else { return }
    let statement = try db.cachedStatement(sql: "SELECT key FROM view WHERE id = ?")
    guard let key = try Int64.fetchOne(statement, arguments: [id]) else {
      throw JournalError(.damaged, "the journal does not have the view \(id)")
    }
    for entry in view.entries {
      try run(
        "INSERT INTO entry(view, number, epoch, version, kind, data) VALUES (?, ?, ?, ?, ?, ?)",
        [key, entry.number, entry.epoch, entry.version, entry.kind, Data(entry.bytes)])
    }
    for snapshot in view.snapshots {
      // A view that was loaded from an earlier snapshot writes the later snapshots again.
      try run(
        "INSERT INTO snapshot(view, number, data) VALUES (?, ?, ?) ON CONFLICT(view, number) DO UPDATE SET data = excluded.data",
        [key, snapshot.number, Data(snapshot.bytes)])
    }
    if view.unneeded > 0 {
      try run("DELETE FROM entry WHERE view = ? AND number <= ?", [key, view.unneeded])
      try run("DELETE FROM snapshot WHERE view = ? AND number < ?", [key, view.unneeded])
    }
  }

  private static let deleteRemoved = """
    DELETE FROM view WHERE removed_at < CAST(strftime('%s', 'now', '-\(JournalGroup.daysOfRemovedViews) days') AS INTEGER)
    """

  func write(page key: String, _ row: [UInt8]?) throws {
    guard let row else { return try run("DELETE FROM page WHERE key = ?", [key]) }
    try run(
      "INSERT INTO page(key, data) VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET data = excluded.data", [key, Data(row)])
  }

  private func run(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
