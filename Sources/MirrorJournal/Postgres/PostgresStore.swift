package import LiveViewMirror
internal import MirrorSupport

/// A journal in a PostgreSQL database (`--journal postgres://user@host/database`), in a schema of its own.
///
/// A transaction survives a crash of the mirror and of the server as soon as ``write(_:)`` returns, unless the server's
/// `synchronous_commit` is off.
package final class PostgresStore: JournalStore {
  private let writer: Guarded<PostgresWriter>
  private let readers: PostgresReaders
  private let errors: PostgresErrors

  /// Connects to the database, and creates or migrates the tables.
  ///
  /// - Throws: `JournalError` of the kind `unusable`, with what to do.
  package init(_ address: PostgresAddress) throws(JournalError) {
    writer = Guarded(PostgresWriter(address))
    readers = PostgresReaders(address)
    errors = PostgresErrors(address: address)
    do throws(PostgresFailure) { try writer.withLock { writer throws(PostgresFailure) in try writer.open() } } catch {
      throw errors.error(error, .unusable)
    }
  }

  // MARK: - Writing

  /// See ``JournalStore/write(_:)``. If the connection breaks, this function finds out whether the group was written. If the server
  /// does not come back within ten seconds, that cannot be found out: the function throws, and the group may have been written.
  @discardableResult
  package func write(_ group: JournalGroup) throws(JournalError) -> Set<String> {
    try writing { writer throws(PostgresFailure) in try writer.write(group.queries) }
    return []
  }

  package func probe() throws(JournalError) {
    try writing { writer throws(PostgresFailure) in try writer.probe() }
  }

  private func writing(
    _ body: (inout PostgresWriter) throws(PostgresFailure) -> Void
  ) throws(JournalError) {
    do throws(PostgresFailure) { try writer.withLock(body) } catch { throw errors.error(error, .unavailable) }
  }

  // MARK: - Reading

  package func views() throws(JournalError) -> [StoredRow] {
    let result = try read([PostgresQuery("SELECT id, data FROM liveview_mirror.view")])[0]
    return result.rows.map { StoredRow(id: result.text($0, 0), bytes: result.bytes($0, 1)) }
  }

  package func row(of id: String) throws(JournalError) -> StoredRow? {
    let result = try read([PostgresQuery(Self.view[0], .bytes(Array(id.utf8)))])[0]
    return result.rows.first.map { StoredRow(id: id, bytes: result.bytes($0, 0)) }
  }

  package func view(_ id: String, after number: Int) throws(JournalError) -> StoredView? {
    let results = try read([
      PostgresQuery(Self.view[0], .bytes(Array(id.utf8))),
      PostgresQuery(
        "SELECT number, data FROM liveview_mirror.entry WHERE view = \(Self.key) AND number > $2::bigint ORDER BY number",
        .bytes(Array(id.utf8)), .int(number)),
    ])
    let (row, entries) = (results[0], results[1])
    if row.rows.isEmpty { return nil }
    return StoredView(
      row: row.bytes(0, 0), snapshot: nil,
      entries: entries.rows.map { StoredView.Entry(number: entries.int($0, 0), bytes: entries.bytes($0, 1)) })
  }

  package func view(_ id: String) throws(JournalError) -> StoredView? {
    let results = try read(Self.view.map { PostgresQuery($0, .bytes(Array(id.utf8))) })
    let (row, entries, snapshot) = (results[0], results[1], results[2])
    if row.rows.isEmpty { return nil }
    return StoredView(
      row: row.bytes(0, 0),
      snapshot: snapshot.rows.first.map {
        StoredView.Snapshot(number: snapshot.int($0, 0), bytes: snapshot.bytes($0, 1))
      }, entries: entries.rows.map { StoredView.Entry(number: entries.int($0, 0), bytes: entries.bytes($0, 1)) })
  }

  private static let key = "(SELECT key FROM liveview_mirror.view WHERE sha256(id) = sha256($1::bytea))"

  /// The row, the entries, and the snapshot before them.
  private static let view = [
    "SELECT data FROM liveview_mirror.view WHERE sha256(id) = sha256($1::bytea)",
    "SELECT number, data FROM liveview_mirror.entry WHERE view = \(key) ORDER BY number",
    """
    SELECT number, data FROM liveview_mirror.snapshot,
      (SELECT min(number) AS first FROM liveview_mirror.entry WHERE view = \(key)) AS entries
    WHERE view = \(key) AND (first IS NULL OR number = first - 1) ORDER BY number DESC LIMIT 1
    """,
  ]

  package func pages() throws(JournalError) -> [(id: String, row: [UInt8])] {
    let result = try read([PostgresQuery("SELECT key, data FROM liveview_mirror.page")])[0]
    return result.rows.map { (result.text($0, 0), result.bytes($0, 1)) }
  }

  private func read(_ queries: [PostgresQuery]) throws(JournalError) -> [PostgresResult] {
    do throws(PostgresFailure) { return try readers.read(queries) } catch {
      throw errors.error(error, .unavailable)
    }
  }

  package func close() {
    writer.withLock { $0.close() }
    readers.close()
  }
}
