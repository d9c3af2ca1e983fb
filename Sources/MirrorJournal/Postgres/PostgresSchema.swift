/// The schema `liveview_mirror` of a database, with the tables of a journal. ``PostgresWriter``
/// creates and migrates them when it opens.
///
/// | table | a row for |
/// |---|---|
/// | `view`, `entry`, `snapshot`, `page` | as in ``SQLiteSchema`` |
/// | `mirror` | each mirror that uses the journal, with the number of its last transaction |
/// | `message` | each message of a mirror to all others, for a minute |
/// | `migration` | each migration that was applied |
///
/// Ids are `bytea`: clients choose them, and `text` cannot contain the character NUL. They are
/// indexed by a hash, since an index entry is limited to 2,704 bytes. There are no foreign keys:
/// each transaction looks up the keys itself, and a foreign key would look up the key of each entry
/// again.
///
/// The column `change` has the number of the transaction that wrote the row last. To find the
/// changes of others, a mirror asks for the rows whose transactions were not visible in its last
/// snapshot of the database. Asking for higher numbers would miss rows, because transactions are
/// not committed in the order of their numbers. A deleted page remains as a row without data for an
/// hour.
enum PostgresSchema {
  static let name = "liveview_mirror"
  private static let mark = "journal of liveview-mirror"

  /// A database has the number of migrations that were applied to it, so a released migration must
  /// not change, and a new one must be added at the end.
  private static let migrations: [(title: String, statements: [String])] = [
    (
      "views, entries, snapshots, pages",
      [
        """
        CREATE TABLE liveview_mirror.view(
          key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL, data bytea NOT NULL) WITH (fillfactor = 70)
        """,
        "CREATE UNIQUE INDEX view_id ON liveview_mirror.view(sha256(id))",
        """
        CREATE TABLE liveview_mirror.entry(
          view bigint NOT NULL, number bigint NOT NULL, epoch bigint NOT NULL, version bigint NOT NULL, kind text NOT NULL,
          data bytea NOT NULL, PRIMARY KEY(view, number))
        """,
        """
        CREATE TABLE liveview_mirror.snapshot(
          view bigint NOT NULL, number bigint NOT NULL, data bytea NOT NULL, PRIMARY KEY(view, number))
        """,
        "CREATE TABLE liveview_mirror.page(key bytea NOT NULL, data bytea NOT NULL) WITH (fillfactor = 70)",
        "CREATE UNIQUE INDEX page_key ON liveview_mirror.page(sha256(key))",
        """
        CREATE TABLE liveview_mirror.writer(
          single boolean PRIMARY KEY DEFAULT true CHECK (single), mirror text NOT NULL, number bigint NOT NULL)
        """,
      ]
    ),
    (
      "several mirrors",
      [
        "DROP TABLE liveview_mirror.writer",
        """
        ALTER TABLE liveview_mirror.view ADD revision bigint NOT NULL DEFAULT 0,
          ADD change xid8 NOT NULL DEFAULT pg_current_xact_id()
        """,
        "CREATE INDEX view_change ON liveview_mirror.view(change)",
        """
        ALTER TABLE liveview_mirror.page ALTER data DROP NOT NULL, ADD deleted_at timestamptz,
          ADD change xid8 NOT NULL DEFAULT pg_current_xact_id()
        """,
        "CREATE INDEX page_change ON liveview_mirror.page(change)",
        """
        CREATE TABLE liveview_mirror.mirror(
          id text PRIMARY KEY, number bigint NOT NULL DEFAULT 0, outdated bytea[] NOT NULL DEFAULT '{}',
          seen_at timestamptz NOT NULL DEFAULT now()) WITH (fillfactor = 50)
        """,
        """
        CREATE TABLE liveview_mirror.message(
          number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, mirror text NOT NULL, body bytea NOT NULL,
          at timestamptz NOT NULL DEFAULT now(), change xid8 NOT NULL DEFAULT pg_current_xact_id())
        """,
        "CREATE INDEX message_change ON liveview_mirror.message(change)",
      ]
    ),
    (
      "removed views",
      [
        "ALTER TABLE liveview_mirror.view ADD removed_at timestamptz",
        """
        UPDATE liveview_mirror.view v SET removed_at = now()
        WHERE NOT EXISTS (SELECT FROM liveview_mirror.entry WHERE view = v.key)
          AND NOT EXISTS (SELECT FROM liveview_mirror.snapshot WHERE view = v.key)
        """,
        "CREATE INDEX view_removed ON liveview_mirror.view(removed_at) WHERE removed_at IS NOT NULL",
        "CREATE INDEX page_deleted ON liveview_mirror.page(deleted_at) WHERE deleted_at IS NOT NULL",
      ]
    ),
  ]

