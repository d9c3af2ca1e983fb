internal import LiveViewMirror

extension JournalGroup {
  /// The statements that write the group. Their number does not depend on the number of views,
  /// because each takes the values of all views as arrays. So a group takes one round trip, and the
  /// time for a statement is shared by its rows.
  ///
  /// ``PostgresStore/write(_:)`` passes them to ``PostgresWriter``, which runs them in this order
  /// as one transaction.
  ///
  /// A view is written only if its revision is the expected one. The first statements check that.
  /// The following statements find the written views by the number of the transaction. Views are
  /// sorted, so that transactions lock their rows in the same order.
  ///
  /// - Complexity: O(*bytes* + *v* log *v*) for *v* views.
  var queries: [PostgresQuery] {
    let views = views.sorted { $0.key < $1.key }
    var queries: [PostgresQuery] = []
    let rows = views.compactMap { id, view in view.row.map { (id: id, row: $0, view: view) } }
    if !rows.isEmpty {
      let values: [PostgresValue] = [
        .utf8(rows.map(\.id)), .byteArrays(rows.map(\.row)), .ints(rows.map(\.view.previous)),
        .ints(rows.map(\.view.revision)), .ints(rows.map { $0.view.isRemoved ? 1 : 0 }),
      ]
      queries.append(PostgresQuery(Self.updateRows, values))
      if rows.contains(where: { $0.view.previous == 0 }) { queries.append(PostgresQuery(Self.insertRows, values)) }
    }
    let replaced = views.filter(\.value.isReplaced).map(\.key)
    if !replaced.isEmpty {
      queries += Self.empty.map { PostgresQuery($0, .utf8(replaced)) }
      queries.append(PostgresQuery(Self.deleteRemoved))
    }
    // The place of the view, counted from 1, with each entry.
    let written = views.filter { !$0.value.entries.isEmpty }
    let entries = written.enumerated().flatMap { place, view in view.value.entries.map { (place + 1, $0) } }
    if !entries.isEmpty {
      queries.append(
        PostgresQuery(
          Self.insertEntries, .utf8(written.map(\.key)), .ints(entries.map(\.0)), .ints(entries.map(\.1.number)),
          .ints(entries.map(\.1.epoch)),
          .ints(entries.map(\.1.version)), .texts(entries.map(\.1.kind)), .byteArrays(entries.map(\.1.bytes))))
    }
    let snapshots = views.flatMap { id, view in view.snapshots.map { (id: id, snapshot: $0, isAlone: view.row == nil) }
    }
    if !snapshots.isEmpty {
      queries.append(
        PostgresQuery(
          Self.insertSnapshots, .utf8(snapshots.map(\.id)), .ints(snapshots.map(\.snapshot.number)),
          .byteArrays(snapshots.map(\.snapshot.bytes)), .ints(snapshots.map { $0.isAlone ? 1 : 0 }),
          .ints(snapshots.map { $0.snapshot.epoch ?? 0 })))
    }
    let trimmed = views.filter { $0.value.unneeded > 0 }
    if !trimmed.isEmpty {
      let numbers = trimmed.map(\.value.unneeded)
      queries += Self.trim.map { PostgresQuery($0, .utf8(trimmed.map(\.key)), .ints(numbers)) }
    }
    return queries + pageQueries
  }

  /// The ids of the views whose revisions are compared.
  var compared: [String] { views.filter { $0.value.row != nil }.map(\.key).sorted() }

  private var pageQueries: [PostgresQuery] {
    if pages.isEmpty { return [] }
    let pages = pages.sorted { $0.key < $1.key }
    return [PostgresQuery(Self.writePages, .utf8(pages.map(\.key)), .byteArrays(pages.map { $0.value ?? [] }))]
  }

  /// The statements that send the messages of the group.
  func messageQueries(from mirror: PostgresMirror) -> [PostgresQuery] {
    messages.isEmpty ? [] : [PostgresQuery(Self.sendMessages, .text(mirror.id), .byteArrays(messages))]
  }

  // MARK: - Statements

  // An UPDATE that has waited for the transaction of another mirror compares the revision again,
  // so only one of two mirrors can write a revision.
  private static let updateRows = """
    UPDATE liveview_mirror.view v SET data = u.data, revision = u.revision, change = pg_current_xact_id(),
      removed_at = CASE WHEN u.removed = 1 THEN now() END
    FROM unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::bigint[], $5::bigint[])
      AS u(id, data, previous, revision, removed)
    WHERE sha256(v.id) = sha256(u.id) AND v.revision = u.previous
    """

