internal import GRDB
internal import LiveViewMirror

/// The tables of a journal in SQLite. ``SQLiteStore`` creates and migrates them when it opens.
///
/// | table | a row for |
/// |---|---|
/// | `view` | each view: its present state without entries, as the list shows it |
/// | `entry` | each mount, diff, destroyed component and rejection, numbered in the order of the view |
/// | `snapshot` | the state of a view after an entry, so that earlier entries can be deleted |
/// | `page` | each page load, each status of a view, each join that waits for its view |
///
/// `data` has the binary form of `SnapshotWriter`. The other columns are for queries by people.
enum SQLiteSchema {
  /// The letters `LVMj`. The command `file mirror.sqlite` shows this id.
  static let applicationID: Int64 = 0x4C56_4D6A

  /// A database has the names of the migrations that were applied to it, so a released migration
  /// must not change.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: views, entries, snapshots, pages") { db in
      try db.execute(
        sql: """
          CREATE TABLE view(key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, data BLOB NOT NULL);
          CREATE TABLE entry(
            view INTEGER NOT NULL REFERENCES view(key) ON DELETE CASCADE, number INTEGER NOT NULL, epoch INTEGER NOT NULL,
            version INTEGER NOT NULL, kind TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY(view, number));
          CREATE TABLE snapshot(
            view INTEGER NOT NULL REFERENCES view(key) ON DELETE CASCADE, number INTEGER NOT NULL, data BLOB NOT NULL,
            PRIMARY KEY(view, number));
          CREATE TABLE page(key TEXT PRIMARY KEY, data BLOB NOT NULL);
          """)
    }
    // `removed_at` is in seconds since 1970.
    migrator.registerMigration("2: removed views") { db in
      try db.execute(
        sql: """
          ALTER TABLE view ADD COLUMN removed_at INTEGER;
          UPDATE view SET removed_at = strftime('%s', 'now')
          WHERE key NOT IN (SELECT view FROM entry) AND key NOT IN (SELECT view FROM snapshot);
          CREATE INDEX view_removed ON view(removed_at) WHERE removed_at IS NOT NULL;
          """)
    }
    return migrator
  }

  /// Marks a new database as a journal, and refuses the database of another program.
  static func identify(_ db: Database) throws {
    let id = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    if id == applicationID { return }
    let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
    guard id == 0, tables == 0 else {
      throw JournalError(.unusable, "the database belongs to another program: name another file for the journal")
    }
    try db.execute(sql: "PRAGMA application_id = \(applicationID)")
  }
}
