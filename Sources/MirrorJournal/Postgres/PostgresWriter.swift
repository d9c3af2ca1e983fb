internal import Foundation

/// Writes to the database over one connection. ``PostgresStore`` has one writer behind a lock, so
/// one transaction runs at a time.
///
/// The connection holds an advisory lock of the server under a number of this mirror. The lock ends
/// with the connection. The table `mirror` has the number of the mirror's last transaction, and the
/// views that other mirrors had changed before it. So if the connection breaks while a `COMMIT` is
/// under way, the mirror learns whether the transaction was committed. If the server has lost
/// transactions, as after a failover to a standby that was behind, the mirror writes no more: its
/// views in memory would contradict the database.
///
/// `pg_xact_status` cannot replace the table: the number of a transaction would have to be received
/// before its `COMMIT` is sent, which is a second round trip, and it means nothing on a server that
/// has taken over after a failure.
struct PostgresWriter {
  /// What became of a transaction whose `COMMIT` was not answered.
  private enum Outcome {
    case committed(outdated: Set<String>)
    case rolledBack
    /// The server could not be asked in time.
    case unknown(PostgresFailure)
  }

  private let address: PostgresAddress
  private let mirror: PostgresMirror
  private var connection: PostgresConnection?
  /// The server's process for the latest connection that had the lock.
  private var backend: Int?
  /// The number of the last transaction.
  private var number = 0
  /// The number of the last committed transaction, as the server had it at the last reconnect.
  private var committed = 0
  /// The ids of the views that other mirrors had changed before the transaction ``committed``.
  private var outdated: Set<String> = []
  /// The number of the last transaction that this mirror knows to be committed.
  private var acknowledged = 0
  private var isClosed = false

  /// The maximum time to find out whether a transaction was committed. The client's request waits
  /// as long.
  private static let resolution = Duration.seconds(10)
  /// The maximum number of times that a transaction is run.
  private static let attempts = 5
  /// The maximum time to wait for the lock of an earlier connection, and for the migrations of
  /// another mirror.
  private static let release = Duration.seconds(10)

  init(_ address: PostgresAddress, _ mirror: PostgresMirror) { (self.address, self.mirror) = (address, mirror) }

  // MARK: - Connecting

  /// Connects, creates or migrates the tables, and adds this mirror to the table `mirror`.
  mutating func open() throws(PostgresFailure) {
    let connection = try connect()
    try migrate(connection)
    try takeLocks(connection)
    let own = PostgresQuery("INSERT INTO liveview_mirror.mirror(id) VALUES ($1::text)", .text(mirror.id))
    try connection.run(
      [PostgresQuery("BEGIN"), own] + (PostgresSchema.adoption + PostgresSchema.cleaning).map { PostgresQuery($0) } + [
        PostgresQuery("COMMIT")
      ])
    use(connection)
  }

  /// The advisory lock of migrations: `LVMjourn`. A mirror that migrates has it alone, and each one
  /// that runs has it shared, so the tables of a running mirror do not change.
  static let migration = 0x4C56_4D6A_6F75_726E

  /// Creates or migrates the tables, unless another mirror that starts at the same time does so.
  private func migrate(_ connection: PostgresConnection) throws(PostgresFailure) {
    let deadline = ContinuousClock.now + Self.release
    while try !PostgresSchema.pending(connection).isEmpty {
      guard try locks(Self.migration, connection) else {
        if ContinuousClock.now > deadline { throw .locked }
        usleep(50_000)
        continue
      }
      let queries = try PostgresSchema.pending(connection)
      if !queries.isEmpty { try connection.run([PostgresQuery("BEGIN")] + queries + [PostgresQuery("COMMIT")]) }
      try connection.run([PostgresQuery("SELECT pg_advisory_unlock($1::bigint)", .int(Self.migration))])
    }
  }

  private func takeLocks(_ connection: PostgresConnection) throws(PostgresFailure) {
    try takeLock(Self.migration, connection, isShared: true)
    // If a newer mirror has migrated the tables meanwhile, `pending` throws. If migrations are
    // missing, the database was replaced by an older state.
    guard try PostgresSchema.pending(connection).isEmpty else { throw .rewound }
    try takeLock(mirror.lock, connection)
  }

  mutating func close() {
    isClosed = true
    let own = PostgresQuery("DELETE FROM liveview_mirror.mirror WHERE id = $1::text", .text(mirror.id))
    if let connection, !connection.isBroken { _ = try? connection.run([own]) }
    connection = nil
  }

  private mutating func use(_ connection: PostgresConnection) {
    self.connection = connection
    backend = connection.backend
  }

  private func connect() throws(PostgresFailure) -> PostgresConnection {
    let connection = try PostgresConnection(to: address)
    // Every statement finds few rows by an index; an estimate from old statistics must not lead to
    // the scan of a large table, nor to a compilation of the plan, which takes 40 ms. The
    // keepalives let the server notice that the mirror's machine has disappeared, and release the
    // lock.
    try connection.run(
      [
        "enable_seqscan = off", "enable_hashjoin = off", "enable_mergejoin = off", "jit = off",
        "tcp_keepalives_idle = 10", "tcp_keepalives_interval = 5", "tcp_keepalives_count = 3",
      ].map { PostgresQuery("SET " + $0) })
    return connection
  }

  /// The connection, or a new one if the last connection was lost.
  private mutating func connected() throws(PostgresFailure) -> PostgresConnection {
    if isClosed { throw .closed }
    if let connection, !connection.isBroken { return connection }
    connection = nil
    let connection = try connect()
    try takeLocks(connection)
    let results = try connection.run([
      PostgresQuery("SELECT number FROM liveview_mirror.mirror WHERE id = $1::text", .text(mirror.id)),
      PostgresQuery(Self.readOutdated, .text(mirror.id)),
    ])
    guard !results[0].rows.isEmpty else { throw .rewound }
    committed = results[0].int(0, 0)
    outdated = results[1].texts
    if committed < acknowledged { throw .rewound }
    use(connection)
    return connection
  }

