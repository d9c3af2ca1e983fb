package import LiveViewMirror
internal import MirrorSupport

/// A journal in a PostgreSQL database (`--journal postgres://user@host/database`), in a schema of
/// its own. ``JournalLocation/open()`` makes it for a ``Journal``.
///
/// A transaction survives a crash of the mirror and of the server as soon as ``write(_:)`` returns,
/// unless the server's `synchronous_commit` is off.
package final class PostgresStore: SharedJournalStore {
  private let mirror = PostgresMirror()
  private let listener: PostgresListener
  private let writer: Guarded<PostgresWriter>
  private let readers: PostgresReaders
  private let errors: PostgresErrors

  /// Connects to the database, and creates or migrates the tables.
  ///
  /// - Throws: `JournalError` of the kind `unusable`, with what to do.
  package init(_ address: PostgresAddress) throws(JournalError) {
    listener = PostgresListener(address, mirror)
    writer = Guarded(PostgresWriter(address, mirror))
    readers = PostgresReaders(address)
    errors = PostgresErrors(address: address)
    do throws(PostgresFailure) { try writer.withLock { writer throws(PostgresFailure) in try writer.open() } } catch {
      throw errors.error(error, .unusable)
    }
  }

  // MARK: - Writing

  /// See ``JournalStore/write(_:)``. If the connection breaks, this function finds out whether the
  /// group was written. If the server does not come back within ten seconds, that cannot be found
  /// out: the function throws, and the group may have been written.
  @discardableResult
  package func write(_ group: JournalGroup) throws(JournalError) -> Set<String> {
    let isAlone = listener.isAlone
    let (queries, compared) = (group.queries + (isAlone ? [] : group.messageQueries(from: mirror)), group.compared)
    return try writing { writer throws(PostgresFailure) in
      try writer.write(queries, compared: compared, isAlone: isAlone)
    }
  }

  package func probe() throws(JournalError) {
    try writing { writer throws(PostgresFailure) in try writer.probe() }
  }

  private func writing<Result>(
    _ body: (inout PostgresWriter) throws(PostgresFailure) -> Result
  ) throws(JournalError) -> Result {
    do throws(PostgresFailure) { return try writer.withLock(body) } catch { throw errors.error(error, .unavailable) }
  }

  // MARK: - Reading

  package func views() throws(JournalError) -> [StoredRow] {
    rows(try read([PostgresQuery(Self.allRows)])[0])
  }

  private func rows(_ result: PostgresResult) -> [StoredRow] {
    result.rows.map { row in
      let time = result.int(row, 3)
      return StoredRow(
        id: result.text(row, 0), bytes: result.bytes(row, 1), revision: result.int(row, 2),
        removedAt: time == 0 ? nil : Int64(time))
    }
  }

  private static let allRows = """
    SELECT id, data, revision, (1000 * extract(epoch FROM removed_at))::bigint FROM liveview_mirror.view
    """

  package func row(of id: String) throws(JournalError) -> StoredRow? {
    rows(try readOne(PostgresQuery(Self.row, .bytes(Array(id.utf8))))).first
  }

  package func view(_ id: String) throws(JournalError) -> StoredView? {
    let results = try read(Self.view.map { PostgresQuery($0, .bytes(Array(id.utf8))) })
    let (entries, snapshot) = (results[1], results[2])
    guard let row = rows(results[0]).first else { return nil }
    return StoredView(
      row: row.bytes, revision: row.revision,
      snapshot: snapshot.rows.first.map {
        StoredView.Snapshot(number: snapshot.int($0, 0), bytes: snapshot.bytes($0, 1))
      }, entries: self.entries(entries))
  }

  package func view(_ id: String, after number: Int) throws(JournalError) -> StoredView? {
    let results = try read([
      PostgresQuery(Self.row, .bytes(Array(id.utf8))),
      PostgresQuery(Self.laterEntries, .bytes(Array(id.utf8)), .int(number)),
    ])
    guard let row = rows(results[0]).first else { return nil }
    return StoredView(row: row.bytes, revision: row.revision, snapshot: nil, entries: entries(results[1]))
  }

  private func entries(_ result: PostgresResult) -> [StoredView.EncodedEntry] {
    result.rows.map { StoredView.EncodedEntry(number: result.int($0, 0), bytes: result.bytes($0, 1)) }
  }

  private static let key = "(SELECT key FROM liveview_mirror.view WHERE sha256(id) = sha256($1::bytea))"

  private static let row = allRows + " WHERE sha256(id) = sha256($1::bytea)"

  private static let laterEntries =
    "SELECT number, data FROM liveview_mirror.entry WHERE view = \(key) AND number > $2::bigint ORDER BY number"

  /// The statements that read a view: its row, its entries, and the snapshot before the entries.
  private static let view = [
    row,
    "SELECT number, data FROM liveview_mirror.entry WHERE view = \(key) ORDER BY number",
    """
    SELECT number, data FROM liveview_mirror.snapshot,
      (SELECT min(number) AS first FROM liveview_mirror.entry WHERE view = \(key)) AS entries
    WHERE view = \(key) AND (first IS NULL OR number = first - 1) ORDER BY number DESC LIMIT 1
    """,
  ]

  package func pages() throws(JournalError) -> [(id: String, row: [UInt8])] {
    let result = try readOne(PostgresQuery(Self.allPages))
    return result.rows.map { (result.text($0, 0), result.bytes($0, 1)) }
  }

  private static let allPages = "SELECT key, data FROM liveview_mirror.page WHERE data IS NOT NULL"

  /// Reads by one statement, which needs no transaction.
  private func readOne(_ query: PostgresQuery) throws(JournalError) -> PostgresResult {
    do throws(PostgresFailure) { return try readers.readOne(query) } catch {
      throw errors.error(error, .unavailable)
    }
  }

  private func read(
    _ queries: [PostgresQuery], isWriting: Bool = false
  ) throws(JournalError) -> [PostgresResult] {
    do throws(PostgresFailure) { return try readers.read(queries, isWriting: isWriting) } catch {
      throw errors.error(error, .unavailable)
    }
  }

  package func close() {
    listener.close()
    writer.withLock { $0.close() }
    readers.close()
  }
}

