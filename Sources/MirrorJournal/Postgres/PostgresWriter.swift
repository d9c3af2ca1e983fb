internal import Foundation

/// The connection that writes, and the right to write.
///
/// One mirror writes to a database: its connection holds an advisory lock of the server, which ends with the connection. The table
/// `writer` says which mirror had the lock last and which of its transactions was the last. That has two uses. After a reconnect,
/// the mirror learns whether another mirror has written meanwhile: then its views in memory are out of date, and it writes no more. The same
/// holds if the server has lost transactions, as after a failover to a standby that was behind. And if the connection breaks while a `COMMIT` is under way, the mirror learns whether the transaction was committed.
///
/// `pg_xact_status` would not do for that: the number of a transaction would have to be received before its `COMMIT` is sent, which is
/// a second round trip, and it means nothing on a server that has taken over after a failure.
struct PostgresWriter {
  /// What became of a transaction whose `COMMIT` was not answered.
  private enum Outcome {
    case committed, rolledBack
    /// The server could not be asked in time.
    case unknown(PostgresFailure)
  }

  private let address: PostgresAddress
  /// Tells this mirror from others.
  private let mirror = UUID().uuidString
  private var connection: PostgresConnection?
  /// The server's process for the latest connection that had the lock.
  private var backend: Int?
  /// The number of the last transaction.
  private var number = 0
  /// The number of the last committed transaction, as the server had it at the last reconnect.
  private var committed = 0
  /// The number of the last transaction that this mirror knows to be committed.
  private var acknowledged = 0
  private var isClosed = false

  /// The advisory lock: `LVMjourn`.
  private static let lock = 0x4C56_4D6A_6F75_726E
  /// The time to find out what became of a transaction. Its request waits for that.
  private static let resolution = Duration.seconds(10)
  /// The number of times that a transaction is run.
  private static let attempts = 5
  /// The time that a lock of an ended process may last.
  private static let release = Duration.seconds(3)

  init(_ address: PostgresAddress) { self.address = address }

  // MARK: - Connecting

  /// Connects, takes the lock, and creates or migrates the tables.
  mutating func open() throws(PostgresFailure) {
    let connection = try connect()
    try takeLock(connection)
    try PostgresSchema.prepare(connection)
    try connection.run([
      PostgresQuery(
        """
        INSERT INTO liveview_mirror.writer(mirror, number) VALUES ($1::text, 0)
        ON CONFLICT (single) DO UPDATE SET mirror = excluded.mirror, number = 0
        """, .text(mirror))
    ])
    use(connection)
  }

  mutating func close() {
    isClosed = true
    connection = nil
  }

  private mutating func use(_ connection: PostgresConnection) {
    self.connection = connection
    backend = connection.backend
  }

  private func connect() throws(PostgresFailure) -> PostgresConnection {
    let connection = try PostgresConnection(to: address)
    // Every statement finds few rows by an index; an estimate from old statistics must not lead to the scan of a large table, nor to
    // a compilation of the plan, which takes 40 ms. The keepalives let the server notice that the mirror's machine has disappeared,
    // and release the lock.
    try connection.run(
      [
        "enable_seqscan = off", "enable_hashjoin = off", "enable_mergejoin = off", "jit = off",
        "tcp_keepalives_idle = 10", "tcp_keepalives_interval = 5", "tcp_keepalives_count = 3",
      ].map { PostgresQuery("SET " + $0) })
    return connection
  }

  /// The connection, made again if it was lost.
  private mutating func connected() throws(PostgresFailure) -> PostgresConnection {
    if isClosed { throw .closed }
    if let connection, !connection.isBroken { return connection }
    connection = nil
    let connection = try connect()
    try takeLock(connection)
    let row = try connection.run([PostgresQuery("SELECT mirror, number FROM liveview_mirror.writer")])[0]
    guard !row.rows.isEmpty, row.text(0, 0) == mirror else { throw .superseded }
    committed = row.int(0, 1)
    if committed < acknowledged { throw .rewound }
    use(connection)
    return connection
  }

  /// Takes the lock. When this returns, no transaction of an earlier connection of this mirror is running: its end is the end of its
  /// lock.
  private func takeLock(_ connection: PostgresConnection) throws(PostgresFailure) {
    let deadline = ContinuousClock.now + Self.release
    while true {
      let lock = PostgresQuery("SELECT pg_try_advisory_lock($1::bigint)", .int(Self.lock))
      if try connection.run([lock])[0].bool(0, 0) { return }
      if let backend { try end(backend, connection) }
      if ContinuousClock.now > deadline { throw .locked }
      usleep(50_000)
    }
  }

  /// Ends the server's process for an earlier connection of this mirror, if the server has not noticed that the connection broke.
  private func end(_ backend: Int, _ connection: PostgresConnection) throws(PostgresFailure) {
    try connection.run([
      PostgresQuery(
        """
        SELECT pg_terminate_backend(pid) FROM pg_locks
        WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND classid = $1::bigint::oid AND objid = $2::bigint::oid AND objsubid = 1 AND granted AND pid = $3::bigint
          AND EXISTS (SELECT FROM liveview_mirror.writer WHERE mirror = $4::text)
        """, .int(Self.lock >> 32), .int(Self.lock & 0xFFFF_FFFF), .int(backend), .text(mirror))
    ])
  }

  // MARK: - Writing

  /// Runs statements as one transaction.
  ///
  /// A transaction that was lost with its connection is run again.
  ///
  /// - Throws: if nothing was written, or if that cannot be found out within ten seconds, because the server is gone.
  mutating func write(_ queries: [PostgresQuery]) throws(PostgresFailure) {
    for attempt in 1... {
      do throws(PostgresFailure) {
        return try run(queries, connected())
      } catch {
        guard case .lost(_, let isSent) = error else { throw error }
        connection = nil
        if isSent {
          switch outcome() {
          case .committed: return
          case .rolledBack: break
          case .unknown(let failure): throw failure
          }
        }
        if attempt == Self.attempts { throw error }
      }
    }
  }

  private mutating func run(
    _ queries: [PostgresQuery], _ connection: PostgresConnection
  ) throws(PostgresFailure) {
    number += 1
    let note = PostgresQuery("UPDATE liveview_mirror.writer SET number = $1::bigint", .int(number))
    try connection.run([PostgresQuery("BEGIN")] + queries + [note, PostgresQuery("COMMIT")])
    acknowledged = number
  }

  /// Finds out whether the last transaction was committed.
  private mutating func outcome() -> Outcome {
    let deadline = ContinuousClock.now + Self.resolution
    while true {
      do throws(PostgresFailure) {
        _ = try connected()
        guard committed == number else { return .rolledBack }
        acknowledged = number
        return .committed
      } catch {
        switch error {
        case .superseded, .rewound: return .unknown(error)
        default: if ContinuousClock.now > deadline { return .unknown(error) }
        }
        usleep(100_000)
      }
    }
  }

  /// Writes and removes a row that needs new pages of the disk, as the next entries do.
  mutating func probe() throws(PostgresFailure) {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<65_536).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let row = PostgresQuery(
      "INSERT INTO liveview_mirror.page(key, data) VALUES ('probe', $1::bytea)", .bytes(bytes))
    try connected().run([PostgresQuery("BEGIN"), row, PostgresQuery("ROLLBACK")])
  }
}
