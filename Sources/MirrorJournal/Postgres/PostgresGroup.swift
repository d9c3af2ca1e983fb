internal import LiveViewMirror

extension JournalGroup {
  /// The statements that write the group, a constant number: each takes the values of all views as arrays. So a group takes one round
  /// trip, and the time for a statement is shared by its rows.
  ///
  /// Views are sorted, so that transactions lock their rows in the same order.
  ///
  /// - Complexity: O(*bytes* + *v* log *v*) for *v* views.
  var queries: [PostgresQuery] {
    let views = views.sorted { $0.key < $1.key }
    var queries: [PostgresQuery] = []
    let replaced = views.filter(\.value.isReplaced).map(\.key)
    if !replaced.isEmpty { queries += Self.delete.map { PostgresQuery($0, .utf8(replaced)) } }

    let rows = views.compactMap { id, view in view.row.map { (id, $0) } }
    if !rows.isEmpty {
      queries.append(PostgresQuery(Self.insertRows, .utf8(rows.map(\.0)), .byteArrays(rows.map(\.1))))
    }
    let entries = views.flatMap { id, view in view.entries.map { (id, $0) } }
    if !entries.isEmpty {
      queries.append(
        PostgresQuery(
          Self.insertEntries, .utf8(entries.map(\.0)), .ints(entries.map(\.1.number)), .ints(entries.map(\.1.epoch)),
          .ints(entries.map(\.1.version)), .texts(entries.map(\.1.kind)), .byteArrays(entries.map(\.1.bytes))))
    }
    let snapshots = views.flatMap { id, view in view.snapshots.map { (id, $0) } }
    if !snapshots.isEmpty {
      queries.append(
        PostgresQuery(
          Self.insertSnapshots, .utf8(snapshots.map(\.0)), .ints(snapshots.map(\.1.number)),
          .byteArrays(snapshots.map(\.1.bytes))))
    }
    let trimmed = views.filter { $0.value.unneeded > 0 }
    if !trimmed.isEmpty {
      let numbers = trimmed.map(\.value.unneeded)
      queries += Self.trim.map { PostgresQuery($0, .utf8(trimmed.map(\.key)), .ints(numbers)) }
    }
    return queries + pageQueries
  }

  private var pageQueries: [PostgresQuery] {
    let pages = pages.sorted { $0.key < $1.key }
    var queries: [PostgresQuery] = []
    let removed = pages.filter { $0.value == nil }.map(\.key)
    if !removed.isEmpty { queries.append(PostgresQuery(Self.deletePages, .utf8(removed))) }
    let rows = pages.compactMap { key, row in row.map { (key, $0) } }
    if !rows.isEmpty {
      queries.append(PostgresQuery(Self.insertPages, .utf8(rows.map(\.0)), .byteArrays(rows.map(\.1))))
    }
    return queries
  }

  // MARK: - Statements

  private static let delete = ["entry", "snapshot", "view"].map { table in
    """
    DELETE FROM liveview_mirror.\(table) WHERE \(table == "view" ? "key" : "view") = ANY(ARRAY(
      SELECT v.key FROM unnest($1::bytea[]) AS u(id) JOIN liveview_mirror.view v ON sha256(v.id) = sha256(u.id)))
    """
  }

  private static let insertRows = """
    INSERT INTO liveview_mirror.view(id, data) SELECT * FROM unnest($1::bytea[], $2::bytea[])
    ON CONFLICT (sha256(id)) DO UPDATE SET data = excluded.data
    """

  // For an unknown view the key is NULL, which the column refuses.
  private static let insertEntries = """
    INSERT INTO liveview_mirror.entry(view, number, epoch, version, kind, data)
    SELECT (SELECT key FROM liveview_mirror.view v WHERE sha256(v.id) = sha256(u.id)), number, epoch, version, kind, data
    FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bytea[])
      AS u(id, number, epoch, version, kind, data)
    """

  private static let insertSnapshots = """
    INSERT INTO liveview_mirror.snapshot(view, number, data)
    SELECT (SELECT key FROM liveview_mirror.view v WHERE sha256(v.id) = sha256(u.id)), number, data
    FROM unnest($1::bytea[], $2::bigint[], $3::bytea[]) AS u(id, number, data)
    """

  private static let trim = [("entry", "<="), ("snapshot", "<")].map { table, order in
    """
    DELETE FROM liveview_mirror.\(table) t
    USING unnest($1::bytea[], $2::bigint[]) AS u(id, number) JOIN liveview_mirror.view v ON sha256(v.id) = sha256(u.id)
    WHERE t.view = v.key AND t.number \(order) u.number
    """
  }

  private static let deletePages = """
    DELETE FROM liveview_mirror.page WHERE sha256(key) = ANY(ARRAY(SELECT sha256(k) FROM unnest($1::bytea[]) AS k))
    """

  private static let insertPages = """
    INSERT INTO liveview_mirror.page(key, data) SELECT * FROM unnest($1::bytea[], $2::bytea[])
    ON CONFLICT (sha256(key)) DO UPDATE SET data = excluded.data
    """
}