  /// Takes the lock. When this returns, no transaction of an earlier connection of this mirror is
  /// running, because the server releases a connection's lock only after its transaction has ended.
  ///
  /// - Parameter isShared: whether other connections may hold the lock at the same time, as shared.
  private func takeLock(
    _ lock: Int, _ connection: PostgresConnection, isShared: Bool = false
  ) throws(PostgresFailure) {
    let deadline = ContinuousClock.now + Self.release
    while try !locks(lock, connection, isShared: isShared) {
      if let backend { try end(backend, connection) }
      if ContinuousClock.now > deadline { throw .locked }
      usleep(50_000)
    }
  }

  /// - Returns: whether the connection has the lock now.
  private func locks(
    _ lock: Int, _ connection: PostgresConnection, isShared: Bool = false
  ) throws(PostgresFailure) -> Bool {
    let query = PostgresQuery("SELECT pg_try_advisory_lock\(isShared ? "_shared" : "")($1::bigint)", .int(lock))
    return try connection.run([query])[0].bool(0, 0)
  }

  /// Ends the server's process for an earlier connection of this mirror, if the server has not
  /// noticed that the connection broke.
  private func end(_ backend: Int, _ connection: PostgresConnection) throws(PostgresFailure) {
    try connection.run([
      PostgresQuery(
        """
        SELECT pg_terminate_backend(pid) FROM pg_locks
        WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND classid = $1::bigint::oid AND objid = $2::bigint::oid AND objsubid = 1 AND granted AND pid = $3::bigint
        """, .int(mirror.lock >> 32 & 0xFFFF_FFFF), .int(mirror.lock & 0xFFFF_FFFF), .int(backend))
    ])
  }

  // MARK: - Writing

  /// Runs statements as one transaction.
  ///
  /// A transaction is run again if its connection was lost, or if the server has aborted it because
  /// of a deadlock.
  ///
  /// - Parameters:
  ///   - compared: the ids of the views whose revisions are compared.
  ///   - isAlone: whether no other mirror has to be notified.
  /// - Returns: the ids of the compared views that another mirror has changed.
  /// - Throws: if nothing was written, or if the server cannot be asked within ten seconds whether
  ///   something was written.
  mutating func write(
    _ queries: [PostgresQuery], compared: [String], isAlone: Bool
  ) throws(PostgresFailure) -> Set<String> {
    for attempt in 1... {
      // A connection that is lost while it is made has sent no transaction.
      var isConnected = false
      do throws(PostgresFailure) {
        let connection = try connected()
        isConnected = true
        return try run(queries, compared, isAlone, connection)
      } catch {
        if case .refused(code: "40P01", _) = error, attempt < Self.attempts { continue }
        guard case .lost(_, let isSent) = error else { throw error }
        connection = nil
        if isConnected, isSent {
          switch outcome() {
          case .committed(let outdated): return outdated
          case .rolledBack: break
          case .unknown(let failure): throw failure
          }
        }
        if attempt == Self.attempts { throw error }
      }
    }
    return []
  }

  private mutating func run(
    _ queries: [PostgresQuery], _ compared: [String], _ isAlone: Bool, _ connection: PostgresConnection
  ) throws(PostgresFailure) -> Set<String> {
    number += 1
    let note = PostgresQuery(Self.note, .int(number), .text(mirror.id), .utf8(compared))
    let notification = isAlone ? [] : [PostgresQuery("SELECT pg_notify('liveview_mirror', $1::text)", .text(mirror.id))]
    let results = try connection.run(
      [PostgresQuery("BEGIN ISOLATION LEVEL READ COMMITTED")] + queries + [
        note, PostgresQuery(Self.readOutdated, .text(mirror.id)),
      ] + notification
        + [PostgresQuery("COMMIT")])
    acknowledged = number
    return results[queries.count + 2].texts
  }

  private static let note = """
    UPDATE liveview_mirror.mirror SET number = $1::bigint, seen_at = now(), outdated = ARRAY(
      SELECT u.id FROM unnest($3::bytea[]) AS u(id) LEFT JOIN LATERAL (
        SELECT change FROM liveview_mirror.view w WHERE sha256(w.id) = sha256(u.id) OFFSET 0) v ON true
      WHERE v.change IS DISTINCT FROM pg_current_xact_id())
    WHERE id = $2::text
    """

  private static let readOutdated = "SELECT unnest(outdated) FROM liveview_mirror.mirror WHERE id = $1::text"

  /// Finds out whether the last transaction was committed.
  private mutating func outcome() -> Outcome {
    let deadline = ContinuousClock.now + Self.resolution
    while true {
      do throws(PostgresFailure) {
        _ = try connected()
        guard committed == number else { return .rolledBack }
        acknowledged = number
        return .committed(outdated: outdated)
      } catch {
        switch error {
        case .rewound: return .unknown(error)
        default: if ContinuousClock.now > deadline { return .unknown(error) }
        }
        usleep(100_000)
      }
    }
  }

  /// Writes a row and rolls back, to find out whether the server can write again. The row is large
  /// and random, so it needs new pages of the disk, as the next entries do.
  mutating func probe() throws(PostgresFailure) {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<65_536).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let row = PostgresQuery(
      "INSERT INTO liveview_mirror.page(key, data) VALUES ('probe', $1::bytea)", .bytes(bytes))
    try connected().run([PostgresQuery("BEGIN"), row, PostgresQuery("ROLLBACK")])
  }
}