  /// Marks rows as changed if the numbers of their transactions are too high for this server,
  /// because the rows were copied from another server.
  static let adoption =
    ["view", "page", "message"].map { table in
      """
      UPDATE liveview_mirror.\(table) SET change = pg_current_xact_id()
      WHERE change >= pg_snapshot_xmax(pg_current_snapshot())
      """
    }

  /// The statements that delete the rows that no mirror needs any more. They skip pages that
  /// another mirror is changing.
  static let cleaning = [
    """
    DELETE FROM liveview_mirror.page WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM liveview_mirror.page WHERE deleted_at < now() - interval '1 hour' FOR UPDATE SKIP LOCKED))
    """,
    "DELETE FROM liveview_mirror.message WHERE at < now() - interval '1 minute'",
    "DELETE FROM liveview_mirror.mirror WHERE seen_at < now() - interval '1 day'",
  ]

  /// The statements that create or migrate the tables; none if the tables already have this
  /// version.
  ///
  /// - Throws: `unsuitable` for the schema of another program or of a newer version.
  static func pending(_ connection: PostgresConnection) throws(PostgresFailure) -> [PostgresQuery] {
    let found = try connection.run([
      PostgresQuery(
        """
        SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean, namespace IS NOT NULL,
          coalesce(obj_description(to_regclass('liveview_mirror.migration'), 'pg_class') = $1::text, false),
          EXISTS (SELECT FROM pg_class WHERE relnamespace = namespace)
        FROM to_regnamespace('liveview_mirror') AS namespace
        """, .text(mark))
    ])[0]
    if found.bool(0, 0) {
      throw .refused(code: "25006", message: "the database accepts no writes")
    }
    let (hasSchema, isJournal, hasTables) = (found.bool(0, 1), found.bool(0, 2), found.bool(0, 3))
    if !isJournal, hasTables {
      throw .unsuitable(
        "its schema \(name) belongs to another program: use another database, or rename that schema")
    }
    var queries: [PostgresQuery] = []
    if !hasSchema { queries.append(PostgresQuery("CREATE SCHEMA liveview_mirror")) }
    if !isJournal {
      queries += [
        PostgresQuery(
          """
          CREATE TABLE liveview_mirror.migration(
            version bigint PRIMARY KEY, title text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())
          """), PostgresQuery("COMMENT ON TABLE liveview_mirror.migration IS '\(mark)'"),
      ]
    }
    let applied = isJournal ? try version(connection) : 0
    guard applied <= migrations.count else {
      throw .unsuitable("it was written by a newer version of liveview-mirror: use that version, or another database")
    }
    for (number, migration) in migrations.enumerated().dropFirst(applied) {
      queries += migration.statements.map { PostgresQuery($0) }
      queries.append(
        PostgresQuery(
          "INSERT INTO liveview_mirror.migration(version, title) VALUES ($1::bigint, $2::text)", .int(number + 1),
          .text(migration.title)))
    }
    return queries
  }

  private static func version(_ connection: PostgresConnection) throws(PostgresFailure) -> Int {
    try connection.run([PostgresQuery("SELECT max(version) FROM liveview_mirror.migration")])[0].int(0, 0)
  }
}
