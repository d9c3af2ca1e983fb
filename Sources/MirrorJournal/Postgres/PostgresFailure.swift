internal import LiveViewMirror

/// Why a call to PostgreSQL failed. ``PostgresConnection`` and its owners throw it, and
/// ``PostgresErrors`` converts it to a ``JournalError``.
enum PostgresFailure: Error, Sendable {
  /// No connection could be made.
  case unreachable(String)
  /// The connection broke.
  ///
  /// - Parameter isSent: whether the server may have received everything that was to be sent.
  case lost(String, isSent: Bool)
  /// The server has refused a statement. The transaction is rolled back.
  case refused(code: String, message: String)
  /// A mirror of an older version uses the database, or another mirror is migrating the tables.
  case locked
  /// The database does not have a transaction that it had confirmed.
  case rewound
  /// The database cannot be a journal. The text says what is wrong and what to do.
  case unsuitable(String)
  /// The store was closed.
  case closed
}

/// Makes the errors of ``PostgresStore``, which say what is wrong and what to do.
struct PostgresErrors: Sendable {
  let address: PostgresAddress

  /// - Parameter kind: the kind of the error, except for `unsuitable` and `closed`, which determine
  ///   it themselves.
  func error(_ failure: PostgresFailure, _ kind: JournalError.Kind) -> JournalError {
    switch failure {
    case .unreachable(let message):
      JournalError(
        kind, "the journal \(address) cannot be reached: \(address.redacted(message))\(Self.advice(message))")
    case .lost(let message, _):
      JournalError(
        kind,
        "the connection to the journal \(address) was lost: \(address.redacted(message)); the mirror reconnects by itself"
      )
    case .refused(let code, let message): JournalError(kind, reason(code, address.redacted(message)))
    case .locked:
      JournalError(
        kind,
        "the journal \(address) is in use by a mirror of an older version, or another mirror migrates it: stop the older one first"
      )
    case .rewound:
      JournalError(
        kind,
        """
        the journal \(address) has lost what it had confirmed, as after a failover to a standby that was behind, or after the \
        restoration of a backup; or the mirror had no connection for more than a day: restart it, and it continues with what the \
        database has
        """)
    case .unsuitable(let reason): JournalError(.unusable, "the journal \(address): \(reason)")
    case .closed: JournalError(.unavailable, "the journal \(address) is closed")
    }
  }

  /// What to do about a connection that could not be made. libpq has no codes for the reasons, so
  /// the words of its message are searched.
  private static func advice(_ message: String) -> String {
    func mentions(_ parts: String...) -> Bool { parts.contains { message.contains($0) } }
    if mentions("password authentication failed", "no password supplied") {
      return
        "; check the user and the password: in the URL, in PGPASSWORD, or in ~/.pgpass, which only its owner may read"
    }
    if mentions("pg_hba.conf") { return "; allow this user, database and address in the server's pg_hba.conf" }
    if mentions("SSL", "TLS", "certificate") {
      return
        "; check sslmode, sslrootcert and the server's certificate: sslmode=verify-full needs a certificate for the host of the URL"
    }
    if mentions("database \"") && mentions("does not exist") {
      return "; create it with createdb, or name another one in the URL"
    }
    if mentions("role \"") && mentions("does not exist") {
      return "; create it with createuser, or name another user in the URL"
    }
    if mentions("too many clients", "too many connections", "remaining connection slots") {
      return "; a mirror needs up to 6 connections: raise max_connections, or the limit of the user"
    }
    if mentions("starting up", "shutting down", "recovery mode") { return "; wait until the server has started" }
    if mentions("could not translate host name") { return "; check the host of the URL" }
    return "; check that the server runs, and the host and port of the URL"
  }

  private func reason(_ code: String, _ message: String) -> String {
    switch code {
    // insufficient_privilege
    case "42501":
      """
      the journal \(address) cannot be used: \(message); the user needs the right to create the schema \(PostgresSchema.name) \
      (GRANT CREATE ON DATABASE … TO …), or to own that schema and its tables
      """
    // read_only_sql_transaction
    case "25006":
      """
      the journal \(address) cannot be written: the server is a standby or read-only (\(message)); name the primary server, for \
      example with several hosts and target_session_attrs=read-write
      """
    // disk_full
    case "53100":
      "the disk of the journal \(address) is full: free some space on the server; the mirror tries again by itself"
    // data_corrupted, index_corrupted
    case "XX001", "XX002": "the journal \(address) is damaged (\(message)): restore a backup of the database"
    default: "the journal \(address) reports an error of PostgreSQL: \(message) (\(code))"
    }
  }
}