// MARK: - Several mirrors

extension PostgresStore {
  package func awaitNews(for time: Duration) { listener.wait(for: time) }

  package func news(
    after position: JournalPosition?, andPages pages: Set<String>
  ) throws(JournalError) -> JournalNews {
    let values = position.map { [PostgresValue.text($0.text)] } ?? []
    let results = try read([
      PostgresQuery("SELECT pg_current_snapshot()::text"),
      PostgresQuery(Self.allRows + (position == nil ? "" : Self.isNew), values),
      position == nil
        ? PostgresQuery(Self.allPages)
        : PostgresQuery(
          "SELECT key, data, data IS NULL FROM liveview_mirror.page" + Self.isNew + Self.orIsAmong,
          values + [.utf8(pages.sorted())]),
      PostgresQuery(
        "SELECT number, body FROM liveview_mirror.message"
          + (position == nil
            ? " WHERE false AND mirror = $1::text" : Self.isNew + " AND mirror <> $2::text ORDER BY number"),
        values + [.text(mirror.id)]),
    ])
    var news = JournalNews(position: JournalPosition(results[0].text(0, 0)))
    news.views = rows(results[1])
    let found = results[2]
    news.pages = found.rows.map { row in
      (found.text(row, 0), position != nil && found.bool(row, 2) ? nil : found.bytes(row, 1))
    }
    news.messages = results[3].rows.map { (results[3].int($0, 0), results[3].bytes($0, 1)) }
    return news
  }

  /// The condition for rows that the snapshot of the database at the last call did not contain. A
  /// transaction that runs for long makes the statement read more rows, but not return more.
  private static let isNew = """
     WHERE change >= pg_snapshot_xmin($1::text::pg_snapshot)
      AND NOT pg_visible_in_snapshot(change, $1::text::pg_snapshot)
    """

  /// Adds the pages whose keys are in `$2`, whether they are new or not.
  private static let orIsAmong = " OR sha256(key) = ANY(ARRAY(SELECT sha256(k) FROM unnest($2::bytea[]) AS k))"

  package func send(_ message: [UInt8]) throws(JournalError) {
    _ = try read(
      [
        PostgresQuery(
          "INSERT INTO liveview_mirror.message(mirror, body) VALUES ($1::text, $2::bytea)", .text(mirror.id),
          .bytes(message)), PostgresQuery("SELECT pg_notify('liveview_mirror', $1::text)", .text(mirror.id)),
      ], isWriting: true)
  }

  package func otherMirrors() throws(JournalError) -> Int {
    try readOne(PostgresListener.connected(beside: mirror)).int(0, 0)
  }
}