  private static let insertRows = """
    INSERT INTO liveview_mirror.view(id, data, revision, removed_at)
    SELECT id, data, revision, CASE WHEN removed = 1 THEN now() END
    FROM unnest($1::bytea[], $2::bytea[], $3::bigint[], $4::bigint[], $5::bigint[])
      AS u(id, data, previous, revision, removed)
    WHERE previous = 0
    ON CONFLICT (sha256(id)) DO NOTHING
    """

  /// Joins the row `v` of the view with the id `u.id`. `OFFSET 0` keeps the planner from using the
  /// index of changes, with which it would compare each id with all views of the transaction.
  private static let view = """
    CROSS JOIN LATERAL (SELECT * FROM liveview_mirror.view w WHERE sha256(w.id) = sha256(u.id) OFFSET 0) v
    """

  /// The condition that this transaction has written the view `v`.
  private static let isWritten = "v.change = pg_current_xact_id()"

  /// Deletes all entries and snapshots of the written views among `$1`.
  private static let empty = ["entry", "snapshot"].map { table in
    """
    DELETE FROM liveview_mirror.\(table) WHERE view = ANY(ARRAY(
      SELECT v.key FROM unnest($1::bytea[]) AS u(id) \(view) WHERE \(isWritten)))
    """
  }

  /// Deletes rows of views that were removed long ago, unless another mirror is changing them.
  private static let deleteRemoved = """
    DELETE FROM liveview_mirror.view WHERE key IN (
      SELECT key FROM liveview_mirror.view
      WHERE removed_at < now() - interval '\(daysOfRemovedViews) days' FOR UPDATE SKIP LOCKED)
    """

  private static let insertEntries = """
    WITH written AS MATERIALIZED (
      SELECT array_agg(CASE WHEN v.change = pg_current_xact_id() THEN v.key END ORDER BY u.place) AS keys
      FROM unnest($1::bytea[]) WITH ORDINALITY AS u(id, place)
        LEFT JOIN LATERAL (SELECT * FROM liveview_mirror.view w WHERE sha256(w.id) = sha256(u.id) OFFSET 0) v ON true)
    INSERT INTO liveview_mirror.entry(view, number, epoch, version, kind, data)
    SELECT keys[e.place], e.number, e.epoch, e.version, e.kind, e.data
    FROM written,
      unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::bytea[])
        AS e(place, number, epoch, version, kind, data)
    WHERE keys[e.place] IS NOT NULL
    """

  // A snapshot that is written alone may arrive after another mirror has changed the view. It is
  // still valid, because it is the state after an entry, which is looked up by number and epoch.
  private static let insertSnapshots = """
    INSERT INTO liveview_mirror.snapshot(view, number, data)
    SELECT v.key, u.number, u.data
    FROM unnest($1::bytea[], $2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[]) AS u(id, number, data, alone, epoch)
    \(view) WHERE (u.alone = 1 OR \(isWritten))
      AND EXISTS (
        SELECT FROM liveview_mirror.entry e WHERE e.view = v.key AND e.number = u.number AND e.epoch = u.epoch)
    ON CONFLICT (view, number) DO UPDATE SET data = excluded.data
    """

  // Rows are deleted only up to a snapshot that exists. The inner statement finds the rows by their
  // numbers; without it, the planner reads all rows of the view.
  private static let trim = [("entry", "<="), ("snapshot", "<")].map { table, order in
    """
    DELETE FROM liveview_mirror.\(table) t
    USING unnest($1::bytea[], $2::bigint[]) AS u(id, number) \(view) CROSS JOIN LATERAL (
      SELECT r.ctid AS place FROM liveview_mirror.\(table) r WHERE r.view = v.key AND r.number \(order) u.number OFFSET 0) d
    WHERE \(isWritten) AND t.ctid = d.place
      AND EXISTS (SELECT FROM liveview_mirror.snapshot s WHERE s.view = v.key AND s.number = u.number)
    """
  }

  // A row of a page is never empty; without bytes, the page was deleted. One statement locks the
  // rows of all mirrors in the same order.
  private static let writePages = """
    INSERT INTO liveview_mirror.page(key, data, deleted_at)
    SELECT u.key, nullif(u.data, ''), CASE WHEN u.data = '' THEN now() END
    FROM unnest($1::bytea[], $2::bytea[]) WITH ORDINALITY AS u(key, data, place) ORDER BY u.place
    ON CONFLICT (sha256(key)) DO UPDATE
      SET data = excluded.data, deleted_at = excluded.deleted_at, change = excluded.change
    """

  private static let sendMessages = """
    INSERT INTO liveview_mirror.message(mirror, body)
    SELECT $1::text, u.body FROM unnest($2::bytea[]) WITH ORDINALITY AS u(body, place) ORDER BY u.place
    """
}
